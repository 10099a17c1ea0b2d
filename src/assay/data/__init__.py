"""The door: texts and judgements come in here, are checked once, and are good from then on."""
