"""Stems against snowballstemmer 2.2.0, live: words of random letters and the endings that each algorithm knows."""

from __future__ import annotations

from random import Random

import pytest

import assay
from assay import kernels
from assay.demo import CAMPAIGN
from goldens.folder import lines, needs_large, path

snowballstemmer = pytest.importorskip("snowballstemmer", reason="snowballstemmer is the peer (extra: peers)")

ALPHABETS = {
    "arabic": "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيًٌٍَُِّْ",
    "armenian": "աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆև",
    "basque": "abcdefghijklmnñopqrstuvxyz",
    "catalan": "abcçdefghijlmnopqrstuvxyzàèéíïòóúü·",
    "danish": "abcdefghijklmnopqrstuvxyzæøå",
    "dutch": "abcdefghijklmnopqrstuvwxyzëïöüáéíóúè",
    "english": "abcdefghijklmnopqrstuvwxyz'’",
    "finnish": "abdefghijklmnoprstuvyäö",
    "french": "abcdefghijlmnopqrstuvxyzàâçéèêëîïôûùü",
    "german": "abcdefghijklmnoprstuvwzäöüß",
    "greek": "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰΑΒΓΔΕ",
    "hindi": "अआइईउऊएऐओऔकखगघचछजझटठडढणतथदधनपफबभमयरलवशषसहािीुूेैोौ्ंँ",
    "hungarian": "abcdefghijklmnoprstuvzáéíóöőúüű",
    "indonesian": "abcdefghijklmnoprstuwyz",
    "irish": "abcdefghilmnoprstuáéíóú",
    "italian": "abcdefghilmnopqrstuvzàèéìòù",
    "lithuanian": "aąbcčdeęėfghiįyjklmnoprsštuųūvzž",
    "nepali": "अआइईउऊएकखगघचछजटडतथदधनपफबभमयरलवशषसहािीुूेैोौ्ंँ",
    "norwegian": "abcdefghijklmnoprstuvyæøå",
    "porter": "abcdefghijklmnopqrstuvwxyz",
    "portuguese": "abcdefghijlmnopqrstuvxzáâãàçéêíóôõú",
    "romanian": "abcdefghijlmnoprstuvxzăâîșțşţ",
    "russian": "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
    "serbian": "abcčćdđefghijklmnoprsštuvzžабвгдђежзијклљмнњопрстћуфхцчџш",
    "spanish": "abcdefghijlmnñopqrstuvxyzáéíóúü",
    "swedish": "abcdefghijklmnoprstuvxyzåäö",
    "tamil": "அஆஇஈஉஊஎஏஐஒஓகஙசஞடணதநபமயரலவழளறனாிீுூெேைொோௌ்",
    "turkish": "abcçdefgğhıijklmnoöprsştuüvyz",
    "yiddish": "אבגדהוזחטיכךלמםנןסעפףצץקרשתַָּ",
}

#: Letters that Snowball learned about with version 2.0: a few words that have them still get their older stem.
OLDER_RULES = {"dutch": "è", "french": "ëï", "russian": "ё"}

WORDS = 1500


def endings(stemmer) -> list[str]:
    """The beginnings and endings that the algorithm looks for, out of its own tables."""
    tables = [getattr(stemmer, name) for name in dir(stemmer) if name.startswith("a_")]
    found = [entry.s for table in tables if isinstance(table, list) for entry in table]
    # Capitals are marks that some algorithms put in for themselves.
    return [ending for ending in found if ending and ending == ending.lower() and not ending.split()[1:]]


def words(language: str, count: int = WORDS) -> list[str]:
    """Random letters with up to three endings, and sometimes one in front."""
    random = Random(language)
    known = [one for one in endings(snowballstemmer.stemmer(language)) if one.strip() == one]
    made = []
    for _ in range(count):
        letters = "".join(random.choices(ALPHABETS[language], k=random.randint(1, 9)))
        tail = "".join(random.choices(known, k=random.randint(0, 3)))
        made.append((random.choice(known) if random.random() < 0.15 else "") + letters + tail)
    return made


def has_older_rules(language: str, word: str) -> bool:
    return any(letter in word for letter in OLDER_RULES.get(language, ""))


def differences(language: str, some: list[str]) -> dict[str, tuple[str, str]]:
    """Words with our stem and theirs, where they differ."""
    ours = assay.Recipe(stem=language, tokenize="none:ascii").tokens(" ".join(some))
    stemmer = snowballstemmer.stemmer(language)
    theirs = [stemmer.stemWord(word) for word in some]
    return {word: (one, other) for word, one, other in zip(some, ours, theirs, strict=True) if one != other}


def test_we_have_the_languages_that_snowball_has():
    # ROUGE has a stemmer of its own.
    ours = [name for name in kernels.stemmers() if name != "rouge"]
    assert ours == sorted(snowballstemmer.algorithms()) == sorted(ALPHABETS)


@pytest.mark.parametrize("language", ALPHABETS)
def test_stems_are_snowballs(language):
    plain = [word for word in words(language) if not has_older_rules(language, word)]
    assert len(plain) > WORDS / 3
    assert differences(language, plain) == {}


@pytest.mark.parametrize("language", OLDER_RULES)
def test_three_languages_have_older_rules_for_a_few_letters(language):
    different = differences(language, words(language, 6 * WORDS))
    assert different
    assert [word for word in different if not has_older_rules(language, word)] == []


@pytest.mark.parametrize(
    ("language", "word", "older", "newer"),
    [
        ("dutch", "èsheden", "èsheid", "èsheden"),
        ("french", "mosaïque", "mosaïqu", "mosa"),
        ("french", "canoë", "canoë", "cano"),
        ("russian", "зелёный", "зелён", "зелен"),
    ],
)
def test_words_with_older_stems(language, word, older, newer):
    assert differences(language, [word]) == {word: (older, newer)}


def real_words(texts: list[str]) -> list[str]:
    recipe = assay.Recipe(tokenize="13a", lowercase=True)
    return sorted({word for text in texts for word in recipe.tokens(text)})


@needs_large
@pytest.mark.parametrize(("language", "folder", "ending"), [("english", "de-en", "en"), ("german", "en-de", "de")])
def test_stems_of_real_words_are_snowballs(language, folder, ending):
    names = sorted(file.name for file in path(f"inputs/{folder}").glob(f"*.{ending}"))
    texts = [line for name in names if not name.startswith("src") for line in lines(f"inputs/{folder}/{name}")]
    real = real_words(texts)
    assert len(real) > 5000
    assert differences(language, real) == {}


def test_stems_of_the_demonstrations_words_are_snowballs():
    campaign = assay.read(CAMPAIGN)
    real = real_words([text for texts in (*campaign.systems.values(), *campaign.references.values()) for text in texts])
    assert len(real) > 500
    assert differences("english", real) == {}


def test_stems_of_lukes_words_are_snowballs():
    real = real_words(
        [line for file in sorted(path("inputs/el-de").iterdir()) for line in lines(f"inputs/el-de/{file.name}")]
    )
    assert len(real) > 500
    assert differences("german", real) == {}
