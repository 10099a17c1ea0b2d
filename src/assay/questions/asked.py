"""What every question is given: campaigns, who of them takes part, judgements, and how the work is done.

Every choice of data is made here, once for all questions, and whatever is left out is counted with its reason.
"""

from __future__ import annotations

import math
import re
import warnings
from collections import ChainMap
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from functools import partial, reduce
from itertools import compress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.arguments import describe_type, fits
from assay.arrays import Flags
from assay.data.campaign import Campaign, is_human, only, segments_where, with_words
from assay.data.corpus import Corpus
from assay.data.external import ExternalScores, Lazily, merge
from assay.data.files import LARGEST_HELP, byte_count, is_folder, read_lines, reading_up_to
from assay.data.formats import read, read_all
from assay.data.formats.judgements import JUDGEMENT_FORMATS, read_judgements
from assay.data.formats.scores import read_scores
from assay.data.judgements import Judgements, fitting
from assay.data.mqm_weights import weighted
from assay.data.problems import note
from assay.data.texts import Texts
from assay.errors import AssayError, AssayWarning, InputError, ParameterError, UnknownName, counted, shown
from assay.metrics.base import Metric
from assay.metrics.given import GivenScores
from assay.metrics.hter import Hter
from assay.metrics.meteor_parameters import LANGUAGES as METEOR_LANGUAGES
from assay.metrics.options import TEXT_OPTIONS, Options, spell_value
from assay.metrics.registry import metric as named_metric
from assay.metrics.registry import metric_names
from assay.people.normalise import METHODS as NORMALISATIONS
from assay.people.rankings import METHODS as RANKINGS
from assay.people.ratings import People
from assay.people.usage import HTER, HUMANS, Usage, people_of, with_hter
from assay.properties import cached_property
from assay.questions.base import KIND, Question, Usual, option, path_option
from assay.questions.inputs import Inputs
from assay.questions.settings import Settings
from assay.results.charts import with_name
from assay.results.figure import Figures
from assay.results.result import Remark, Result, averaged, joined
from assay.scoring.evaluate import Counted, Progress, evaluate_all
from assay.scoring.statistics import NO_DOCUMENT, Provenance, Statistics, Unit, units_of
from assay.significance.draws import FEWEST_UNITS, Units, least_held
from assay.store.keeping import Keeping
from assay.text.languages import UNSPACED
from assay.text.recipe import Recipe

#: What a question can be asked of: campaigns, or what names them; of some, judgements alone.
_One = Campaign | Judgements | str | Path
Given = _One | Sequence[_One] | Inputs

#: How a question says that it has no answer to give.
REFUSALS = (InputError, ParameterError, UnknownName)
#: Why a judgement is not used that was there before segments were chosen.
ELSEWHERE = "of segments that --where leaves out"
UNREFERENCED = "of segments whose references are all empty"
#: So many segments without a reference, or such a share of them, are said.
_MANY_EMPTY, _EMPTY_SHARE = 10, 0.01
#: What word metrics that are compared share, as BLEU has it: cut by 13a, case kept.
_SHARED = Recipe(tokenize="13a")
#: What a code of a language looks like: pl, haw.
_CODE = re.compile("[a-z]{2,3}")
#: Languages that something here is made for.
_LANGUAGES = tuple(sorted({*UNSPACED, *METEOR_LANGUAGES, "sv"} - {"other"}))


def several(given: Any) -> tuple[Any, ...]:
    """Files, or what was read from them: one, several or none."""
    if given is None:
        return ()
    kinds = (str, Path, Judgements, ExternalScores)
    listed = (given,) if isinstance(given, kinds) else tuple(given)
    if isinstance(given, Mapping) or not all(isinstance(one, kinds) for one in listed):
        raise TypeError(f"{shown(given)} is no file.")
    return listed


