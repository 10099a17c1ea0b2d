"""What an explorer shows while it is open: campaigns with their rows, answers, jobs, a store, and what people add."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from assay.data.campaign import Campaign, only
from assay.data.external import merge
from assay.data.files import is_folder, read_bytes, read_lines, reading_up_to
from assay.data.formats import read
from assay.data.formats.judgements import read_judgements
from assay.data.formats.scores import read_scores
from assay.errors import AssayError, AssayWarning, InputError, ParameterError, UnknownName, counted, shown
from assay.explorer.findings import findings
from assay.explorer.forms import LIMITS, asked_for, check_recorded, forms, named_question, read_metrics
from assay.explorer.jobs import Job, Jobs, Slow
from assay.explorer.kept import Small, campaigns_of, described_run, runs_of
from assay.explorer.packing import Shown, manifest_of, result_body, result_entry, shown_of
from assay.explorer.queries import Queries
from assay.explorer.rows import ChosenRows, Grid
from assay.metrics.base import Metric
from assay.metrics.given import GivenScores
from assay.metrics.registry import DEFAULT_METRICS, metric_names
from assay.metrics.registry import metric as named_metric
from assay.questions.agreement import Agreement
from assay.questions.asked import REFUSALS, Asked, Data, ask, opened
from assay.questions.base import Campaigns, Question, metrics_option, option
from assay.questions.compare import Compare
from assay.questions.describe import Describe
from assay.questions.explain import Explain
from assay.questions.inputs import Inputs
from assay.questions.kept.base import typed_again
from assay.questions.kept.diff import Diff
from assay.questions.kept.history import History
from assay.questions.kept.rerun import Rerun
from assay.questions.meta import Meta
from assay.questions.score import Score
from assay.results.result import Result
from assay.scoring.evaluate import Counted, Progress, RowMemory
from assay.store.folder import NAME, Run, Store, is_store

#: Rows of larger campaigns are counted and packed one metric of one system after the other.
_LARGE_ROWS = 200_000
#: Usual questions are asked at once of campaigns with so many segments at most.
_ASKED_AT_ONCE = 50_000
#: How much may be added from a page: bytes of one file, and files.
UPLOAD, UPLOADS = 64_000_000, 50
#: Of so many segments searching takes a while, and what relates all of them; and what else takes but a moment.
_MANY, _QUICK = 20_000, ("scores", "groups", "segments", "distribution", "raters")
#: So many bytes come of an added file that is compressed, and so many answers of questions are remembered.
_UNPACKED, _MOST_ANSWERS = 500_000_000, 200
#: Seconds until files are looked at again.
_FRESH = 0.5
#: Names that a page gives to systems, references, kinds of scores and campaigns.
_NAME = re.compile(r"[\w.@+ -]{1,100}")


class Forgotten(UnknownName):
    """Something that was there, or never was."""


@dataclass(frozen=True, kw_only=True)
class Explore(Question):
    """See it: systems, segments, metrics and people in a browser, from the numbers down to every sentence.

      assay explore campaign/

      assay explore campaign/ -m bleu,chrf,ter --port 8080

      assay explore .assay

      assay explore result.json

    Every number follows the filter, and leads to its sentences. With a store, answers, notes and slices are kept. The
    server listens to this machine alone, unless --host says otherwise; Control-C ends it.
    """

    name: ClassVar[str] = "explore"
    question: ClassVar[str] = "What is there to see?"
    takes: ClassVar[tuple[str, ...]] = ("texts", "metrics", "judgements", "scores", "layers", "units")
    needs_texts: ClassVar[bool] = False
    needs: ClassVar[Mapping[str, int]] = {}
    campaigns: ClassVar[Campaigns] = "together"
    working: ClassVar[str] = "Counting"

    metrics: tuple[Metric, ...] = metrics_option(
        DEFAULT_METRICS, "bleu, 'bleu(order=2)', bleu,chrf ...; see assay metrics.", scores=True
    )
    samples: int = option(1000, "Bootstrap samples, for intervals.", metavar="N", least=2, most=100_000)
    port: int = option(8765, "Where it listens, or the next free one; 0 for any.", metavar="N", least=0, most=65_535)
    host: str = option("127.0.0.1", "Another than this machine needs a token, which is printed.", metavar="ADDRESS")
    no_browser: bool = option(False, "Open no browser.")

    def scores_all(self, data: Data) -> bool:
        return False

    def answer(self, asked: Asked) -> Result:
        raise ParameterError("An explorer is opened, not answered: assay explore CAMPAIGN.")


_DRAWING = threading.Lock()


@dataclass(eq=False)
class _Answer:
    """An answer that a page may look at: what the manifest says of it, and what gives it."""

    entry: dict[str, Any]
    read: Callable[[], Result] = field(repr=False)
    _body: dict[str, Any] | None = field(default=None, repr=False)

    def body(self) -> dict[str, Any]:
        """The whole of it, with its figures drawn."""
        # Figures are drawn once, by one who draws at a time.
        with _DRAWING:
            if self._body is None:
                self._body = result_body(self.read())
            return self._body


class Session:
    """Everything that one explorer has."""

    def __init__(
        self,
        shown_ones: Sequence[Shown] = (),
        *,
        data: Data | None = None,
        metrics: Sequence[Metric] = (),
        samples: int = 1000,
        store: Store | None = None,
        paths: Iterable[str | Path] = (),
        command: str = "assay explore",
    ) -> None:
        self.data = data or Data()
        self.metrics, self.samples, self.store, self.command = tuple(metrics), samples, store, command
        self.queries = [Queries(one) for one in shown_ones]
        for one in self.queries:
            one.prepare()
        self.answers: dict[str, _Answer] = {}
        self.jobs, self.slow, self.searching = Jobs(), Slow(), Slow()
        self.notes = Small("notes", "id", store)
        self.slices = Small("slices", "name", store)
        self.unanswered: list[dict[str, Any]] = []
        self._usual: dict[int, dict[str, Result]] = {}
        #: Jobs whose answers the first page rests on.
        self._usual_jobs: set[str] = set()
        self._uploads = 0
        self._folder: Path | None = None
        self._lock = threading.Lock()
        self._files = {str(path): _state(Path(path)) for path in paths}
        self._stale: str | None = None
        self._looked = 0.0
        for run in runs_of(store)[:200] if store is not None else ():
            self._add_run(run)

    # Opening

    @classmethod
    def open(cls, question: Explore, given: Any, data: Data, progress: Progress | None = None) -> Session:
        """A session of campaigns, of a store, or of a file with a result."""
        listed = list(given) if isinstance(given, (list, tuple)) else [given]
        paths = (
            [one for one in listed if isinstance(one, (str, Path))]
            if not isinstance(given, Inputs)
            else [*given.inputs]
        )
        # Many modules have to be loaded for the forms of all questions: that is done beside the counting.
        threading.Thread(target=_forms, name="assay forms", daemon=True).start()
        how: dict[str, Any] = {"metrics": question.metrics, "samples": question.samples}
        if len(paths) == 1 and is_answer(paths[0]):
            session = cls(data=data, **how, paths=paths)
            session.add_result(Result.from_json(read_bytes(str(paths[0])), str(paths[0])), str(paths[0]))
            return session
        if len(paths) == 1 and is_store(Path(paths[0])):
            store = Store(str(paths[0]))
            campaigns = list(campaigns_of(store))
            made = [
                _counted(
                    question,
                    opened(question, one, data, None, _unkept()),
                    number,
                    progress=part(progress, number, len(campaigns)),
                )
                for number, one in enumerate(campaigns)
            ]
            return cls(made, data=replace(data, store=str(store.path)), **how, store=store)
        folders = [Path(path) for path in paths if is_folder(path)]
        beside = _store_of(data, folders)
        asked = opened(question, given, data, None, _unkept())
        _require_known(question.metrics, asked)
        shown_ones = [
            _counted(
                question,
                one,
                number,
                inputs=asked.inputs,
                several=len(asked.parts),
                progress=part(progress, number, len(asked.parts)),
            )
            for number, one in enumerate(asked.parts)
        ]
        files = [one for one in (*data.judgements, *data.scores) if isinstance(one, (str, Path))]
        return cls(shown_ones, data=data, **how, store=beside, paths=[*paths, *files])

    def ask_usual(self) -> None:
        """Put the questions of the first page into the queue: what there is, scores, tests, people."""
        for number, one in enumerate(self.queries):
            if len(one) <= _ASKED_AT_ONCE:
                for question in self._usual_questions(one.shown):
                    self._add_job(question, replace(self._data_for(), no_store=True), number, {}, usual=True)

    def _usual_questions(self, one: Shown) -> Iterator[Question]:
        judgements = one.asked.campaign.judgements
        kinds = () if judgements is None else judgements.kinds
        yield Describe()
        if one.metrics:
            yield Score(metrics=one.metrics, samples=self.samples)
        if one.metrics and len(one.systems) > 1:
            yield Compare(metrics=one.metrics, samples=self.samples)
        if kinds:
            yield from [Meta(metrics=one.metrics, kind=kinds, samples=self.samples)] if one.metrics else []
            yield Agreement(kind=kinds, samples=self.samples)

    def close(self) -> None:
        """Give up jobs, and remove what was uploaded."""
        self.jobs.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    # What a page is told

    @property
    def title(self) -> str:
        """What it is about."""
        names = [one.campaign.name for one in self.queries]
        if not names:
            names = list(dict.fromkeys(str(one.entry["title"]) for one in self.answers.values()))[:3]
        return f"Assay: {', '.join(names)}" if names else "Assay"

    def manifest(self) -> dict[str, Any]:
        """All that a page knows at once."""
        # First: of what is not preparing any more the answers are there.
        preparing = [job.id for job in self.jobs.listed() if job.about.get("usual") and not _has_ended(job)]
        made = manifest_of(
            [one.shown for one in self.queries],
            transport="server",
            title=self.title,
            results=[one.entry for one in [*self.answers.values()]],
            unanswered=self.unanswered,
            questions=self.questions(),
        )
        kept = "store" if self.store is not None and self.store.writable else "memory"
        return made | {
            "can": {
                "ask": bool(self.queries), "explain": any(one.campaign.has_texts for one in self.queries),
                "upload": True, "notes": kept, "slices": kept, "runs": self.store is not None, "search": True,
            },
            "store": None if self.store is None else {"path": str(self.store.path), "writable": self.store.writable},
            "findings": list(self._findings()),
            "preparing": preparing,
            "stale": self.stale(),
            "limits": {**LIMITS, "upload": UPLOAD, "uploads": UPLOADS, "jobs": 20},
            "command": self.command,
        }  # fmt: skip

    def _findings(self) -> Iterator[str]:
        for number, one in enumerate(self.queries):
            sentences = list(findings(one.shown, self._usual.get(number, {})))
            several = len(self.queries) > 1
            yield from (f"{one.campaign.name}: {text}" if several and place else text for place, text in
                        enumerate(sentences))  # fmt: skip

    def questions(self) -> list[dict[str, Any]]:
        """The forms of all questions, with why a campaign has no answer to one."""
        if not self.queries:
            return []
        return _forms()

    def stale(self) -> str | None:
        """What is to be said if a file has changed since it was read."""
        now = time.monotonic()
        if self._stale is None and now - self._looked > _FRESH:
            self._looked = now
            changed = [path for path, state in self._files.items() if _state(Path(path)) != state]
            if changed:
                self._stale = f"{', '.join(changed)} has changed since it was read. What is shown is as it was then; "
                self._stale += "start the explorer again to see what is there now."
        return self._stale

    def campaign(self, number: Any) -> Queries:
        """A campaign by its number."""
        if type(number) is not int or not 0 <= number < len(self.queries):
            raise UnknownName.of("campaign", str(number), map(str, range(len(self.queries))))
        return self.queries[number]

    def query(self, number: int, name: str, options: Any) -> dict[str, Any]:
        """The answer of a query; of long ones how far it is."""
        if not isinstance(options, Mapping):
            raise ParameterError(f"A query takes an object, not {shown(options)}.")
        queries = self.campaign(number)
        if not _is_long(queries, name, options):
            return queries.ask(name, options)
        key = (number, id(queries), name, json.dumps(options, sort_keys=True))
        # Who searches does not wait for intervals.
        slow = self.searching if name in _QUICK else self.slow
        return slow.of(key, lambda progress: queries.ask(name, options, progress))

    def result(self, name: str) -> dict[str, Any]:
        """An answer by its id."""
        if name not in self.answers:
            raise Forgotten(f"There is no answer {shown(name)}; it may have been forgotten.")
        return self.answers[name].body()

    def add_result(self, result: Result, origin: str) -> None:
        """An answer that a file holds."""
        name = f"file-{len(self.answers)}"
        self.answers[name] = _Answer(result_entry(result, None, name, f"assay show {origin}"), lambda: result)

    def _add_run(self, run: Run) -> None:
        document, name = run.record["result"], f"run-{run.id}"
        if name in self.answers or document["command"] == "explore":
            return
        known = [one.campaign.name for one in self.queries]
        campaign = document.get("campaign")
        about = Result(
            run.question, {"": []}, campaign=campaign,
            command=document["command"] if document["command"] in ("study", "paper") else "",
        )  # fmt: skip
        entry = result_entry(about, known.index(campaign) if campaign in known else None, name, None)
        inputs = (run.record.get("asked") or {}).get("inputs")
        command = typed_again(document, inputs) if inputs else None
        moment = datetime.fromisoformat(run.time).timestamp()
        self.answers[name] = _Answer(entry | {"time": moment, "command": command}, lambda: run.result)

    # Questions

    def explain(self, *, campaign: Any = 0, segment: Any, system: Any, metrics: Any = None) -> dict[str, Any]:
        """Why a segment has its scores."""
        queries = self.campaign(campaign)
        if type(segment) is not int or not 0 <= segment < len(queries):
            raise InputError(f"Segment {shown(segment)} is not there: {queries.campaign.name} has {len(queries):,}.")
        if not isinstance(system, str) or system not in queries.campaign.systems:
            raise UnknownName.of("system", str(system), queries.campaign.systems)
        named = [*queries.metrics] if metrics is None else metrics
        if not isinstance(named, list) or not all(isinstance(one, str) for one in named):
            raise ParameterError(f"metrics is {shown(metrics)}, but it takes a list of metrics.")
        known = {name: queries.grid.about((system, name), "metric") for name in queries.metrics}
        names = queries.campaign.segments
        is_named = names is not None and names.count(names[segment]) == 1
        whole = queries.campaign if is_named else replace(queries.campaign, segments=None)
        place = names[segment] if names is not None and is_named else str(segment)
        figures: list[dict[str, Any]] = []
        tables: dict[str, list[dict[str, Any]]] = {}
        refused = []
        for metric in read_metrics(named, known):
            try:
                question = Explain(metrics=(metric,), system=system, segment=place)
                result = ask(question, whole, replace(self._data_for(), no_store=True))
            except AssayError as error:
                refused.append({"metric": str(metric), "error": str(error)})
                continue
            for figure in result_body(result)["figures"]:
                figures.append({"metric": str(metric), **figure, "text": result.figures[0].to_text()})
            for name, rows in result.tables.items():
                tables.setdefault(name, []).extend(rows)
        return {"figures": figures, "tables": tables, "errors": refused}

    def _data_for(self) -> Data:
        """The choices of data for questions about campaigns that were read already."""
        data = self.data
        return replace(
            data, judgements=(), judgement_format=None, weights=None, scores=(), layers=(), scores_lower=(), where=(),
            config=None, skip_empty_references=False,
            store=None if self.store is None else str(self.store.path), no_store=data.no_store or self.store is None,
        )  # fmt: skip

    def ask(
        self,
        *,
        campaign: Any = 0,
        question: Any = "",
        study: Any = None,
        paper: Any = None,
        options: Any = None,
        filter: Any = None,
        named: Any = None,
    ) -> Job:
        """Put a question into the queue, about what a filter keeps."""
        self.campaign(campaign)
        asked, data = asked_for(named_question(question, study, paper), options or {}, self._data_for())
        if named is not None and not isinstance(named, str):
            raise ParameterError(f"named is {shown(named)}, but it takes the name of a slice.")
        return self._add_job(asked, data, campaign, filter, named=named)

    def _add_job(
        self, question: Question, data: Data, number: int, chosen: Any, *, named: str | None = None, usual: bool = False
    ) -> Job:
        queries = self.campaign(number)
        kept = queries.kept(chosen)
        if not len(kept):
            raise InputError("No segment is left under this filter, so there is nothing to ask about.")
        asked = queries.shown.asked.campaign
        conditions = queries.conditions(chosen)
        said = None
        if kept.everything:
            conditions = ()
        elif conditions is None:
            asked = only(asked, kept.places)
            said = f"Asked of {counted(len(kept), 'segment')} of {len(queries):,}, which a filter of the page chose."
        data = replace(data, where=conditions or ())
        # Conditions are looked up in the campaign itself.
        chosen_ones = only(queries.campaign, kept.places) if not kept.everything else queries.campaign
        rows = ChosenRows(queries.grid, queries.campaign, chosen_ones)
        again = None if conditions is None else self._again(queries.shown, named)
        name = f"{question.command} {question.name}".strip()
        # Pages take it for what all segments, metrics and pairs say.
        is_usual = usual or (kept.everything and question in self._usual_questions(queries.shown))

        def work(job: Job) -> str:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", AssayWarning)
                result = ask(question, asked, data, job, counted=Counted(rows=rows), again=again)
            if said is not None:
                result = replace(result, findings=(*result.findings, said))
            command = None if again is None else typed_again(
                {"command": question.command or question.name, question.command: question.name,
                 "options": result.options}, again["inputs"],
            )  # fmt: skip
            entry = result_entry(result, number, job.id, command)
            entry |= {"time": time.time(), "slice": named, "usual": is_usual and self.queries[number] is queries}
            self._remember(job, _Answer(entry, lambda: result))
            if usual and self.queries[number] is queries:
                self._usual.setdefault(number, {})[name] = result
            return job.id

        def guarded(job: Job) -> str:
            try:
                return work(job)
            except AssayError as error:
                if usual and self.queries[number] is queries:
                    self.unanswered.append({"question": name, "campaign": number, "reason": str(error)})
                raise

        title = f"{name}: {queries.campaign.name}"
        return self.jobs.add(guarded, question=question.name, command=name, title=title, usual=usual)

    def _remember(self, job: Job, answer: _Answer) -> None:
        """Keep the answer of a job, and forget the oldest of those that somebody asked for, if there are many."""
        self.answers[job.id] = answer
        asked = [name for name in [*self.answers] if name.startswith("job-") and name not in self._usual_jobs]
        if job.about.get("usual"):
            self._usual_jobs.add(job.id)
        for name in asked[: max(len(asked) - _MOST_ANSWERS, 0)]:
            self.answers.pop(name, None)

    def _again(self, one: Shown, named: str | None) -> dict[str, Any] | None:
        """How a question is asked again of the files that a campaign came from; None where they say too little."""
        data, record = self.data, dict(one.inputs)
        files = (
            data.judgements or data.scores or data.layers or data.where or data.skip_empty_references or data.weights
        )
        if not record or files or data.targeted:
            return None
        here = {"folder": str(Path.cwd()), "config": None, "largest": data.largest}
        return {"inputs": record, **here, **({} if named is None else {"slice": named})}

    def about_job(self, job: Job) -> dict[str, Any]:
        """What a page is told of a job."""
        return {
            "id": job.id, **job.about, "state": job.state, "share": job.share, "said": job.said, "result": job.result,
            "error": job.error, "waiting": self.jobs.before(job),
        }  # fmt: skip

    def job(self, name: str) -> Job:
        """A job by its id."""
        found = self.jobs.find(name)
        if found is None:
            raise Forgotten(f"There is no job {shown(name)}; it may have been forgotten.")
        return found

    # Runs

    def _needed_store(self) -> Store:
        if self.store is None:
            raise InputError("There is no store here.", "Make one: assay store create CAMPAIGN, and start again.")
        return self.store

    def _run(self, name: Any) -> str:
        """The whole name of a run: paths, and parts of names, are none."""
        store = self._needed_store()
        known = name.removeprefix("run-") if isinstance(name, str) else ""
        if known not in {folder.name for folder in store.run_folders()}:
            raise Forgotten(f"There is no run {shown(name)} in this store.")
        return known

    def run_list(self) -> list[dict[str, Any]]:
        """All runs, the newest first; those that came since are answers from now on."""
        listed = []
        for run in runs_of(self._needed_store()):
            self._add_run(run)
            entry = self.answers.get(f"run-{run.id}")
            listed.append(described_run(run, str(entry.entry["title"]) if entry else run.id))
        return listed

    def history(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Runs, and how scores went."""
        store, known = self._needed_store(), {"metrics", "systems", "of", "campaign", "since", "limit"}
        for name in options:
            if name not in known:
                raise UnknownName.of("option of history", str(name), known)
        given: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in options.items()
        }
        return result_body(_quietly(lambda: ask(History(store=str(store.path), **given), ())))

    def diff(self, before: Any, after: Any) -> dict[str, Any]:
        """What moved between two runs."""
        store = self._needed_store()
        question = Diff(store=str(store.path), before=self._run(before), after=self._run(after))
        return result_body(_quietly(lambda: ask(question, ())))

    def rerun(self, run: Any) -> Job:
        """Ask again what a run asked, of the files that it was asked of: those of a campaign that is shown."""
        store, name = self._needed_store(), self._run(run)
        try:
            self._check_files(store.run(name))
        except (AssayError, AttributeError, KeyError, TypeError, ValueError) as error:
            # A store may come from anybody, and what it says was asked may never have been.
            why = f" {error}" if isinstance(error, ParameterError) else ""
            raise InputError(
                f"This run was asked of files that are not shown here, and no others are read for a page.{why}",
                f"Type: assay rerun {name} --store {store.path}",
            ) from None
        question = Rerun(store=str(store.path), run=name)

        def work(job: Job) -> str:
            result = _quietly(lambda: ask(question, (), Data(threads=self.data.threads), job))
            entry = result_entry(result, None, job.id, f"assay rerun {name}")
            self._remember(job, _Answer(entry | {"time": time.time()}, lambda: result))
            return job.id

        return self.jobs.add(work, question="rerun", command="rerun", title=f"rerun: {name}", usual=False)

    def _check_files(self, run: Run) -> None:
        """Refuse a run that reads, or writes, anything but files that are shown."""
        document, record = run.record["result"], run.record.get("asked") or {}
        known, folder = {str(Path(path).absolute()) for path in self._files}, str(record.get("folder", "."))
        inputs = Inputs.recorded(record.get("inputs", {}))
        named = [*inputs.inputs, *inputs.reference_files, *inputs.targeted, *filter(None, [inputs.source])]
        config = record.get("config")
        if config is not None and not {str(Path(_absolute(folder, config)).parent), _absolute(folder, config)} & known:
            named.append(config)
        if not inputs.inputs or not {_absolute(folder, path) for path in named} <= known:
            raise InputError("Other files.")
        shown_metrics = {name for one in self.queries for name in one.metrics}
        check_recorded(document, shown_metrics, lambda path: _absolute(folder, path) in known)

    # Files from a page

    def upload(self, number: int, kind: str, name: str, file: str, content: bytes) -> None:
        """Add a file: to a campaign a system, a reference, scores or judgements; or a campaign."""
        if kind not in _KINDS:
            raise UnknownName.of("kind of file", kind, _KINDS)
        if not _NAME.fullmatch(name) and (name or kind in ("system", "reference")):
            raise ParameterError(f"{shown(name)} is no name: up to 100 letters, digits, blanks and . _ - @ +")
        if len(content) > UPLOAD:
            raise ParameterError(f"{len(content):,} bytes, and {UPLOAD:,} are the most that a page may add.")
        with self._lock:
            if self._uploads >= UPLOADS:
                raise ParameterError(f"{UPLOADS} files were added already. Start the explorer again with them.")
            path = self._written(file, content)
            try:
                with reading_up_to(_UNPACKED):
                    self._add_file(number, kind, name, path)
            except BaseException as error:
                # Nothing is left of what could not be added; and where it lay is nobody's business.
                shutil.rmtree(path.parent, ignore_errors=True)
                if isinstance(error, AssayError):
                    raise InputError(str(error).replace(f"{path.parent}{os.sep}", "")) from None
                raise
            self._uploads += 1

    def _add_file(self, number: int, kind: str, name: str, path: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", AssayWarning)
            if kind == "campaign":
                campaign = replace(read(str(path)), name=name or path.name)
                self._show(len(self.queries), campaign)
            else:
                queries = self.campaign(number)
                whole = queries.shown.asked.campaign
                if whole.places is not None:
                    raise InputError("Segments were chosen here by --where, and files are of all segments.")
                self._show(number, _with_file(whole, kind, name, str(path)))

    def _written(self, file: str, content: bytes) -> Path:
        """The file in a folder of its own, called by its own name, as far as that is harmless."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="assay-explore-"))
        folder = Path(tempfile.mkdtemp(dir=self._folder))
        plain = re.sub(r"[^\w.-]", "_", file)[-100:].lstrip(".")
        # Names of files are measured in bytes; the end says what a file is.
        path = folder / (plain.encode()[-200:].decode(errors="ignore").lstrip(".") or "file.txt")
        path.write_bytes(content)
        return path

    def _show(self, number: int, campaign: Campaign) -> None:
        """Count what is new of a campaign, and show it instead of what it was."""
        question = Explore(metrics=self.metrics, samples=self.samples)
        base = replace(self._data_for(), systems=(), without=(), references=()) if number >= len(
            self.queries
        ) else self._data_for()  # fmt: skip
        known = self.queries[number] if number < len(self.queries) else None
        counted_ones = (
            Counted() if known is None else Counted(rows=ChosenRows(known.grid, known.campaign, known.campaign))
        )
        asked = opened(question, campaign, base, None, counted_ones)
        made = Queries(_counted(question, asked, number))
        made.prepare()
        if known is None:
            self.queries.append(made)
        else:
            self.queries[number] = made
        self._usual.pop(number, None)
        # What was said of the campaign before is no answer about what it is now.
        self.unanswered = [one for one in self.unanswered if one["campaign"] != number]
        for answer in self.answers.values():
            if answer.entry["campaign"] == number:
                answer.entry["usual"] = False
        if len(made) <= _ASKED_AT_ONCE:
            for one in self._usual_questions(made.shown):
                self._add_job(one, replace(self._data_for(), no_store=True), number, {}, usual=True)


_KINDS = ("system", "reference", "scores", "judgements", "campaign")


def _with_file(campaign: Campaign, kind: str, name: str, path: str) -> Campaign:
    """A campaign with one file more."""
    if kind in ("system", "reference"):
        texts, known = read_lines(path), campaign.systems if kind == "system" else campaign.references
        if name in known:
            raise InputError(f"{campaign.name} has a {kind} {name!r} already. Give it another name.")
        if len(campaign) and len(texts) != len(campaign):
            raise InputError(
                f"The file has {counted(len(texts), 'line')}, but {campaign.name} has {len(campaign):,} segments.",
                "Every segment is a line of its own.",
            )
        more = {**known, name: texts}
        return (
            replace(campaign, systems=more)
            if kind == "system"
            else replace(
                campaign,
                references=more,
                targeted=None,  # type: ignore[arg-type]
            )
        )
    if kind == "judgements":
        judgements = read_judgements(path, campaign=campaign if campaign.has_texts else None)
        own = campaign.judgements
        return campaign.with_judgements(judgements if own is None else own.joined(judgements))
    scores = {one.name: one for one in merge(read_scores(path, campaign))}
    twice = next((one for one in scores if one in campaign.scores), None)
    if twice is not None:
        raise InputError(f"{campaign.name} has scores called {twice!r} already. Call the metric something else.")
    return replace(campaign, scores={**{one: campaign.scores[one] for one in campaign.scores}, **scores})


def _counted(
    question: Explore,
    asked: Asked,
    number: int,
    *,
    inputs: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
    several: int = 1,
) -> Shown:
    """A campaign, counted, with its rows packed; of large ones one system after the other, so that few are unpacked."""
    if inputs is not None and several > 1:
        paths = inputs.get("inputs", ())
        inputs = {**inputs, "inputs": [paths[number]]} if len(paths) == several else None
    asked = replace(asked, campaigns=(_lean(asked.campaign),), several=(), is_part=False, inputs=inputs)
    metrics, grid = _metrics_of(question, asked), Grid({})
    is_large = len(asked.campaign) > _LARGE_ROWS
    (one,) = shown_of(replace(asked, progress=progress), [] if is_large else metrics, question.samples)
    grid.add(one.counted)
    refused = dict(one.refused)
    corpora = one.campaign.corpora() if is_large and metrics else {}
    tasks = [(metric, system) for metric in metrics for system in corpora]
    for done, (metric, system) in enumerate(tasks):
        if str(metric) not in refused:
            try:
                grid.add(asked.count([metric], {system: corpora[system]}, part(progress, done, len(tasks))))
            except REFUSALS as error:
                refused[str(metric)] = str(error)
    kept = tuple(metric for metric in metrics if str(metric) not in refused)
    made = replace(one, index=number, metrics=kept, counted=grid, refused=refused)
    # Before anybody waits for the page: it takes the rows of all segments.
    _ = made.pair
    return made


def _require_known(metrics: Iterable[Metric], asked: Asked) -> None:
    """Refuse names that are neither metrics nor scores of any campaign."""
    known = {name for one in asked.parts for name in one.campaign.scores}
    for metric in metrics:
        if isinstance(metric, GivenScores) and str(metric) not in known:
            # What no metric is called says what there is.
            named_metric(str(metric))
            raise UnknownName.of("metric", str(metric), [*metric_names(), *known])


@lru_cache(maxsize=1)
def _made_forms() -> list[dict[str, Any]]:
    return forms()


def _forms() -> list[dict[str, Any]]:
    """The forms of all questions, made once."""
    with _making_forms:
        return _made_forms()


_making_forms = threading.Lock()


def _unkept() -> Counted:
    """Rows are packed as soon as they are counted, and not kept beside that."""
    return Counted(rows=RowMemory(limit=0))


def _lean(campaign: Campaign) -> Campaign:
    """The same campaign, in which a name that comes again and again is in memory once."""
    known: dict[str, str] = {}

    def shared(names: tuple[str, ...] | None) -> tuple[str, ...] | None:
        return None if names is None else tuple(known.setdefault(name, name) for name in names)

    return replace(campaign, documents=shared(campaign.documents), domains=shared(campaign.domains))


def _metrics_of(question: Explore, asked: Asked) -> list[Metric]:
    """The metrics that were chosen, and the scores of the campaign that other programs gave."""
    campaign = asked.campaign
    listed = question.metrics
    if asked.data.language is not None:
        listed = asked.in_language(listed)
    named = [*asked.score_names, *(name for name in campaign.scores if name not in asked.score_names)]
    metrics: list[Metric] = [one for one in listed if not isinstance(one, GivenScores)]
    for metric in [
        *(one for one in listed if isinstance(one, GivenScores)),
        *(GivenScores(named=one) for one in named),
    ]:
        if str(metric) in campaign.scores and str(metric) not in map(str, metrics):
            given = campaign.scores[str(metric)]
            if given.segments is not None:
                metrics.append(
                    metric.resolved_by(
                        higher_is_better=given.higher_is_better, digest=given.digest, largest=given.largest
                    )
                )
    return metrics if campaign.has_texts else [one for one in metrics if isinstance(one, GivenScores)]


def part(progress: Progress | None, number: int, of: int) -> Progress | None:
    """The part of a progress that one of several has."""
    return None if progress is None else lambda share: progress((number + share) / of)


def _store_of(data: Data, folders: Sequence[Path]) -> Store | None:
    """The store that was named; else the one beside the first campaign that has one."""
    if data.no_store:
        return None
    if data.store is not None:
        return Store(data.store)
    beside = next((folder / NAME for folder in folders if is_store(folder / NAME)), None)
    return None if beside is None else Store(beside)


def is_answer(path: str | Path) -> bool:
    """Whether this is a file with an answer, and no campaign."""
    return str(path).lower().endswith(".json") and Path(path).is_file()


def _state(path: Path) -> tuple[Any, ...]:
    """What changes when a file, or one in a folder, is written."""
    try:
        if not path.is_dir():
            own = path.stat()
            return own.st_mtime_ns, own.st_size
        files = [(entry.name, entry.stat()) for entry in os.scandir(path) if entry.is_file()]
    except OSError:
        return ()
    return tuple(sorted((name, own.st_mtime_ns, own.st_size) for name, own in files))


def _absolute(folder: str, path: str) -> str:
    return str((Path(folder) / path).absolute())


def _is_long(queries: Queries, name: str, options: Mapping[str, Any]) -> bool:
    """Whether a query takes so long that nobody waits for it in one request."""
    if name == "intervals" or (name == "deltas" and options.get("intervals")):
        return queries.is_long(options)
    many = len(queries) > _MANY
    if many and name in _QUICK:
        return not queries.has_searched(options.get("filter"))
    return many and (name == "ngrams" or (name == "points" and options.get("level", "segment") == "segment"))


def _has_ended(job: Job) -> bool:
    return job.state not in ("waiting", "running")


def _quietly(work: Callable[[], Result]) -> Result:
    """An answer whose remarks are in it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssayWarning)
        return work()
