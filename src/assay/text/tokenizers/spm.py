"""SentencePiece with a model that the user gives (extra: ``spm``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from assay.errors import InputError, MissingExtra


def load(path: str | None) -> Callable[[Sequence[str]], list[str]]:
    """A function that puts a space between the pieces of each text."""
    model = str(path)
    if not Path(model).is_file():
        raise InputError(f"{model}: no such SentencePiece model file.")
    try:
        import sentencepiece
    except ImportError:
        raise MissingExtra.of("tokenize=spm", "spm") from None
    try:
        processor = sentencepiece.SentencePieceProcessor(model_file=model)
    except (OSError, RuntimeError) as error:
        raise InputError(f"{model}: not a SentencePiece model ({error}).") from None
    return lambda texts: [" ".join(processor.encode(text, out_type=str)) for text in texts]
