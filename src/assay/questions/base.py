"""What a question is: it is asked, then answered.

A question is a frozen dataclass. Its fields are its options: name, type, default and help make the Python call, the
command line, the reference page and the record of the run. ``answer`` gets the data that were chosen and gives a
``Result``. A question of your own is a subclass in a file, and a line in ``assay.questions.registry``, or an entry
point of the group ``assay.questions``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from assay.errors import shown
from assay.metrics.base import Metric
from assay.metrics.given import GivenScores
from assay.metrics.options import TEXT_OPTIONS, Options, spell
from assay.metrics.registry import metric as named_metric
from assay.metrics.registry import metrics as named_metrics
from assay.results.figure import Figure
from assay.results.result import Result, View
from assay.text.recipe import Recipe

if TYPE_CHECKING:
    from assay.data.campaign import Campaign
    from assay.questions.asked import Asked, Data

#: What a Python caller may give where names are asked for: a list, or one text with commas between.
_Names = Iterable[str] | str | None


#: What a question makes of several campaigns, and what of it is averaged over them: see ``Question``.
Campaigns = Literal["apart", "together", "one"]
Averaged = Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]

#: What questions may need of a campaign, beside systems and references: see ``Question.needs``.
CANDIDATES, EITHER = "translations beside references", "references or judged systems"
JUDGED, SCORED = "judged systems", "systems with scored segments"
SOURCE = "source"
TRANSLATIONS, SEGMENTS, JUDGES = "scored translations", "judged segments", "named judges"

#: How kinds of judgement are chosen, in every command.
KIND = "Which judgements: a,b each apart; a+b their mean per rater and item; a/b together."


def option(
    default: Any,
    help: str | Callable[[], str] = "",  # noqa: A002 - it is what the command line calls it
    *,
    flag: str | None = None,
    metavar: str | None = None,
    least: float | None = None,
    most: float | None = None,
    choices: Iterable[str] = (),
    repeat: bool = False,
    parse: Callable[[Any], Any] | None = None,
    group: str = "",
) -> Any:
    """A field of a question that people may choose.

    ``flag`` is what one types, where it is not the field's name; with ``repeat`` it is typed once per value, and commas
    do not split it; ``parse`` makes the value that the question works with. ``least`` and ``most`` bound numbers.
    ``help`` may be made when somebody asks for it. ``choices`` are the names that the command line offers, where the
    type does not list them.
    """
    metadata = {
        "help": help, "flag": flag, "metavar": metavar, "least": least, "most": most, "choices": choices,
        "repeat": repeat, "parse": parse, "group": group,
    }  # fmt: skip
    return field(default=default, metadata=metadata)


class Usual(tuple[Metric, ...]):
    """Metrics that a question is about where nobody named any."""


def metrics_option(
    default: tuple[str, ...],
    help: str = "",  # noqa: A002
    *,
    scores: bool = False,
    **further: Any,
) -> Any:
    """The metrics that a question is about: spellings or metrics, checked where the question is made.

    With ``scores`` they may be those that other programs computed, which are known once the campaign is.
    """

    def parse(given: Any) -> tuple[Metric, ...]:
        empty = given is None or (isinstance(given, (tuple, list)) and not given)
        if empty and not default:
            return ()
        made = Usual if given is default or isinstance(given, Usual) else tuple
        # What no metric is called may be the name of scores that the campaign has.
        otherwise = (lambda name: GivenScores(named=name)) if scores else None
        return made(named_metrics(() if empty else given, otherwise))

    return option(default, help, flag="-m, --metric", metavar="METRIC", repeat=True, parse=parse, **further)


def metric_option(default: str, help: str = "", *, flag: str = "-m, --metric") -> Any:  # noqa: A002
    """The one metric that a question is about: a spelling or a metric."""

    def parse(given: Any) -> Metric:
        return given if isinstance(given, Metric) else named_metric(given)

    return option(default, help, flag=flag, metavar="METRIC", parse=parse)


def path_option(help: str, *, needed: bool = False, metavar: str = "DIR", group: str = "") -> Any:  # noqa: A002
    """A path, which is text from then on."""

    def parse(given: Any) -> str | None:
        if not isinstance(given, (str, Path) if needed else (str, Path, NoneType)):
            raise TypeError(f"{shown(given)} is no path.")
        return None if given is None else str(given)

    return option(MISSING if needed else None, help, metavar=metavar, group=group, parse=parse)


def test_on_option(help: str) -> Any:  # noqa: A002
    """Another campaign, on which is tested what is chosen on the one that is asked."""
    return path_option(help, metavar="CAMPAIGN")


def test_kind_option() -> Any:
    """The judgements of that other campaign."""
    return option((), "Which judgements of --test-on; else --kind.", metavar="KIND,...")


@dataclass(frozen=True, kw_only=True)
class Question(Options, ABC):
    """Base class of all questions; subclasses add their options as fields."""

    #: What one types.
    name: ClassVar[str]
    #: What is asked, in one line.
    question: ClassVar[str]
    #: Who asked first.
    source: ClassVar[str] = ""
    #: The command that it is asked by, where that is not its name.
    command: ClassVar[str] = ""
    #: Which choices of data it takes: texts, metrics (what is chosen for all of them), recipes (whether word metrics,
    #: which are compared there, share one), units, judgements, scores; none where it is not asked of a campaign at all.
    takes: ClassVar[tuple[str, ...]] = ("texts", "metrics")
    #: Whether there have to be texts; where not, judgements alone will do.
    needs_texts: ClassVar[bool] = True
    #: What a campaign must have for it, and how many: ``assay describe`` counts that.
    needs: ClassVar[Mapping[str, int]] = {"systems": 1, "references": 1}
    #: Fields that stand first on the command line, without an option's name.
    arguments: ClassVar[tuple[str, ...]] = ()
    #: The field that a Python caller may give right behind the campaign, where there are no such arguments.
    leading: ClassVar[str] = "metrics"
    #: Options of earlier versions, and what to type instead: ``--name``, or ``name`` for keywords of Python alone.
    renamed: ClassVar[Mapping[str, str]] = {}
    #: What the bar says while somebody waits.
    working: ClassVar[str] = "Working"
    #: Whether it is asked anew for each kind of judgement that is named; else it takes them all itself.
    kinds_apart: ClassVar[bool] = True
    #: What becomes of several campaigns: it is asked anew of each (``apart``), or takes them all, as ``asked.parts``
    #: (``together``); or it takes but one.
    campaigns: ClassVar[Campaigns] = "apart"
    #: Tables with numbers that are averaged over campaigns: the columns that say which row it is, and the numbers.
    averaged: ClassVar[Averaged] = {}
    #: Whether its answer is one that was given before, and says itself what was asked.
    repeats: ClassVar[bool] = False
    #: Whether pictures may be drawn of what it answers, though it is asked of no campaign.
    is_drawn: ClassVar[bool] = False
    #: Names of its figures, where there are several.
    pictures: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def positional(cls) -> tuple[str, ...]:
        """The fields that a Python caller may give without their names."""
        return cls.arguments or (cls.leading,)

    @property
    def takes_kinds(self) -> bool:
        """Whether several kinds of judgement may be named."""
        return True

    def side_by_side(self, answers: Mapping[str, Result]) -> tuple[View, ...]:
        """Views of the answers for several kinds of judgement together, each kind a column; they stand first."""
        return ()

    @property
    def needs_data(self) -> bool:
        """Whether it is asked of a campaign; what is not can be answered without one."""
        return bool(self.takes)

    def scores_all(self, data: Data) -> bool:
        """Whether metrics score every segment, so that somebody should know of those that cannot be scored."""
        return "metrics" in self.takes

    def named_metrics(self) -> list[Metric]:
        """The metrics among its options."""
        values = [getattr(self, part.name) for part in fields(self)]
        listed = [item for value in values for item in (value if isinstance(value, tuple) else (value,))]
        return [item for item in listed if isinstance(item, Metric)]

    def on_texts(self, recipe: Recipe | None, language: str | None) -> Self:
        """The same question about metrics that share a recipe, and for texts in a language, where there is one."""

        def changed(metric: Metric) -> Metric:
            metric = metric if recipe is None else metric.in_recipe(recipe)
            return metric if language is None else metric.in_language(language)

        return self.with_metrics(changed)

    def with_metrics(self, change: Callable[[Metric], Metric]) -> Self:
        """The same question about other metrics: what ``change`` makes of each."""

        def changed(value: Any) -> Any:
            if isinstance(value, tuple):
                return type(value)(map(changed, value))
            return change(value) if isinstance(value, Metric) else value

        return replace(self, **{part.name: changed(getattr(self, part.name)) for part in fields(self)})

    def named_scores(self, known: Collection[str]) -> Sequence[str]:
        """Which of the scores that a campaign has it takes without --scores, beside metrics of such a name."""
        return ()

    def with_scores(self, given: Sequence[Metric]) -> Self:
        """The same question about scores of ``--scores``, too, instead of its usual metrics if nobody named any."""
        if not given or "metrics" not in self.__dataclass_fields__:
            return self
        metrics: Any = self.metrics  # type: ignore[attr-defined]
        named = () if isinstance(metrics, Usual) else metrics
        together: Any = {"metrics": (*named, *(one for one in given if one not in named))}
        return replace(self, **together)

    @classmethod
    def data_fields(cls, data: type[Data]) -> list[Field[Any]]:
        """The choices of data that it takes, out of all that there are."""
        groups = ("", "run", *cls.takes) if cls.takes else ()
        return [field_ for field_ in fields(data) if field_.metadata["group"] in groups]

    @abstractmethod
    def answer(self, asked: Asked) -> Result:
        """Make the tables, and say what they show."""

    def pictures_of_kinds(self, campaign: str, answers: Mapping[str, Result]) -> Iterable[Figure]:
        """Figures that show several kinds of judgement side by side; they come before those of each kind."""
        return ()

    def own_campaign(self, data: Data) -> Campaign | None:
        """The campaign that the options themselves give, where nothing is to be read."""
        return None

    def options(self, data: Data) -> dict[str, Any]:
        """Options and choices of data, as they are recorded; what only says how the work is done is left out."""
        listed = [*((self, part) for part in fields(self)), *((data, part) for part in self.data_fields(type(data)))]
        kept = [(owner, part.name) for owner, part in listed if part.metadata.get("group") != "run"]
        return {name: recorded(getattr(owner, name)) for owner, name in kept}


def recorded(value: Any) -> Any:
    """The value of an option, as results keep it."""
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, (tuple, list)):
        return [recorded(item) for item in value]
    if isinstance(value, Metric):
        # Asked again in another language, or on one recipe for all, what was chosen stays.
        return spell(value, also=value.chosen & {"language", *TEXT_OPTIONS})
    return str(getattr(value, "origin", None) or getattr(value, "name", None) or value)
