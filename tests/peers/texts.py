"""Random texts in many scripts: the same seed, the same texts.

All characters are older than Unicode 15, so that Python's, the ``regex`` module's and Rust's tables agree on them.
There is no NUL, no surrogate and no line feed: Assay refuses the first two, and files cannot hold the last.
"""

from __future__ import annotations

from random import Random

ALPHABETS = (
    "abcdefghijklmnopqrstuvwxyz",
    "aeiouABCDE",
    "àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿœšžßÀÉÎÕÜŒŠŽİıẞłŁđĐ",
    "абвгдежзийклмнопрстуфхцчшщъыьэюяАБВГДЁё",
    "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώΑΒΓΔΕΣΩΆ",
    "ابتثجحخدذرزسشصضطظعغفقكلمنهويىءآأؤإئةَُِّ",
    "אבגדהוזחטיכךלמםנןסעפףצץקרשתְָּ",
    "अआइईउऊएऐओकखगघचछजटडतदनपफबभमयरलवशसहािीुूेैोौ्ंँ",
    "กขคงจฉชซญฐณดตถทธนบปผฝพฟภมยรลวศษสหฬอะาิีุูเแโใไ็่้์",
    "的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生",
    "あいうえおかきくけこさしすせそたちつてとなにぬねのアイウエオカキクケコガギグゲゴパピプペポー日本語",
    "가나다라마바사아자차카타파하각간갈감갑강한국말번역",
    "😀😂🎉👍🏽❤️👨\u200d👩\u200d👧🇫🇷☂★♥",
    "0123456789",
    "𝒜𝔸𐍈𠀀𠮷😀",
)

MARKS = (
    *".,;:!?-–—…'\"`´“”‘’„«»‹›()[]{}<>/\\|@#$%&*+=~^_§€£¥©®°¿¡",
    *"。、，！？「」『』（）：；《》・〜％＄",
    *("...", "9...5", ",,", ",,5", "3.", ".5", "1,000.50", "5-3", "3--4", "$9.", "...5", "5..", "'s", "n't", "--"),
    *("&amp;", "&quot;", "&lt;b&gt;", "&amp;lt;", "&apos;", "<skipped>", "&", "&#39;", "U.S.", "e.g.,", "100%"),
    *("٣٫٥", "३.५", "Ⅷ", "½", "x²", "①"),
)

#: Between words, mostly a plain space.
SPACES = (*[" "] * 40, "  ", "\u00a0", "\u3000", "\t", "", "", "\u2009", "\u2028", "\x0b", "\x1c", "\u0085", "\r")

#: Characters that belong to any of the above, for noise.
CHARACTERS = "".join(ALPHABETS) + "".join(MARKS) + " \u00a0\u3000\t"


def word(random: Random) -> str:
    """A word of one script, or a mark."""
    if random.random() < 0.3:
        return random.choice(MARKS)
    alphabet = random.choice(ALPHABETS)
    letters = "".join(random.choices(alphabet, k=random.choice((1, 1, 2, 2, 3, 5, 9))))
    return letters.upper() if random.random() < 0.1 else letters


def vocabulary(random: Random) -> list[str]:
    """Few words, so that they repeat."""
    return [word(random) for _ in range(random.randint(2, 12))]


def text(random: Random, words: list[str], longest: int = 14) -> str:
    """Some of the words with white space between; sometimes nothing, or nothing but white space."""
    kind = random.random()
    if kind < 0.04:
        return ""
    if kind < 0.07:
        return "".join(random.choices(SPACES, k=3))
    parts = [random.choice(words) + random.choice(SPACES) for _ in range(random.randint(1, longest))]
    ends = random.choice(("", "", "", " ", "\u00a0")), random.choice(("", "", "", " ", "\t"))
    return ends[0] + "".join(parts).rstrip() + ends[1]


def variation(random: Random, original: str, words: list[str]) -> str:
    """The text with a few characters and words changed, so that there is something to match."""
    letters = list(original)
    for _ in range(random.randint(0, 4)):
        place = random.randint(0, len(letters))
        change = random.random()
        if change < 0.3:
            letters[place:place] = random.choice(words) + random.choice(SPACES)
        elif change < 0.6:
            del letters[place : place + random.randint(1, 5)]
        elif change < 0.8:
            letters[place : place + 1] = random.choice(CHARACTERS)
        else:
            letters = list("".join(letters).swapcase())
    return "".join(letters).replace("\n", " ")


def corpus(seed: object, segments: int, references: int) -> tuple[list[str], list[list[str]]]:
    """Translations, and one full list per reference."""
    random = Random(str(seed))
    translations, columns = [], [[] for _ in range(references)]
    for _ in range(segments):
        words = vocabulary(random)
        original = text(random, words)
        translations.append(variation(random, original, words))
        for column in columns:
            column.append(variation(random, original, words) if random.random() < 0.8 else text(random, words))
    return translations, columns


def spaced_corpus(seed: object, segments: int, longest: int = 14) -> tuple[list[str], list[str]]:
    """Translations and references with one plain space between words; white space inside words is a no-break space."""
    random = Random(str(seed))
    translations, references = [], []
    for _ in range(segments):
        words = vocabulary(random)
        original = text(random, words, longest)
        translations.append(plain(variation(random, original, words)))
        references.append(plain(original))
    return translations, references


def plain(some: str) -> str:
    """Single plain spaces, and no other white space at the ends of words.

    >>> plain("a\\t b  c\\u3000d ")
    'a b c\\xa0d'
    """
    return " ".join("\u00a0".join(part.split()) for part in some.split(" ") if part.split())