@dataclass(frozen=True, kw_only=True)
class Data(Options):
    """Which data a question is asked of, and how: options that mean the same in every command."""

    references: tuple[str, ...] = option(
        (), "Use these references of the campaign.", flag="--refs", metavar="A,B", group="texts"
    )
    targeted: tuple[str, ...] = option(
        (),
        "A reference that is a human post-edit, for hter: by name in a campaign, else a file; repeat it.",
        metavar="NAME | FILE",
        repeat=True,
        group="texts",
    )
    systems: tuple[str, ...] = option(
        (), "Use these systems of the campaign; !NAME leaves one out.", metavar="'A,B-*,!B-1'", group="texts"
    )
    without: tuple[str, ...] = option(
        (), "Leave these systems out; repeat it.", metavar="NAME,...", repeat=True, group="texts"
    )
    where: tuple[str, ...] = option(
        (),
        "Segments with this document, domain or column only; NAME!=VALUE for the others; repeat it.",
        metavar="NAME=VALUE",
        repeat=True,
        group="texts",
    )
    skip_empty_references: bool = option(False, "Leave out segments whose references are all empty.", group="texts")
    refit: bool = option(False, "Fit metrics such as NIST on the segments that are left, not on all.", group="texts")
    unit: Unit | None = option(
        None, "What is drawn and swapped as a whole (default: documents where they are known).", group="units"
    )
    language: str | None = option(
        None,
        "Of the texts: how word metrics cut them (ja, zh, th, ...), and METEOR's language.",
        metavar="CODE",
        group="metrics",
    )
    own_recipes: bool = option(
        False, "Each metric on its own tokens, instead of one recipe for all word metrics.", group="recipes"
    )
    judgements: Any = option(
        (),
        "Judgements, instead of the campaign's human.tsv; repeat it.",
        metavar="FILE",
        repeat=True,
        group="judgements",
        parse=several,
    )
    judgement_format: str | None = option(
        None, "Of --judgements, if not plain.", metavar="NAME", choices=JUDGEMENT_FORMATS, group="judgements"
    )
    weights: str | None = option(
        None, "Score marked errors anew with these MQM weights.", metavar="NAME | FILE", group="judgements"
    )
    human: tuple[str, ...] = option(
        (),
        "A system that is a person, beside those whose names say so (refA, human); repeat it.",
        metavar="NAME,...",
        repeat=True,
        group="judgements",
    )
    with_humans: bool = option(
        False, "Keep people who stand as systems where metrics are held against judgements.", group="judgements"
    )
    scores: Any = option(
        (),
        "What other programs scored, in any known format; repeat it.",
        metavar="FILE",
        repeat=True,
        group="scores",
        parse=several,
    )
    layers: tuple[str, ...] = option(
        (),
        "Tags of all tokens, in files called as the campaign's, for features such as wer@NAME; repeat it.",
        flag="--layer",
        metavar="NAME=FOLDER",
        repeat=True,
        group="layers",
    )
    scores_lower: tuple[str, ...] = option(
        (), "Of these scores lower values are better.", metavar="A,B", group="scores"
    )
    seed: int = option(1, "Of whatever is drawn at random.", metavar="N", least=0)
    config: str | None = option(
        None, "Defaults of options (default: assay.toml in the campaign's folder).", metavar="FILE", group="run"
    )
    store: Any = path_option(
        "Keep the answer in this store (default: .assay in the campaign's folder, if it has one).", group="run"
    )
    no_store: bool = option(False, "Keep nothing, and use nothing that is kept.", group="run")
    threads: int | None = option(
        None, "How many threads (default: all there are).", metavar="N", least=1, most=1024, group="run"
    )
    largest: Any = option(None, LARGEST_HELP, metavar="SIZE", parse=byte_count, group="run")

    def check(self) -> None:
        if self.language is not None and not _CODE.fullmatch(self.language):
            raise UnknownName.of("language", self.language, _LANGUAGES)

    @property
    def chosen_systems(self) -> tuple[str, ...]:
        """Which systems to use, for ``fitting``; nothing where all are."""
        return (*self.systems, *(f"!{name}" for text in self.without for name in text.split(",")))

    def recipe_for(self, question: Question) -> Recipe | None:
        """What is done to texts for all word metrics of a question alike; None where each has its own recipe."""
        if self.own_recipes or "recipes" not in question.takes:
            return None
        writing = UNSPACED.get(self.language or "")
        return _SHARED if writing is None else replace(_SHARED, tokenize=writing.tokenizer)


