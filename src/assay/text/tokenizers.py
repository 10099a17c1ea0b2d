"""The tokenizers there are: built-in ones run in Rust over whole files, the others are extras.

A tokenizer is spelled ``name`` or ``name:option+option``: ``13a``, ``none:ascii``, ``meteor:de``, ``spm:model.spm``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.errors import InputError, MissingExtra, ParameterError, UnknownName
from assay.text.tables import METEOR_LANGUAGES

#: From texts to texts with a space between tokens.
External = Callable[[Sequence[str]], list[str]]


@dataclass(frozen=True)
class _Tokenizer:
    """What a user reads about a tokenizer, and what the recipe needs to run it."""

    name: str
    summary: str
    options: tuple[str, ...] = ()
    default_options: tuple[str, ...] = ()
    takes_path: bool = False
    #: What loads it, where it is an extra.
    load: Callable[[str | None], External] | None = None
    internal: bool = False


def _mecab(_: str | None) -> External:
    """Japanese words by MeCab with IPADIC, as sacreBLEU's ``ja-mecab``."""
    try:
        import ipadic
        import MeCab
    except ImportError:
        raise MissingExtra.of("tokenize=ja-mecab", "ja") from None
    tagger = MeCab.Tagger(ipadic.MECAB_ARGS + " -Owakati")
    return lambda texts: [tagger.parse(text.strip()).strip() for text in texts]


def _sentencepiece(path: str | None) -> External:
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
        ("normalize", "no-punctuation", "asian"),
        ("normalize",),
    ),
    _Tokenizer(
        "meteor",
        "METEOR 1.5's -norm, by language; 'no-punctuation' is its -noPunct.",
        (*METEOR_LANGUAGES, "no-punctuation"),
        ("en",),
    ),
    _Tokenizer("ja-mecab", "Japanese words by MeCab and IPADIC (extra: ja).", load=_mecab),
    _Tokenizer("spm", "SentencePiece with your model: spm:PATH (extra: spm).", takes_path=True, load=_sentencepiece),
    _Tokenizer("chrf", "The words of chrF++.", internal=True),
)

_TOKENIZERS = {tokenizer.name: tokenizer for tokenizer in _ALL}
PUBLIC = tuple(tokenizer for tokenizer in _ALL if not tokenizer.internal)


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
        if name not in _TOKENIZERS:
            raise UnknownName.of("tokenizer", name, (known.name for known in PUBLIC))
        tokenizer = _TOKENIZERS[name]
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

    def external(self) -> External | None:
        """The tokenizer of an extra; None for those that run in Rust."""
        return None if self.tokenizer.load is None else self.tokenizer.load(self.path)


def _one_language(options: tuple[str, ...]) -> tuple[str, ...]:
    languages = [option for option in options if option in METEOR_LANGUAGES]
    if len(languages) > 1:
        raise ParameterError(f"tokenize=meteor takes one language, but got {', '.join(languages)}.")
    return options if languages else ("en", *options)
