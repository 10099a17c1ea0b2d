"""Texts that are made to go wrong: few characters, each with a rule of its own; no line feeds."""

from __future__ import annotations

import unicodedata

from hypothesis import strategies as st

ALPHABETS = (
    ".,9 a",
    ".,-9a &;<>'\"$ \u00a0\u3000«»…",
    "9.-,٣३½Ⅷ①x。、，．－ ",
    "我㐀𠀀鿿豈ｆ＄⼀。「\u2001\u2014→★❤①a9., ",
    "ΣσςΑαİIıßẞ.'\u00ad\u0301 ",
    "\t\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\u00a0\u1680\u2000\u2009\u200b\u2028\u2029\u202f\u205f\u3000\ufeffa.",
    "ab😀👍🏽\u200d\ufe0f🇫🇷'’`´-– ",
)

#: Pieces of what the tokenizers look for, put together at random.
PIECES = (
    *("&amp;", "&quot;", "&lt;", "&gt;", "&apos;", "&", "amp;", "lt;", "<skipped>", "<", ">"),
    *("...", "..", ".", ",", "9", "5", "-", "a", " ", "'s", "'s ", "$", "(", ")", "\u00a0", "«", "é", "。"),
)

texts = st.one_of(
    *(st.text(alphabet, max_size=12) for alphabet in ALPHABETS),
    st.lists(st.sampled_from(PIECES), max_size=10).map("".join),
)

#: Characters of Unicode 3.2: old enough that Python's tables and Rust's agree about them.
OLD_CHARACTERS = [
    character
    for character in map(chr, range(1, 0x110000))
    if unicodedata.ucd_3_2_0.category(character) not in ("Cn", "Cs", "Co")
]

#: Of letters without case, most of which are ideographs and syllables, every sixteenth will do.
SAMPLE = [one for one in OLD_CHARACTERS if unicodedata.category(one) != "Lo" or ord(one) % 16 == 0]