@dataclass(frozen=True, eq=False)
class Asked:
    """Campaigns and the circumstances of a question."""

    #: Before systems and references are chosen, with the chosen segments alone; judgements alone are a campaign without
    #: texts.
    campaigns: tuple[Campaign, ...]
    data: Data = field(default_factory=Data)
    #: The names of the scores that ``--scores`` gave, which the campaign has.
    score_names: tuple[str, ...] = ()
    #: Whether judgements take part, and how many are of segments that were left out, by the reason.
    judged: bool = False
    judged_elsewhere: Mapping[str, int] = field(default_factory=dict)
    #: What all word metrics of the question share, if anything.
    recipe: Recipe | None = None
    progress: Progress | None = field(default=None, repr=False)
    #: What was counted for this question; all parts of it share it.
    counted: Counted = field(default_factory=Counted, repr=False)
    #: What was named to work on, as it was typed; None where it is in memory alone.
    inputs: Mapping[str, Any] | None = None
    #: The same of each campaign, where there are several; and whether this is one of them.
    several: tuple[Asked, ...] = ()
    is_part: bool = False
    #: The one campaign of questions that take one, the first of several; nothing for those that take none.
    campaign: Campaign = field(init=False)
    #: Of whatever is drawn at random; and how many threads work, None for as many as there are.
    seed: int = field(init=False)
    threads: int | None = field(init=False)

    def __post_init__(self) -> None:
        vars(self).update(seed=self.data.seed, threads=self.data.threads)
        if self.campaigns:
            vars(self)["campaign"] = self.campaigns[0]

    @property
    def parts(self) -> tuple[Asked, ...]:
        """The same of each campaign alone."""
        return self.several or (self,)

    def with_recipe(self, recipe: Recipe | None) -> Asked:
        """The same for a question whose word metrics share this recipe, or have their own."""
        return replace(self, recipe=recipe, several=tuple(replace(part, recipe=recipe) for part in self.several))

    def counting(self, counted: Counted) -> Asked:
        """The same with what was counted before, and will be."""
        parts = tuple(replace(part, counted=counted) for part in self.several)
        return replace(self, counted=counted, several=parts)

    @property
    def scores(self) -> tuple[ExternalScores, ...]:
        """The scores that ``--scores`` gave."""
        return tuple(self.campaign.scores[name] for name in self.score_names)

    @property
    def name(self) -> str:
        """What the campaigns are called."""
        return ", ".join(campaign.name for campaign in self.campaigns)

    def only(self, segments: NDArray[np.int64], reason: str) -> Asked:
        """The same of these segments alone; ``reason`` is why the judgements of others are not used."""
        campaign = only(self.campaign, segments)
        if self.data.refit:
            campaign = replace(campaign, whole=None)
        lost = _judged(self.campaign) - _judged(campaign) if self.judged else 0
        return replace(
            self,
            campaigns=(campaign,),
            judged_elsewhere=dict(self.judged_elsewhere) | ({reason: lost} if lost else {}),
        )

    def elsewhere(self, question: Question, path: str, kinds: Iterable[str]) -> Asked:
        """Another campaign, on which is tested what was chosen on this one: read under the same choices of data.

        Files that were named are of this campaign alone. Names that the other does not have choose nothing there, which
        a note says. It has to have judgements of these ``kinds``.
        """
        campaign, data = read(path), self.data
        given = campaign.judgements
        for kind in kinds:
            try:
                _ = given is None or kind == HTER or given.of_kind(kind)
            except UnknownName as error:
                raise InputError(f"--test-on {campaign.name}: {error} Name its judgements: --test-kind KIND.") from None
        known = {"references": campaign.references, "targeted": campaign.references}
        known |= dict.fromkeys(("systems", "without", "human"), campaign.systems)
        kept: dict[str, Any] = {}
        for field_, names in known.items():
            kept[field_] = tuple(name for name in getattr(data, field_) if _names_any(names, name))
        kept["where"] = tuple(condition for condition in data.where if _chooses_any(campaign, condition))
        strange = [name for field_ in kept for name in getattr(data, field_) if name not in kept[field_]]
        if strange:
            note(f"{campaign.name} has no {', '.join(strange)}: there this chooses nothing.")
        spans = given is not None and bool(given.spans)
        kept |= {"weights": data.weights if spans else None, "config": None}
        alone: dict[str, Any] = {"judgements": (), "judgement_format": None, "scores": (), "scores_lower": ()}
        return _open_data(campaign, replace(data, **kept, **alone), question)

    def units(self, campaign: Campaign | None = None) -> Units:
        """What is drawn as a whole: documents where they are known, unless something else was asked for."""
        chosen = self.chosen if campaign is None else campaign
        return units_of(chosen.documents, len(chosen), self.data.unit, chosen.places, chosen.whole)

    def about_units(
        self,
        units: Units,
        effects: Mapping[str, float] | None = None,
        campaign: Campaign | None = None,
        *,
        among: Flags | None = None,
        of: str = "",
    ) -> str:
        """What is drawn as a whole, what that assumes, and how much segments are worth.

        ``effects`` are design effects by metric, and ``of`` says of what; ``among`` are the segments that take part, if
        not all do.
        """
        chosen = self.chosen if campaign is None else campaign
        names = chosen.documents or ()
        if among is None:
            return units_said(units.name, len(units), names, len(chosen), effects=effects, of=of)
        there = list(compress(names, among))
        return units_said(units.name, units.count(among), there, int(among.sum()), effects=effects, of=of)

    def in_language(self, metrics: Iterable[Metric]) -> tuple[Metric, ...]:
        """Metrics that a question makes by itself, for texts in the language that was named."""
        code = self.data.language
        return tuple(metric if code is None else metric.in_language(code) for metric in metrics)

    def name_of(self, metric: Metric) -> str:
        """What tables call a metric: without the recipe that all share, which stands above the table."""
        return str(metric) if self.recipe is None else metric.named_beside(self.recipe)

    @cached_property
    def chosen(self) -> Campaign:
        """The campaign with the systems and references that were asked for."""
        chosen = self.data
        if not self.campaign.systems and not self.campaign.references:
            return self.campaign.with_judgements(self.judgements)
        return self.campaign.choose(
            systems=chosen.chosen_systems or None,
            references=chosen.references or None,
            targeted=chosen.targeted or None,
        )

    @property
    def humans(self) -> list[str]:
        """The chosen systems that are people, by their names or because somebody says so, unless they are to stay."""
        named = fitting("system", self.campaign.systems, self.data.human)
        systems = () if self.data.with_humans else self.chosen.systems
        return [name for name in systems if name in named or is_human(name, self.campaign.references)]

    def judged_campaign(self, kinds: Iterable[str] = (), *, with_humans: bool = False) -> Campaign:
        """The chosen campaign as metrics are held against people: without people who stand as systems, as WMT does.

        Post-edits are judgements where their kind is among ``kinds``.
        """
        campaign = self.chosen
        if HTER in {part for kind in kinds for part in re.split("[+/]", kind)}:
            (hter,) = self.in_language([Hter()])
            campaign = with_hter(campaign, hter, threads=self.threads, known=self.counted)
        humans = [] if with_humans else self.humans
        if not humans:
            return campaign
        note(f"Left out: {HUMANS} ({', '.join(humans)}), as WMT does. --with-humans keeps them.")
        return campaign.choose(systems=[name for name in campaign.systems if name not in humans])

    def kinds(self, names: Iterable[str]) -> list[str]:
        """The kinds of judgement that these names stand for, each a question of its own: see ``Judgements``.

        A name that stands for nothing is refused here, not behind the answers about those before it.
        """
        names = list(dict.fromkeys(names))
        apart = len(names) > 1 or any(set(name) & set("*?[!") for name in names)
        judged = [part.chosen.judgements for part in self.parts] if apart else []
        if not any(judged):
            return names
        known = [kind for one in judged if one is not None for kind in one.kinds]
        made = [name for name in names if name == HTER or {"+", "/"} & set(name)]
        return fitting("kind of judgement", dict.fromkeys([*known, *made]), names)

    def kinds_here(self, names: Iterable[str]) -> tuple[str, ...]:
        """The same names, but of ``a/b`` only those that this campaign has, if it is one of several."""
        judgements = self.campaign.judgements
        if not self.is_part or judgements is None:
            return tuple(names)
        known = judgements.kinds
        return tuple("/".join(one for one in name.split("/") if one in known) or name for name in names)

    def people(
        self, campaign: Campaign, *, kind: Iterable[str] = (), normalise: str = "none", **options: Any
    ) -> tuple[People, Usage]:
        """What people say of the systems of a campaign, and how many judgements were used, how many were not, and why.

        ``options`` are further ones of :func:`people_of`.
        """
        kinds = self.kinds_here(dict.fromkeys(kind))
        people, usage = people_of(campaign, kind=kinds or None, method=normalise, humans=self.humans, **options)
        for reason, count in self.judged_elsewhere.items():
            usage = usage.beside(count, reason)
        return people, usage

    @property
    def texts(self) -> Campaign:
        """The chosen campaign; all of it where the systems that were asked for are references."""
        try:
            return self.chosen
        except UnknownName:
            return self.campaign.choose(references=self.data.references or None)

    @cached_property
    def judgements(self) -> Judgements:
        """What people said of the systems that were asked for, with or without translations; there has to be some."""
        judgements = self.campaign.judgements
        if judgements is None:
            raise InputError(
                f"{self.campaign.name} has no judgements. Put them into human.tsv in the campaign folder, or give a "
                "file of them: --judgements FILE."
            )
        if len(judgements) == 0:
            raise InputError(f"{judgements.origin}: there are no judgements.")
        return judgements.of_systems(self.data.chosen_systems) if self.data.chosen_systems else judgements

    def report(self, share: float) -> None:
        """Tell whoever waits which share of the work is done."""
        if self.progress is not None:
            self.progress(share)

    def announce(self, work: str) -> None:
        """Tell whoever waits how much there is to do, before it is done: a progress that can show it has a method."""
        getattr(self.progress, "announce", str)(work)

    def part(self, start: float, stop: float) -> Progress | None:
        """A progress that fills a part of this one."""
        progress = self.progress
        if progress is None:
            return None

        def part(done: float) -> None:
            progress(start + (stop - start) * done)

        vars(part).update(announce=self.announce)
        return part

    def count(
        self, metrics: Sequence[Metric], systems: Campaign | Mapping[str, Corpus], progress: Progress | None = None
    ) -> Mapping[tuple[str, str], Statistics]:
        """The rows of every system and metric, by their names; what is counted already is not counted again."""
        return evaluate_all(metrics, systems, threads=self.threads, progress=progress, known=self.counted)

    def digests(self) -> dict[str, str]:
        """Stand for all texts and judgements that were chosen."""
        if self.several:
            return {f"{part.name}/{name}": text for part in self.several for name, text in part.digests().items()}
        campaign = self.texts
        texts = {"source": campaign.source} | {f"ref.{name}": column for name, column in campaign.references.items()}
        texts |= {f"sys.{name}": column for name, column in campaign.systems.items()}
        digests = {name: column.digest for name, column in texts.items() if column is not None}
        scores = self.campaign.scores
        used = scores.asked_for if isinstance(scores, Lazily) else scores
        digests |= {f"scores.{name}": scores[name].digest for name in scores if name in used}
        if self.data.config is not None:
            digests["config"] = read_lines(self.data.config).digest
        judgements = campaign.judgements if self.judged else None
        return digests if judgements is None else digests | {"judgements": judgements.digest}

    def signature(self, metric: Metric, campaign: Campaign | None = None) -> str:
        """What a metric computes here, or on a part of what was chosen, whichever system it scores."""
        chosen = self.texts if campaign is None else campaign
        seen = seen_references(metric, chosen)
        digests = tuple(column.digest for column in seen.values())
        targeted = tuple(column.digest for name, column in seen.items() if name in chosen.targeted)
        source = None if chosen.source is None else chosen.source.digest
        texts = Provenance("", digests, len(chosen), targeted, source)
        return texts.signature(metric, seed=self.seed, systems=True)

    def signatures(self, metrics: Iterable[Metric]) -> dict[str, str]:
        """A line per metric, and per campaign where there are several, by what tables call them."""
        return {
            f"{self.name_of(metric)}, {part.name}" if self.several else self.name_of(metric): part.signature(metric)
            for metric in metrics
            for part in self.parts
        }


