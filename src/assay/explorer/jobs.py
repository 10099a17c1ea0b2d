"""Work that takes longer than anybody waits for: in a queue, one after the other, with progress and cancel."""

from __future__ import annotations

import queue
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from assay.errors import AssayError, ParameterError

_State = Literal["waiting", "running", "done", "failed", "cancelled"]

#: So many may wait, and so many that ended are remembered.
MOST_WAITING, _MOST_ENDED = 20, 200


class Cancelled(BaseException):
    """Nobody wants the answer any more: raised where work tells how far it is. No error that a question could catch."""


@dataclass(eq=False)
class Job:
    """A question that is asked, from the time when somebody asks until its answer is no longer remembered."""

    id: str
    about: dict[str, Any]
    #: None once it has ended: what it was about need not be in memory for that long.
    work: Callable[[Job], Any] | None = field(repr=False)
    state: _State = "waiting"
    share: float = 0.0
    work_said: str = ""
    started: float = 0.0
    result: Any = None
    error: str | None = None
    is_cancelled: threading.Event = field(default_factory=threading.Event, repr=False)

    def __call__(self, share: float) -> None:
        """Take down the share that is done; the work is given up here if nobody wants it any more."""
        if self.is_cancelled.is_set():
            raise Cancelled
        self.share = min(max(share, self.share), 1.0)

    def announce(self, work: str) -> None:
        """Take down what there is to do."""
        self.work_said = work

    @property
    def said(self) -> str:
        """How far it is, in words."""
        if self.state != "running":
            return {"waiting": "Waiting", "done": "Done", "failed": "Failed", "cancelled": "Cancelled"}[self.state]
        seconds = round(time.monotonic() - self.started)
        passed = f"{seconds // 60}:{seconds % 60:02}"
        return " · ".join(filter(None, [f"{100 * self.share:.0f} %", passed, self.work_said]))


class Jobs:
    """All jobs; a thread works on one at a time."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._waiting: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="assay jobs", daemon=True)
        self._thread.start()

    def add(self, work: Callable[[Job], Any], **about: Any) -> Job:
        """Put something into the queue."""
        with self._lock:
            # What pages ask by themselves of many campaigns is nobody's to cancel.
            waiting = sum(job.state == "waiting" and not job.about.get("usual") for job in self._jobs.values())
            if waiting >= MOST_WAITING and not about.get("usual"):
                raise ParameterError(f"{waiting} questions are waiting already. Cancel some, or wait.")
            job = Job(f"job-{secrets.token_hex(4)}", about, work)
            self._jobs[job.id] = job
            ended = [one.id for one in self._jobs.values() if one.state not in ("waiting", "running")]
            for one in ended[: max(len(ended) - _MOST_ENDED, 0)]:
                del self._jobs[one]
        self._waiting.put(job)
        return job

    def find(self, name: str) -> Job | None:
        """A job by its id."""
        return self._jobs.get(name)

    def listed(self) -> list[Job]:
        """All that are remembered, the newest last."""
        with self._lock:
            return list(self._jobs.values())

    def before(self, job: Job) -> int:
        """How many come before one that waits."""
        listed = self.listed()
        if job.state != "waiting":
            return 0
        return sum(one.state in ("waiting", "running") for one in listed[: listed.index(job)])

    def cancel(self, job: Job) -> None:
        """Give up a job that has not ended; one that is worked on ends where it next tells how far it is."""
        with self._lock:
            job.is_cancelled.set()
            if job.state == "waiting":
                job.state, job.work = "cancelled", None

    def close(self) -> None:
        """Give up all of them."""
        for job in self.listed():
            if job.state in ("waiting", "running"):
                self.cancel(job)
        self._waiting.put(None)

    def _run(self) -> None:
        while (job := self._waiting.get()) is not None:
            self._work_on(job)

    def _work_on(self, job: Job) -> None:
        with self._lock:
            work, job.work = job.work, None
            if job.state != "waiting" or work is None:
                return
            job.state, job.started = "running", time.monotonic()
        job.result, job.error, job.state = _ended(job, work)
        job.share = 1.0 if job.state == "done" else job.share


def _ended(job: Job, work: Callable[[Job], Any]) -> tuple[Any, str | None, _State]:
    """What becomes of a job: its result, what went wrong, and the state it ends in."""
    try:
        result = work(job)
    except Cancelled:
        return None, None, "cancelled"
    except AssayError as error:
        return None, str(error), "failed"
    except MemoryError:
        return None, "Not enough memory. Ask of fewer metrics or systems, or draw fewer samples.", "failed"
    except Exception as error:
        return None, f"An error of Assay itself ({type(error).__name__}: {error}).", "failed"
    return (None, None, "cancelled") if job.is_cancelled.is_set() else (result, None, "done")


@dataclass(eq=False)
class Slow:
    """Answers that take longer than a request should, such as intervals of a million segments.

    Who asks waits a moment, and asks again for what is not there yet. What nobody asks for any more is given up.
    """

    #: Seconds that a request waits, and after which nobody seems to want the answer.
    patience: float = 0.15
    forgotten: float = 20.0
    _asked: OrderedDict[Any, _Asked] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _turn: threading.Lock = field(default_factory=threading.Lock)

    def of(self, key: Any, work: Callable[[Callable[[float], None]], dict[str, Any]]) -> dict[str, Any]:
        """The answer, or how far it is: ``pending`` and ``share``."""
        with self._lock:
            now = time.monotonic()
            for old in [old for old, one in self._asked.items() if now - one.wanted > self.forgotten]:
                if self._asked[old].done.is_set():
                    del self._asked[old]
            asked = self._asked.get(key)
            if asked is None and len(self._asked) >= MOST_WAITING:
                raise ParameterError(f"{len(self._asked)} long queries are waiting already. Ask again later.")
            if asked is None:
                asked = self._asked[key] = _Asked(now)
                threading.Thread(target=self._answer, args=(asked, work), name="assay query", daemon=True).start()
            asked.wanted = now
        asked.done.wait(self.patience)
        if not asked.done.is_set():
            return {"pending": True, "share": asked.share}
        with self._lock:
            self._asked.pop(key, None)
        if asked.error is not None:
            raise asked.error
        return asked.answer

    def _answer(self, asked: _Asked, work: Callable[[Callable[[float], None]], dict[str, Any]]) -> None:
        def progress(share: float) -> None:
            asked.share = share
            if time.monotonic() - asked.wanted > self.forgotten:
                raise Cancelled

        try:
            with self._turn:
                progress(0.0)
                asked.answer = work(progress)
        except Cancelled:
            with self._lock:
                for key in [key for key, one in self._asked.items() if one is asked]:
                    del self._asked[key]
            asked.error = ParameterError("Nobody asked for this any more. Ask again.")
        except Exception as error:
            asked.error = error
        asked.done.set()


@dataclass(eq=False)
class _Asked:
    #: When somebody last asked.
    wanted: float
    share: float = 0.0
    done: threading.Event = field(default_factory=threading.Event)
    answer: dict[str, Any] = field(default_factory=dict)
    error: Exception | None = None
