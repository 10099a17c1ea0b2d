"""Questions as a page asks them: forms made from their fields, and answers to what may not be asked from there.

A page is never to make the server read or write a file. So what it gives is looked at before anything is made of it:
options that name files are refused, those of metrics and recipes among them, and so is whatever nobody knows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, fields, replace
from inspect import cleandoc
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from assay.errors import AssayError, ParameterError, UnknownName, shown
from assay.explorer.packing import section_of
from assay.metrics.base import Metric
from assay.metrics.options import TEXT_OPTIONS, declared_types, option_fields, read, split_list
from assay.metrics.registry import ALSO, METRICS, metric, metric_class
from assay.questions.asked import Data
from assay.questions.base import Question, recorded
from assay.questions.kept.base import chosen_options
from assay.questions.papers.registry import ALL_PAPERS, PAPERS, paper_class
from assay.questions.registry import QUESTIONS
from assay.questions.studies.registry import EVERYTHING, STUDIES, study_class
from assay.results.result import Result

#: Choices of data that a page may make; which segments take part is its filter's to say.
_OF_DATA = (
    "references", "systems", "without", "skip_empty_references", "refit", "unit", "language", "own_recipes", "human",
    "with_humans", "scores_lower", "seed",
)  # fmt: skip
#: What text options take that hold names, numbers and the like; those that hold files say so otherwise.
_HARMLESS = {
    None, "NAME", "NAME,...", "KIND,...", "KIND[,KIND]", "N", "N,...", "N | CUTS", "N | A,B,...", "METRIC=VALUE",
    "SHARE", "P", "POINTS", "SCORE", "A,B", "A,B,...", "'A,B-*,!B-1'", "E,...", "NAME=SYSTEM,...", "CODE", "TASK,...",
    "MODEL,...",
}  # fmt: skip
#: Metrics that stand in a list of features, too.
_FEATURES = "paper|wide|scores|LIST"
#: The largest numbers that a page may ask for, by the name of the option; of others, and of options of metrics.
LIMITS = {"samples": 10_000, "permutations": 100_000, "simulations": 2_000, "seed": 2**32 - 1, "splits": 10_000}
_MOST, _MOST_OF_METRIC, _MOST_ORDER = 100_000, 10_000, 20
#: So many values of one option, metrics, and letters of one text.
_MOST_VALUES, _MOST_METRICS, _LONGEST = 200, 40, 20_000
#: Options of metrics that say how much is counted of each segment.
_ORDERS = ("order", "char_order", "word_order", "max_len", "min_len", "gap", "skip")
#: A word of what an option takes that stands for a file.
_FILE = re.compile(r"\b(file|folder|path|directory)s?\b", re.IGNORECASE)


def named_question(question: str, study: str | None = None, paper: str | None = None) -> type[Question]:
    """A question, study or paper by its name."""
    for name in (question, study, paper):
        if name is not None and not isinstance(name, str):
            raise ParameterError(f"A question is named by a text, not by {shown(name)}.")
    if study is not None or question == "study":
        return study_class(study or "")
    if paper is not None or question == "paper":
        return paper_class(paper or "")
    if question in STUDIES | EVERYTHING:
        return study_class(question)
    if question in (*PAPERS, ALL_PAPERS):
        return paper_class(question)
    if question not in QUESTIONS or not QUESTIONS[question].takes or question == "report":
        raise UnknownName.of("question that a page can ask", question, [one.name for one in askable()])
    return QUESTIONS[question]


def askable() -> Iterator[type[Question]]:
    """All questions that can be asked of a campaign from a page."""
    for name in QUESTIONS:
        try:
            asked = QUESTIONS[name]
        except AssayError:
            # What another package brought is broken; the others are not.
            continue
        if asked.takes and name != "report" and not any(_is_needed(field) for field in _refused(asked)):
            yield asked
    yield from map(study_class, STUDIES)
    yield from map(paper_class, PAPERS)


def _is_needed(field: Field[Any]) -> bool:
    return field.default is MISSING


def _refused(asked: type[Question]) -> list[Field[Any]]:
    return [field for field in fields(asked) if not is_offered(asked, field)]


def is_offered(owner: type[Any], field: Field[Any]) -> bool:
    """Whether a page may choose this option: none that may name a file, or says how the work is done."""
    meta, hint = field.metadata, declared_types(owner)[field.name]
    if not field.init or meta.get("group") in ("run", "figures"):
        return False
    if owner is Data:
        return field.name in _OF_DATA
    kinds = [part for part in _parts(hint) if part is not NoneType]
    metavar = meta.get("metavar")
    if _holds_metrics(owner, field) or meta.get("choices") or metavar in ("N | CUTS", "N | A,B,..."):
        return True
    plain = [part for part in kinds if part not in (bool, int, float) and get_origin(part) is not Literal]
    return not plain or (set(plain) == {str} and metavar in _HARMLESS)


def _parts(hint: Any) -> list[Any]:
    """The types that a declared one is made of, those in tuples among them."""
    origin = get_origin(hint)
    if origin is Literal or origin is None:
        return [hint]
    return [part for one in get_args(hint) if one is not Ellipsis for part in _parts(one)]


def _holds_metrics(owner: type[Any], field: Field[Any]) -> bool:
    kinds = _parts(declared_types(owner)[field.name])
    named = field.metadata.get("metavar") in ("METRIC", _FEATURES) and field.metadata.get("parse") is not None
    return named or any(isinstance(kind, type) and issubclass(kind, Metric) for kind in kinds)


# Forms


def forms() -> list[dict[str, Any]]:
    """What a page has to know to ask each question."""
    return [form_of(asked) for asked in askable()]


def form_of(asked: type[Question]) -> dict[str, Any]:
    """One question."""
    described = asked.question if asked.source else cleandoc(asked.__doc__ or "").partition("\n")[0]
    own: list[tuple[type[Any], Field[Any]]] = [(asked, field) for field in fields(asked) if is_offered(asked, field)]
    names = {field.name for _, field in own}
    data: list[tuple[type[Any], Field[Any]]] = [
        (Data, field) for field in asked.data_fields(Data) if is_offered(Data, field) and field.name not in names
    ]
    return {
        "question": asked.name,
        "command": asked.command or asked.name,
        "study": asked.name if asked.command == "study" else None,
        "paper": asked.name if asked.command == "paper" else None,
        "title": asked.question or described,
        "help": cleandoc(asked.__doc__ or ""),
        "source": asked.source,
        "section": section_of(Result(asked.name, {"": []}, command=asked.command)),
        "takes": list(asked.takes),
        "needs": dict(asked.needs),
        "fields": [_field(owner, field) for owner, field in (*own, *data)],
    }


def _field(owner: type[Any], field: Field[Any]) -> dict[str, Any]:
    meta, hint = field.metadata, declared_types(owner)[field.name]
    flags = (meta.get("flag") or f"--{field.name.replace('_', '-')}").split(", ")
    flag = next((one for one in flags if one.startswith("--")), flags[0])
    literal = [str(name) for part in _parts(hint) if get_origin(part) is Literal for name in get_args(part)]
    choices = [*map(str, meta.get("choices") or ())] or literal or None
    parse = meta.get("parse")
    default = None if field.default is MISSING else field.default if parse is None else parse(field.default)
    most = min(filter(None, [meta.get("most"), LIMITS.get(field.name)]), default=meta.get("most"))
    text = meta.get("help", "")
    return {
        "name": field.name,
        "flag": flag,
        "label": flag.removeprefix("--").replace("-", " "),
        "type": _type(owner, field, hint, choices),
        "many": get_origin(hint) is tuple,
        "optional": NoneType in get_args(hint),
        "needed": field.default is MISSING,
        "default": recorded(default),
        "help": text() if callable(text) else text,
        "choices": choices,
        "metavar": meta.get("metavar"),
        "least": meta.get("least"),
        "most": most,
        "group": meta.get("group", ""),
    }


def _type(owner: type[Any], field: Field[Any], hint: Any, choices: list[str] | None) -> str:
    kinds = [part for part in _parts(hint) if part is not NoneType]
    if _holds_metrics(owner, field):
        return "metrics" if get_origin(hint) is tuple else "metric"
    if field.name in ("kind", "test_kind", "beside"):
        return "kinds"
    if field.name in ("systems", "without", "human", "baseline", "system"):
        return "systems"
    if field.name == "references":
        return "references"
    if choices:
        return "list" if get_origin(hint) is tuple else "choice"
    if get_origin(hint) is tuple:
        return "numbers" if kinds[0] in (int, float) else "list"
    for kind, name in ((bool, "bool"), (int, "int"), (float, "float")):
        if kinds == [kind]:
            return name
    return "text"


# What a page gives


def asked_for(asked: type[Question], options: Any, data: Data) -> tuple[Question, Data]:
    """A question with its options, and the choices of data beside those that the explorer began with."""
    if not isinstance(options, Mapping):
        raise ParameterError(f"options is {shown(options)}, but it takes an object.")
    own = {field.name: field for field in fields(asked)}
    of_data = {field.name: field for field in asked.data_fields(Data) if field.name not in own}
    chosen: dict[type[Any], dict[str, Any]] = {asked: {}, Data: {}}
    for name, value in options.items():
        owner, known = (asked, own) if name in own else (Data, of_data)
        if name not in known:
            raise UnknownName.of(f"option of {asked.name}", str(name), [*own, *of_data])
        if not is_offered(owner, known[name]):
            raise ParameterError(
                f"{asked.name}: {name} is not chosen from a page, for it may name a file, or says how work is done. "
                "Type the command."
            )
        chosen[owner][name] = _checked(asked, owner, known[name], value)
    for field in own.values():
        if field.default is MISSING and field.name not in chosen[asked]:
            raise ParameterError(f"{asked.name} needs {field.name}.")
    return asked(**chosen[asked]), replace(data, **chosen[Data])


def check_recorded(document: Mapping[str, Any], shown_metrics: Container[str], is_shown: Callable[[str], bool]) -> None:
    """Refuse to ask again what a record says was asked, if a page could not ask it.

    Metrics that are shown may be whatever they are; files have to be shown.
    """
    asked = named_question(document["command"], document.get("study"), document.get("paper"))
    if asked not in askable():
        raise ParameterError(f"{asked.name} is not asked from a page.")
    for owner, chosen in chosen_options(document["options"], asked).items():
        known = {field.name: field for field in fields(owner)}
        for name, value in chosen.items():
            values = value if isinstance(value, list) else [value]
            if owner is Data and name == "where":
                continue
            if not is_offered(owner, known[name]):
                if not all(isinstance(one, str) and is_shown(one) for one in values):
                    raise ParameterError(f"{asked.name}: {name} may name a file that is not shown.")
            elif _holds_metrics(owner, known[name]):
                check_metrics([str(one) for one in values if one is not None and one not in shown_metrics])
            else:
                _checked(asked, owner, known[name], value)


def _checked(asked: type[Question], owner: type[Any], field: Field[Any], value: Any) -> Any:
    """A value that does no harm; whether it is a sound one, the question says itself."""
    hint = declared_types(owner)[field.name]
    if isinstance(value, str) and get_origin(hint) is tuple and "parse" not in field.metadata:
        value = split_list(value)
    values = value if isinstance(value, list) else [value]
    if len(values) > _MOST_VALUES:
        raise ParameterError(f"{asked.name}: {field.name} has {len(values):,} values, and {_MOST_VALUES} are enough.")
    for one in values:
        if one is not None and not isinstance(one, (str, int, float, bool)):
            raise ParameterError(f"{asked.name}: {field.name} is {shown(one)}, but it takes a text or a number.")
        if isinstance(one, str) and len(one) > _LONGEST:
            raise ParameterError(f"{asked.name}: {field.name} has {len(one):,} characters; {_LONGEST:,} are enough.")
    if _holds_metrics(owner, field):
        check_metrics([one for one in values if isinstance(one, str)])
        return tuple(values) if isinstance(value, list) else value
    most = LIMITS.get(field.name, _MOST)
    for one in values:
        _check_number(asked.name, field.name, one, most)
        if isinstance(one, str) and field.metadata.get("metavar") is None and not field.metadata.get("choices"):
            # Some of these are steps of a recipe.
            _check_word(f"{asked.name}: {field.name}", one)
        if isinstance(one, str) and field.metadata.get("metavar") in ("N | CUTS", "N | A,B,...", "N,..."):
            for part in re.split("[,;]", one):
                _check_number(asked.name, field.name, _as_number(part), most)
    return tuple(value) if isinstance(value, list) else value


def _as_number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _check_number(owner: str, name: str, value: Any, most: int) -> None:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and not abs(value) <= most:
        raise ParameterError(f"{owner}: {name} is {shown(value)}, but from a page it takes at most {most:,}.")


def check_metrics(given: Iterable[str]) -> None:
    """Refuse metrics that name files, and those that would count without end."""
    named = [one for text in given for one in split_list(text)]
    if len(named) > _MOST_METRICS:
        raise ParameterError(f"{len(named)} metrics at once, and {_MOST_METRICS} are enough.")
    for text in named:
        check_metric(text)


def check_metric(text: str, depth: int = 0) -> None:
    """Refuse a metric that names a file, before anything is made of it."""
    spelled, layer = text.strip(), ""
    if re.search(r"@[^(){}\[\]]*$", spelled):
        # Of a layer of tags, which the command has read.
        spelled, _, layer = spelled.rpartition("@")
        _check_word("A layer", layer)
    name, options = read(spelled)
    if name in METRICS.built_in or name in METRICS:
        known = metric_class(name)
    elif name.casefold() in ALSO:
        name, implied = read(ALSO[name.casefold()])
        known, options = metric_class(name), {**implied, **options}
    else:
        # Scores of the campaign are called by their names alone.
        if options or depth:
            raise UnknownName.of("metric", name, METRICS)
        _check_word("A metric", name, also=":/")
        return
    hints, fields_ = declared_types(known), {field.name: field for field in option_fields(known)}
    for option, value in options.items():
        if option in fields_:
            _check_option(name, fields_[option], hints[option], value, depth)
    if name in ("scores", "predictor"):
        raise _is_file(name, "path")


def _check_option(name: str, field: Field[Any], hint: Any, value: Any, depth: int) -> None:
    """Refuse the value of an option of a metric that is a file, or too large."""
    values = value if isinstance(value, (list, tuple)) else [value]
    kinds = [part for part in _parts(hint) if part is not NoneType]
    for one in values:
        most = _MOST_ORDER if field.name in _ORDERS else _MOST_OF_METRIC
        usual = field.default if isinstance(field.default, (int, float)) else 0
        _check_number(name, field.name, one, max(most, int(usual)))
        if not isinstance(one, str) or one in ("none", "true", "false"):
            continue
        if field.name == "metrics":
            if depth:
                raise ParameterError(f"{name}: a combination of combinations is not made from a page.")
            check_metric(one, depth + 1)
        elif all(get_origin(part) is Literal or part in (bool, int, float) for part in kinds):
            continue
        elif one not in _words_of(field):
            _refuse_file(name, field, one)


def _words_of(field: Field[Any]) -> set[str]:
    """The words that an option takes beside a file."""
    takes = str(field.metadata.get("takes") or "")
    found = _FILE.search(takes)
    return set(re.findall(r"[\w-]+", takes[: found.start()])) - {"a", "or"} if found else set()


def _refuse_file(name: str, field: Field[Any], value: str) -> None:
    takes = str(field.metadata.get("takes") or field.name)
    if _FILE.search(takes) or _FILE.search(field.name):
        raise _is_file(name, field.name)
    if field.name in TEXT_OPTIONS:
        # spm:FILE, wordnet:FILE; others have steps behind the colon.
        step, _, rest = value.partition(":")
        if (field.name == "stem" and rest) or step == "spm" or "/" in rest or "\\" in rest or "." in rest:
            raise _is_file(name, field.name)
    if "." in value:
        raise _is_file(name, field.name)
    _check_word(f"{name}: {field.name}", value, also=":")
    if name not in METRICS.built_in and Path(value).exists():
        # Of a metric of another package nobody knows what its words stand for.
        raise _is_file(name, field.name)


def _is_file(name: str, option: str) -> ParameterError:
    return ParameterError(
        f"{name}: {option} may name a file, and no file is read for a page. Name such metrics where the explorer is "
        "started: assay explore -m METRIC."
    )


def _check_word(owner: str, text: str, also: str = "") -> None:
    """Refuse what may be a path."""
    is_word = re.fullmatch(rf"[-\w+,. *?!@()=\[\]{re.escape(also)}]*", text) is not None
    if not is_word or ".." in text or text.startswith(("~", ".", "/")):
        raise ParameterError(
            f"{owner} is {shown(text)}, which may name a file, and no file is read for a page. Type the command."
        )


def read_metrics(names: Iterable[str], known: Mapping[str, Metric]) -> list[Metric]:
    """Metrics that a page names: those that are shown, or others that name no file."""
    listed = list(names)
    check_metrics([name for name in listed if name not in known])
    return [known[name] if name in known else metric(name) for name in listed]