def _names_any(known: Collection[str], name: str) -> bool:
    """Whether a name, or a pattern, stands for one of those that are known."""
    try:
        return bool(fitting("name", known, name.removeprefix("!")))
    except UnknownName:
        return False


def _chooses_any(campaign: Campaign, condition: str) -> bool:
    """Whether a condition of ``--where`` holds for some segment of a campaign."""
    try:
        return len(segments_where(campaign, condition)) > 0
    except REFUSALS:
        return False


def require_other(question: str, training: Campaign, test: Campaign) -> None:
    """Refuse to test where something was chosen."""
    known = {texts.digest for texts in training.systems.values()}
    same = [name for name, texts in test.systems.items() if texts.digest in known]
    if same:
        raise InputError(
            f"{question}: {test.name} has the very translations to choose on ({', '.join(same)}), and nothing is "
            "tested where it was chosen. Give another campaign to --test-on, or leave it out."
        )


def with_test(result: Result, asked: Asked, test: Asked, metrics: Iterable[Metric]) -> Result:
    """A result whose record has signatures and digests of both campaigns: chosen on, and tested on."""
    name = test.campaign.name
    signatures = {f"{metric}, {name}": test.signature(metric) for metric in metrics}
    digests = {f"{name}/{text}": digest for text, digest in test.digests().items()}
    return replace(result, signatures={**result.signatures, **signatures}, digests={**asked.digests(), **digests})


def seen_references(metric: Metric, campaign: Campaign) -> dict[str, Texts]:
    """The references that a metric looks at: post-edits where it is about them, or where there is nothing else."""
    known, post_edits = campaign.references if metric.sees_references else {}, campaign.targeted
    seen = {name: known[name] for name in known if metric.sees_targeted or name not in post_edits}
    return seen or dict(known)


