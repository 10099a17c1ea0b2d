"""The hands: each command parses, calls one library function, and prints."""
