"""Japanese words by MeCab with IPADIC, as sacreBLEU's ``ja-mecab`` (extra: ``ja``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assay.errors import MissingExtra


def load(_: str | None = None) -> Callable[[Sequence[str]], list[str]]:
    """A function that puts a space between the words of each text."""
    try:
        import ipadic
        import MeCab
    except ImportError:
        raise MissingExtra.of("tokenize=ja-mecab", "ja") from None
    tagger = MeCab.Tagger(ipadic.MECAB_ARGS + " -Owakati")
    return lambda texts: [tagger.parse(text.strip()).strip() for text in texts]