def units_said(
    unit: str,
    count: int,
    names: Sequence[str],
    segments: int,
    *,
    effects: Mapping[str, float] | None = None,
    of: str = "",
) -> str:
    """What is drawn as a whole: see ``Asked.about_units``. ``names`` are the documents of the segments, if known."""
    if unit == "segment" and segments < FEWEST_UNITS:
        return f"Drawn: {counted(segments, 'segment')}: too few for intervals and p-values, which take {FEWEST_UNITS}."
    few = about_few(count) if effects else ""
    if unit == "segment":
        return f"Drawn: {counted(segments, 'segment')}, taken as independent, {_why_segments(names, segments)}.{few}"
    alone = sum(name in NO_DOCUMENT for name in names)
    drawn = f"Drawn: {counted(count - alone, 'document')}"
    drawn += f" and {counted(alone, 'segment')} that name none" if alone else ""
    if count < FEWEST_UNITS:
        return (
            f"{drawn}: too few for intervals and p-values, which take {FEWEST_UNITS}. With --unit segment segments are "
            "taken as independent."
        )
    if not effects:
        return f"{drawn}, with all their segments ({segments:,}), for those of a document are alike."
    # Chance makes an effect below 1 of one that is none.
    worth = {name: segments / max(effect, 1.0) for name, effect in effects.items() if effect > 0}
    alike: dict[str, list[str]] = {}
    for name, number in worth.items():
        alike.setdefault(f"{number:,.0f}", []).append(name)
    if not alike:
        return f"{drawn}, with all their segments ({segments:,}), for those of a document are alike.{few}"
    said = ", ".join(f"{number} by {' and '.join(metrics)}" for number, metrics in alike.items())
    said = said.replace(" by ", " independent ones by ", 1)
    return f"{drawn}. {of}{' t' if of else 'T'}he {segments:,} segments are worth about {said}.{few}"


def about_few(units: int, said: str = "so few") -> str:
    """What intervals of few units cannot promise."""
    held = least_held(units) if units >= FEWEST_UNITS else None
    if held is None:
        return ""
    return f" Of {said}, 95 % intervals held the truth in only {held} to 98 of 100 simulated test sets."


def _why_segments(names: Sequence[str], segments: int) -> str:
    """Why segments are drawn by themselves, and not the documents that these are of."""
    known = set(names).difference(NO_DOCUMENT)
    if not known:
        return "for documents are not known"
    if len(known) == segments:
        return "for each is a document of its own"
    if len(known) > 1:
        return "as --unit says"
    what = "one document alone is named" if set(names).intersection(NO_DOCUMENT) else "all are of one document"
    return f"for {what}: how others would turn out is not known"


@dataclass(frozen=True, kw_only=True)
class Judged(Question):
    """A question that asks people: the options that say which judgements count, and how they become scores."""

    kind: tuple[str, ...] = option((), KIND, metavar="KIND,...")
    normalise: str = option("none", "Raters against each other.", choices=NORMALISATIONS)
    ranking: str = option("wins", "Ranks to scores.", choices=RANKINGS)
    missing: float | None = option(None, "A score that stands for no judgement.", metavar="SCORE")
    lower_is_better: bool = option(False, "Turn the judgements' sign.")
    plain_means: bool = option(False, "Means of what was judged for each system, as WMT publishes them.")

    def people(self, asked: Asked, campaign: Campaign) -> tuple[People, Usage]:
        """What people say of the systems, and how many judgements that took."""
        return asked.people(
            campaign,
            kind=self.kind,
            normalise=self.normalise,
            ranking=self.ranking,
            missing=self.missing,
            lower_is_better=self.lower_is_better,
            plain_means=self.plain_means,
        )


def ask(
    question: Question,
    given: Given,
    data: Data | None = None,
    progress: Progress | None = None,
    *,
    counted: Counted | None = None,
    again: Mapping[str, Any] | None = None,
) -> Result:
    """Ask a question of a campaign: its answer, with all that it takes to ask again.

    What is ``counted`` already need not be in a store. Of a campaign that is in memory, ``again`` says how to ask again
    where it came from files.
    """
    data = data or Data()
    inputs = Inputs.of(given) if question.needs_data else None
    folders = () if inputs is None else inputs.folders
    keeping = Keeping.of(data.store, folders, data.no_store or not question.takes)
    if counted is not None:
        keeping.counted = counted
    try:
        result = _asked(question, given, data, keeping, progress)
    except Exception:
        keeping.leave()
        raise
    here = {"folder": str(Path.cwd()), "config": data.config, "largest": data.largest}
    run = keeping.keep(result, again if inputs is None else {"inputs": inputs.record, **here})
    # Records that say when scores were found are the same when the run is shown again.
    return result if run is None else replace(result, time=run.moment)


def opened(
    question: Question, given: Given, data: Data, progress: Progress | None = None, counted: Counted | None = None
) -> Asked:
    """What a question would be asked of: campaigns that were read, with the segments that were chosen."""
    inputs = Inputs.of(given)
    asked = _open_data(given, data, question, progress)
    asked = asked if counted is None else asked.counting(counted)
    return replace(asked, inputs=None if inputs is None else inputs.record)


def _asked(question: Question, given: Given, data: Data, keeping: Keeping, progress: Progress | None) -> Result:
    """The answer, with all that it takes to ask again, and what it rests on told to ``keeping``."""
    with remarks() as said, reading_up_to(data.largest):
        if data.config is not None:
            note(f"Options that were not given come from {data.config}.")
        asked = opened(question, given, data, progress, keeping.counted) if question.needs_data else Asked((), data)
        if data.language is not None:
            _mention_characters(data.language)
        shared = asked.recipe is not None or data.language is not None
        result = answer(question.on_texts(asked.recipe, data.language) if shared else question, asked)
        if question.repeats:
            return result
        named = asked.name if asked.campaigns else None
        digests = result.digests or (asked.digests() if asked.campaigns else {})
        for part in asked.parts if asked.campaigns and keeping.rows is not None else ():
            keeping.rest_on(part.texts, part.judged)
    return replace(
        result,
        command=question.command,
        campaign=named if result.campaign is None else result.campaign,
        options=question.options(data),
        digests=digests,
        notes=tuple({str(remark): remark for remark in (*result.notes, *said)}.values()),
    )


