"""Tokenizers as chains of substitutions, the way the original programs read."""

from __future__ import annotations

import re
import sys
import unicodedata


def category(letter: str) -> str:
    """All characters of a Unicode category, as ranges for use between square brackets."""
    ranges: list[list[str]] = []
    for character in map(chr, range(sys.maxunicode + 1)):
        if not unicodedata.category(character).startswith(letter):
            continue
        if ranges and ord(ranges[-1][1]) + 1 == ord(character):
            ranges[-1][1] = character
        else:
            ranges.append([character, character])
    return "".join(f"{re.escape(first)}-{re.escape(last)}" for first, last in ranges)


NUMBERS, PUNCTUATION, SYMBOLS = category("N"), category("P"), category("S")
ENTITIES = {"&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">"}


def undo_entities(text: str) -> str:
    """Without ``<skipped>``, with broken lines joined and entities undone one after the other.

    >>> undo_entities("a&amp;lt;b<skipped>c-\\nd")
    'a<bcd'
    """
    text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in ENTITIES.items():
        text = text.replace(entity, character)
    return text


def western(text: str) -> list[str]:
    """The substitutions of mteval 11b and 13a.

    >>> western(" 9...5 and 3. ")
    ['9', '.', '.', '.5', 'and', '3', '.']
    """
    text = re.sub(r"([{-~\[-` -&(-+:-@/])", r" \1 ", text)
    text = re.sub(r"([^0-9])([.,])", r"\1 \2 ", text)
    text = re.sub(r"([.,])([^0-9])", r" \1 \2", text)
    text = re.sub(r"([0-9])(-)", r"\1 \2 ", text)
    return text.split()


def thirteen_a(text: str) -> list[str]:
    """mteval's default, and sacreBLEU's ``13a``.

    >>> thirteen_a("&quot;It's $4.50,&quot; he said.")
    ['"', "It's", '$', '4.50', ',', '"', 'he', 'said', '.']
    """
    return western(f" {undo_entities(text)} ")


def international(text: str) -> list[str]:
    """The substitutions of mteval's ``--international-tokenization``; no space is put at the ends.

    >>> international("«Да», 3,5 € in 2019.")
    ['«', 'Да', '»', ',', '3,5', '€', 'in', '2019.']
    """
    text = re.sub(f"([^{NUMBERS}])([{PUNCTUATION}])", r"\1 \2 ", text)
    text = re.sub(f"([{PUNCTUATION}])([^{NUMBERS}])", r" \1 \2", text)
    text = re.sub(f"([{SYMBOLS}])", r" \1 ", text)
    return text.split()


def mteval_international(text: str, split_non_ascii: bool = False) -> list[str]:
    """mteval's: its reader trims the segment, entities are undone, ``-e`` sets off what is not ASCII.

    >>> mteval_international("it&apos;s"), mteval_international("naïve", split_non_ascii=True)
    (['it', "'", 's'], ['na', 'ï', 've'])
    """
    text = undo_entities(text.strip()).replace("&apos;", "'")
    if split_non_ascii:
        text = re.sub(r"([^\x00-\x7f])", r" \1 ", text)
    return international(text)


def sacrebleu_international(text: str) -> list[str]:
    """sacreBLEU's: trims the end alone, and leaves entities.

    >>> sacrebleu_international(" .5 it&apos;s")
    ['.', '5', 'it', '&', 'apos', ';', 's']
    """
    return international(text.rstrip())


#: First and last characters that sacreBLEU takes for Chinese, as it compares strings. Two ranges were meant for
#: planes beyond the first: "\u20000" is the space U+2000 and a zero.
CHINESE = (
    *(("\u3400", "\u4db5"), ("\u4e00", "\u9fbb"), ("\uf900", "\ufa2d"), ("\ufa30", "\ufa6a"), ("\ufa70", "\ufad9")),
    *(("\u20000", "\u2a6d6"), ("\u2f800", "\u2fa1d"), ("\uff00", "\uffef"), ("\u2e80", "\u2fdf"), ("\u2ff0", "\u303f")),
    *(("\u3100", "\u312f"), ("\u31a0", "\u31ef"), ("\ufe10", "\ufe1f"), ("\ufe30", "\ufe4f"), ("\u3200", "\u33ff")),
    *(("\u2600", "\u26ff"), ("\u2700", "\u27bf")),
)


def chinese(text: str) -> list[str]:
    """sacreBLEU's ``zh``: Chinese characters alone, the rest as mteval, without spaces at the ends.

    >>> chinese("我在2021年。")
    ['我', '在', '2021', '年', '。']
    """
    spaced = ""
    for character in text.strip():
        alone = any(first <= character <= last for first, last in CHINESE)
        spaced += f" {character} " if alone else character
    return western(spaced)


def characters(text: str) -> list[str]:
    """Every character that is not white space.

    >>> characters(" a bc ")
    ['a', 'b', 'c']
    """
    return list("".join(text.split()))


def chrf_words(text: str) -> list[str]:
    """The words of chrF++: a final mark comes off, or else an initial one.

    >>> chrf_words("(hi) 'tis a")
    ['(hi', ')', "'", 'tis', 'a']
    """
    marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
    words = []
    for word in text.split():
        if len(word) > 1 and word[-1] in marks:
            words += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in marks:
            words += [word[0], word[1:]]
        else:
            words.append(word)
    return words


def ascii_words(text: str) -> list[str]:
    """What stands between ASCII white space.

    >>> ascii_words("a\\u00a0b\\tc")
    ['a\\xa0b', 'c']
    """
    return [word for word in re.split(r"[ \t\n\x0b\x0c\r]+", text) if word]


def tercom(text: str) -> list[str]:
    """TERcom's ``-N``: mteval's with one substitution more; only ASCII white space separates.

    >>> tercom("It's 1990's.")
    ['It', "'s", "1990's", '.']
    """
    text = re.sub(r"([{-~\[-` -&(-+:-@/])", r" \1 ", f" {undo_entities(text)} ")
    text = re.sub(r"'s ", " 's ", text)
    text = re.sub(r"([^0-9])([.,])", r"\1 \2 ", text)
    text = re.sub(r"([.,])([^0-9])", r" \1 \2", text)
    text = re.sub(r"([0-9])(-)", r"\1 \2 ", text)
    return ascii_words(text)


def sacrebleu_tercom(text: str, *, normalize: bool = False, punctuation: bool = True, asian: bool = False) -> list[str]:
    """sacreBLEU's preparation for TER, once; its rules for kana never match, as they want a text that begins with it.

    >>> sacrebleu_tercom("It's 1990's\u00a0.", normalize=True)
    ['It', "'s", "1990's", '.']
    """
    asian_marks = "[\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb．，？：；！＂（）]"
    text = text.rstrip()
    if normalize:
        text = text.replace("\n-", "").replace("\n", " ")
        for entity, character in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
            text = text.replace(entity, character)
        text = re.sub(r"([{-~\[-` -&(-+:-@/])", r" \1 ", f" {text} ")
        text = text.replace("'s ", " 's ")
        text = re.sub(r"([^0-9])([.,])", r"\1 \2 ", text)
        text = re.sub(r"([.,])([^0-9])", r" \1 \2", text)
        text = re.sub(r"([0-9])(-)", r"\1 \2 ", text)
        if asian:
            ideographs = "[\u2e80-\u2eff\u31c0-\u31ef\u3200-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f]"
            text = re.sub(f"({ideographs}|{asian_marks})", r" \1 ", text)
    if not punctuation:
        text = re.sub(r'[.,?:;!"()]', "", text)
        text = re.sub(asian_marks, "", text) if asian else text
    return text.split()
