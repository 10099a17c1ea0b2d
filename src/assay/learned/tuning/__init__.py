"""How a metric's numbers are fitted to judgements: where they may lie, how they are looked for, what they are worth."""