def answer(question: Question, asked: Asked, refused: dict[str, AssayError] | None = None) -> Result:
    """What a question answers; of several campaigns or kinds of judgement it is asked once for each.

    Where there is a dictionary for what is ``refused``, those that have no answer stand there, and the others go on.
    """
    if asked.several and question.campaigns == "apart":
        tried = {part.name: (question, part) for part in asked.several}
        return averaged(joined(_answers(tried, asked, refused), "campaign"), question.averaged)
    if asked.campaigns and (asked.score_names or any(one.sees_scores for one in question.named_metrics())):
        question = _with_known_scores(question, asked)
    named = getattr(question, "kind", ())
    kinds = asked.kinds(named) if named and question.kinds_apart else []
    if len(kinds) < 2:
        return question.answer(asked)
    if not question.takes_kinds:
        raise ParameterError(
            f"{question.name} takes one kind of judgement here, not {', '.join(kinds)}. "
            f"Their mean per rater and item is one: --kind {'+'.join(kinds)}."
        )
    answers = _answers({kind: (_of_kind(question, kind), asked) for kind in kinds}, asked, refused)
    together = joined({kind: _with_named_pictures(own, kind) for kind, own in answers.items()}, "kind")
    figures, name = together.figures, asked.campaign.name
    return replace(
        together,
        views=(*(question.side_by_side(answers) if len(answers) > 1 else ()), *together.views),
        figures=Figures(lambda: (*question.pictures_of_kinds(name, answers), *figures)),
    )


def _with_named_pictures(result: Result, kind: str) -> Result:
    """An answer for one of several kinds, whose pictures say so."""
    drawn = result.figures
    return replace(result, figures=Figures(lambda: (with_name(figure, "kind", kind) for figure in drawn)))


def _of_kind(question: Question, kind: str) -> Question:
    chosen: Any = {"kind": (kind,)}
    return replace(question, **chosen)


def _answers(
    tried: Mapping[str, tuple[Question, Asked]], asked: Asked, refused: dict[str, AssayError] | None
) -> dict[str, Result]:
    """The answers to several questions, by name; those that have none are ``refused``."""
    answers: dict[str, Result] = {}
    for done, (name, (question, part)) in enumerate(tried.items()):
        progress = asked.part(done / len(tried), (done + 1) / len(tried))
        try:
            answers[name] = answer(question, replace(part, progress=progress), refused)
        except REFUSALS as error:
            if refused is None or (not answers and done + 1 == len(tried)):
                raise
            refused[name] = error
    return answers


def ask_by_name(
    question: type[Question], given: Given, options: dict[str, Any], progress: Progress | None = None
) -> Result:
    """Ask with keyword arguments: those of the question, and those that choose data."""
    hints = {"progress": Progress | None, "config": str | Path | None}
    for name, value in {"progress": progress, "config": options.get("config")}.items():
        if not fits(value, hints[name]):
            wanted = describe_type(hints[name])
            raise ParameterError(f"{question.name}: {name} is {shown(value)}, but it takes {wanted}.")
    chosen = {field.name for field in question.data_fields(Data)}
    own = {field.name for field in fields(question)}
    renamed = {old.strip("-").replace("-", "_"): new for old, new in question.renamed.items()}
    for name in options.keys() - own - chosen:
        if name in renamed:
            raise ParameterError(f"{question.name} has no option {name} any more. {renamed[name]}")
        raise UnknownName.of(f"option of {question.name}", name, own)
    settings = Settings.of(question, given if question.takes else None, options.get("config"), (Data,))
    asked = settings.made(question, {name: value for name, value in options.items() if name not in chosen})
    data = settings.made(Data, {name: value for name, value in options.items() if name in chosen})
    return ask(asked, given, replace(data, config=settings.path), progress)


def _open_data(given: Given, data: Data, question: Question, progress: Progress | None = None) -> Asked:
    """Read what a question is asked of, one campaign or several."""
    given = given.campaign(question, data) if isinstance(given, Inputs) else given
    if not isinstance(given, (list, tuple)):
        return _open_campaign(given, data, question, progress)
    if not given:
        raise InputError(f"assay.{question.name} takes a campaign, or several; there is none in the list.")
    if len(given) > 1 and question.campaigns == "one":
        raise InputError(f"{question.name} takes one campaign, not {len(given)}. Ask of each by itself.")
    for files in ("judgements", "scores") if len(given) > 1 else ():
        if getattr(data, files):
            raise InputError(
                f"--{files} is of one campaign, and there are {len(given)}.",
                "Ask of one at a time."
                if files == "scores"
                else "Put judgements into each campaign's folder as human.tsv, or ask of one at a time.",
            )
    parts = [_open_campaign(campaign, data, question) for campaign in read_all(given)]
    if len(parts) == 1:
        return replace(parts[0], progress=progress)
    campaigns = tuple(part.campaign for part in parts)
    several = tuple(replace(part, is_part=True) for part in parts)
    return replace(parts[0], campaigns=campaigns, several=several, progress=progress)


def _open_campaign(given: Any, data: Data, question: Question, progress: Progress | None = None) -> Asked:
    """Read one campaign, and choose segments."""
    if not question.needs_texts and not data.judgements and is_judgements(given, question):
        given, data = Campaign("judgements", {}, {}), replace(data, judgements=given)
    campaign = read(given) if isinstance(given, (str, Path)) else given
    if not isinstance(campaign, Campaign):
        wanted = "a campaign or its path" if question.needs_texts else "a campaign, judgements or a path"
        raise InputError(
            f"assay.{question.name} takes {wanted}, not a {type(campaign).__name__}. "
            "For one corpus use assay.metric(...).evaluate(corpus)."
        )
    # Judgements and scores first: files of them are of all segments.
    if data.judgements or data.judgement_format or data.weights:
        campaign = _with_judgements(campaign, data)
    if (data.where or data.skip_empty_references) and not campaign.has_texts:
        option = "--where" if data.where else "--skip-empty-references"
        raise ParameterError(f"{option} chooses segments by a campaign's columns. Give the campaign, too.")
    names: tuple[str, ...] = ()
    if campaign.scores or data.scores or data.scores_lower or any(one.sees_scores for one in question.named_metrics()):
        campaign, names = _with_scores(campaign, data, question)
    judged, recipe = "judgements" in question.takes, data.recipe_for(question)
    asked = Asked((campaign,), data, names, judged, recipe=recipe, progress=progress)
    if data.where:
        asked = asked.only(segments_where(campaign, *data.where), ELSEWHERE)
    if data.skip_empty_references or question.scores_all(data):
        asked = referenced(asked, question.named_metrics())
    return asked


