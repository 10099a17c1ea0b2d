"""What formats of judgements share: fields and their flaws, places of segments, marked errors, notes."""
