"""Questions are read as one types them behind ``assay``."""

from __future__ import annotations

import pytest

from assay.errors import ParameterError, UnknownName
from assay.explorer.typed import question_of


@pytest.mark.parametrize(
    ("text", "name", "options"),
    [
        ("study references", "references", {}),
        ("assay study references --k 1,2 -m bleu", "references", {"k": (1, 2)}),
        ("meta --kind adequacy,fluency --samples=20 --disattenuated", "meta", {
            "kind": ("adequacy", "fluency"), "samples": 20, "disattenuated": True,
        }),
        ("paper lavie2004", "lavie2004", {}),
        ("explain --translation 'a b' --against 'a c' --against d", "explain", {}),
        ("compare --segments 3", "compare", {"segments": 3}),
        ("metrics bleu", "metrics", {"metric": "bleu"}),
    ],
)  # fmt: skip
def test_a_command_line_is_a_question(text, name, options):
    question = question_of(text)
    assert question.name == name
    assert {option: getattr(question, option) for option in options} == options


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "names no question"),
        ("study", "Type it as behind assay: 'study NAME'"),
        ("meta 'a", "cannot be read as a command line"),
        ("meta --where domain=news", "no option --where of its own"),
        ("meta campaign/", "is no option"),
        ("meta --kind", "--kind needs a value"),
        ("compare --segments 0", "segments"),
    ],
)
def test_what_is_no_question_is_refused_in_words(text, said):
    with pytest.raises(ParameterError, match=said):
        question_of(text)


def test_a_question_that_nobody_knows_is_named():
    with pytest.raises(UnknownName, match="meto"):
        question_of("meto")