def referenced(asked: Asked, metrics: Sequence[Metric]) -> Asked:
    """Without the segments whose references are all empty, if that is asked for; else many of them are warned of."""
    campaign, data = asked.campaign, asked.data
    chosen = fitting("reference", campaign.references, data.references) if data.references else campaign.references
    post_edits = campaign.targeted
    if data.targeted:
        post_edits = post_edits.union(fitting("reference", campaign.references, data.targeted))
    # Most metrics see post-edits only where there is nothing else; some are about them, and an empty one counts.
    about_edits = bool(metrics) and all(metric.sees_targeted for metric in metrics)
    names = [name for name in chosen if about_edits or name not in post_edits] or [*chosen]
    if not names:
        return asked
    there = with_words(campaign, names)
    count = len(there) - int(there.sum())
    if data.skip_empty_references:
        if not there.any():
            raise InputError(
                f"{campaign.name}: no segment is left, for all references ({', '.join(names)}) of all "
                f"{counted(len(there), 'segment')} are empty. Choose others with --refs, or give references."
            )
        if not count:
            return asked
        note(f"{count:,} of {counted(len(there), 'segment')} left out: all their references are empty.")
        return asked.only(np.flatnonzero(there), UNREFERENCED)
    if not about_edits and (count > _MANY_EMPTY or count > _EMPTY_SHARE * len(there)):
        warnings.warn(
            AssayWarning(
                f"In {count:,} of {counted(len(there), 'segment')} all references are empty. Translations are compared "
                "with nothing there, and that is part of every score. Leave such segments out: "
                "--skip-empty-references.",
                level="warning",
            ),
            stacklevel=4,
        )
    return asked


def _mention_characters(code: str) -> None:
    """Say that characters are counted where no program cuts the words of a language."""
    writing = UNSPACED.get(code)
    if code not in _LANGUAGES:
        note(
            f"--language {code}: nothing in the package is made for it. Word metrics cut words as they always do, at "
            "spaces and punctuation, and METEOR takes it as any other language (language=other)."
        )
    if writing is not None and writing.tokenizer == "char":
        note(
            f"--language {code}: nothing in the package cuts {writing.name} into words, so word metrics count "
            "characters (tokenize=char)."
        )


def mention_recipes(metrics: Iterable[Metric]) -> None:
    """Say which word metrics of one table see which tokens, where these differ though nobody asked for it."""
    steps = {metric: metric.recipe.steps() for metric in metrics if metric.cuts_words}
    differing = [
        option
        for option in TEXT_OPTIONS
        if len({done.get(option) for metric, done in steps.items() if option not in metric.chosen}) > 1
    ]
    groups: dict[str, list[str]] = {}
    for metric, done in steps.items():
        groups.setdefault(", ".join(done[option] for option in done if option in differing), []).append(str(metric))
    if differing:
        listed = "; ".join(f"{', '.join(names)}: {said}" for said, names in groups.items())
        # Who cuts all texts alike keeps the tokens: those of a language are not to be cut by 13a.
        alike = ",".join(f"{option}={spell_value(getattr(_SHARED, option))}" for option in differing)
        note(
            f"Word metrics see different tokens here ({listed}). To hold them against each other, give all of them one "
            f"recipe, such as {'tokenize=13a,lowercase=false' if 'tokenize' in differing else alike}."
        )


def segment_remarks(metrics: Iterable[Metric], counted: Iterable[Statistics] = ()) -> Iterator[str]:
    """How single segments are scored where that is not as a corpus is, once for all metrics that do it alike.

    And how many of those that were ``counted`` are 0 for a reason that is not the translation's.
    """
    listed, counts = list(metrics), list(counted)
    ways: dict[str, list[str]] = {}
    for metric in listed:
        ways.setdefault(metric.segment_scoring() or "", []).append(str(metric))
    yield from (f"Single segments under {', '.join(names)} are scored {way}." for way, names in ways.items() if way)
    for metric in listed:
        of_metric = [one for one in counts if str(one.metric) == str(metric)]
        reasons: dict[str, int] = {}
        for one in of_metric:
            for reason, segments in one.metric.zeros(one.rows).items():
                reasons[reason] = reasons.get(reason, 0) + int(segments.sum())
        total = sum(map(len, of_metric))
        for reason, count in reasons.items():
            if count:
                are = "score of a segment" if total == 1 else "scores of segments"
                yield f"{count:,} of {total:,} {are} under {metric} {'is' if count == 1 else 'are'} 0 {reason}."


def mention_means(counted: Mapping[tuple[str, str], Statistics], campaign: Campaign) -> None:
    """Say of which metrics files have other scores for whole systems than the means of segments that are shown."""
    others: dict[str, None] = {}
    for (system, metric), statistics in counted.items():
        given = campaign.scores[metric].systems if isinstance(statistics.metric, GivenScores) else None
        score = math.nan if given is None else given.get(system, math.nan)
        # Programs print four digits.
        if not (math.isnan(score) or math.isclose(score, statistics.corpus_score(), rel_tol=1e-3, abs_tol=1e-4)):
            others[metric] = None
    if others:
        note(f"{', '.join(others)}: means of segments; for whole systems files have other scores, which meta takes.")


def is_judgements(given: Any, question: Question | type[Question]) -> bool:
    """Whether this is judgements: any file, or, where the question can do without them, one that looks like them."""
    if not isinstance(given, (str, Path)) or is_folder(given):
        return isinstance(given, Judgements)
    if question.needs:
        return True
    from assay.data.conversion import holds_judgements

    return holds_judgements(given)


def _with_judgements(campaign: Campaign, data: Data) -> Campaign:
    if data.judgements:
        texts = campaign if campaign.systems or campaign.references else None
        parts = [
            part
            if isinstance(part, Judgements)
            else read_judgements(part, campaign=texts, judgement_format_name=data.judgement_format)
            for part in data.judgements
        ]
        joined = reduce(Judgements.joined, parts)
        campaign = campaign.with_judgements(joined) if texts else Campaign(joined.origin, {}, {}, human=joined)
    elif data.judgement_format is not None:
        raise InputError("--judgement-format goes with --judgements FILE.")
    if data.weights is not None:
        if campaign.judgements is None or not campaign.judgements.spans:
            raise InputError(
                "--weights scores marked errors, and these judgements have none. Give MQM or ESA judgements."
            )
        campaign = campaign.with_judgements(weighted(campaign.judgements, data.weights))
    return campaign


def _with_scores(campaign: Campaign, data: Data, question: Question) -> tuple[Campaign, tuple[str, ...]]:
    """The campaign with the scores of all files that are named, and the names of those that ``--scores`` gave.

    Files of one metric at several levels are one metric.
    """
    listed = [
        metric
        for file in data.scores
        for metric in ([file] if isinstance(file, ExternalScores) else read_scores(file, campaign))
    ]
    merged = {metric.name: metric for metric in merge(listed)}
    twice = next((name for name in merged if name in campaign.scores), None)
    if twice is not None:
        raise InputError(
            f"{campaign.name} has scores called {twice!r} already, and --scores has others.",
            f"Name them apart, or leave --scores out: -m {twice} takes the campaign's.",
        )
    files = {
        str(metric): _of_file(metric, campaign)
        for metric in question.named_metrics()
        if isinstance(metric, GivenScores) and metric.path is not None
    }
    known: dict[str, Callable[[], ExternalScores]] = {
        name: partial(_given, given, name, name in data.scores_lower)
        for given in (campaign.scores, merged, files)
        for name in given
    }
    for name in data.scores_lower:
        if name not in known:
            raise UnknownName.of("metric with scores", name, known)
    # Where there is nothing else, all scores are meant, unless somebody names some.
    metrics = getattr(question, "metrics", ())
    everything = not campaign.has_texts and (not metrics or isinstance(metrics, Usual))
    own = [name for name in question.named_scores(campaign.scores) if name not in merged]
    names = tuple(known) if everything else (*merged, *own)
    return (replace(campaign, scores=Lazily(known)) if known else campaign), names


def _given(given: Mapping[str, ExternalScores], name: str, lower: bool) -> ExternalScores:
    """Scores by their name, of which somebody may say that lower ones are better."""
    return replace(given[name], higher_is_better=False) if lower else given[name]


def _of_file(metric: GivenScores, campaign: Campaign) -> ExternalScores:
    """The scores that ``scores(path=...)`` names."""
    read = {one.name: one for one in read_scores(str(metric.path), campaign, higher_is_better=not metric.lower)}
    if metric.metric is None and len(read) > 1:
        listed = ", ".join(read)
        raise ParameterError(f"{metric}: the file has scores of {listed}. Say which: scores(path=...,metric=NAME).")
    name = next(iter(read)) if metric.metric is None else metric.metric
    if name not in read:
        raise UnknownName.of(f"metric in {metric.path}", name, read)
    return replace(read[name], name=str(metric))


def _with_known_scores(question: Question, asked: Asked) -> Question:
    """The question with all scores looked up that it names, those of ``--scores`` among them."""
    # Of several campaigns one that has them tells; what another lacks is said where it is asked.
    known = ChainMap(*(dict.fromkeys(part.campaign.scores, part.campaign) for part in asked.parts))

    def found(metric: Metric) -> Metric:
        if not isinstance(metric, GivenScores):
            return metric
        name = str(metric)
        if name not in known and not known:
            # It says what there is instead.
            named_metric(name)
        if name not in known:
            raise UnknownName.of("metric", name, [*metric_names(), *known])
        given = known[name].given(name)
        return metric.resolved_by(higher_is_better=given.higher_is_better, digest=given.digest, largest=given.largest)

    given = [GivenScores(named=name) for name in asked.score_names]
    question = question.with_scores(given).with_metrics(found)
    names = [str(metric) for metric in question.named_metrics()]
    twice = next((name for name in names if name in known and names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"Two metrics are called {twice!r}. Rename one of them.")
    return question


def _judged(campaign: Campaign) -> int:
    return 0 if campaign.judgements is None else len(campaign.judgements)


@contextmanager
def remarks(*, again: bool = True) -> Iterator[list[Remark]]:
    """A list that has, in the end, each remark that was made on the way; with ``again`` the caller is warned, too."""
    caught: list[warnings.WarningMessage] = []
    said: list[Remark] = []
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("ignore")
            warnings.simplefilter("always", AssayWarning)
            yield said
    finally:
        # An error may follow from what was remarked before.
        levels = {str(warning.message): getattr(warning.message, "level", "note") for warning in caught}
        said += [Remark(text, level) for text, level in levels.items()]
        for remark in said if again else ():
            warnings.warn(AssayWarning(str(remark), level=remark.level), stacklevel=4)
