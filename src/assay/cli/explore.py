"""``assay explore``: everything about a campaign in a browser, alive until Control-C or the terminal ends it."""

from __future__ import annotations

import os
import shlex
import signal
import threading
import warnings
import webbrowser
from dataclasses import replace
from inspect import cleandoc
from pathlib import Path
from typing import Any

import click

from assay.cli.asking import chosen, parameters
from assay.cli.output import notes
from assay.cli.progress import progress
from assay.data.files import reading_up_to
from assay.errors import AssayWarning, InputError, MissingExtra
from assay.explorer.session import Explore, Session, is_answer
from assay.questions.base import Question
from assay.store.folder import is_store

#: Options of printing that have no meaning here.
_UNMEANT = ("figure", "picture", "style", "path", "table", "cite", "signatures", "width", "guard_formulas", "no_color")
#: Seconds between two looks at whether the terminal is still there.
_PAUSE = 0.5


def _explore(**typed: Any) -> int:
    try:
        import starlette  # noqa: F401 - what the server is made of has to be there before anything is counted
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise MissingExtra.of("assay explore", "explore") from error
    inputs = typed["inputs"]
    with notes(typed["quiet"]):
        if len(inputs) == 1 and (is_answer(inputs[0]) or is_store(Path(inputs[0]))):
            # Neither is a campaign: there are no defaults beside it, and no other files.
            question, _, data, _ = chosen(Explore, {**typed, "inputs": ()})
            given: Any = inputs[0]
        else:
            question, texts, data, _ = chosen(Explore, typed)
            given = texts
            if not texts.inputs and not texts.is_judged:
                raise InputError("Nothing to explore. Give a campaign folder, a store, or an answer: RESULT.json.")
        with progress(Question.working, typed["quiet"]) as report, reading_up_to(data.largest):
            session = Session.open(question, given, replace(data, config=None), report)
        session.command = shlex.join(["assay", "explore", *map(str, inputs)])
        ended = _Ended()
    return _shown(question, session, ended, quiet=bool(typed["quiet"]))


def _shown(question: Explore, session: Session, ended: _Ended, *, quiet: bool) -> int:
    """Show it until somebody ends it; given back is the exit code."""
    from assay.explorer.server import Explorer

    # What questions remark stands in their answers.
    warnings.simplefilter("ignore", AssayWarning)
    with Explorer(session, host=question.host, port=question.port) as explorer:
        if question.port not in (0, explorer.port) and not quiet:
            click.echo(f"Note: port {question.port} is in use; this is the next free one.", err=True)
        click.echo(f"Assay explorer: {explorer.url}")
        if not quiet:
            click.echo("Control-C ends it.", err=True)
        session.ask_usual()
        if not question.no_browser:
            threading.Thread(target=webbrowser.open, args=(explorer.url,), daemon=True).start()
        return ended.wait()


class _Ended:
    """Hears Control-C, and the end of the terminal or of whoever started this."""

    def __init__(self) -> None:
        self._happened, self._code = threading.Event(), 0
        self._parent = os.getppid()
        self._hears_hang_up = False
        for name in ("SIGHUP", "SIGTERM"):
            number = getattr(signal, name, None)
            # What nohup has asked to be ignored stays ignored.
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._end)
                self._hears_hang_up |= name == "SIGHUP"

    def _end(self, number: int, _: Any) -> None:
        self._code = 128 + number
        self._happened.set()

    def wait(self) -> int:
        """The exit code, once it has ended: 0 after Control-C, which is how one ends it."""
        try:
            while not self._happened.wait(_PAUSE):
                # Whoever started this is gone without a word.
                if self._hears_hang_up and os.getppid() != self._parent:
                    break
        except KeyboardInterrupt:
            return 0
        return self._code


def _parameters() -> list[click.Parameter]:
    listed = [one for one in parameters(Explore) if one.name not in _UNMEANT]
    for one in listed:
        if one.name == "inputs":
            one.metavar = "CAMPAIGN... | STORE | RESULT.json"
    return listed


explore = click.Command(
    "explore",
    context_settings={"obj": Explore},
    callback=_explore,
    params=_parameters(),
    help=cleandoc(Explore.__doc__ or "").replace("assay explore .assay", "assay explore campaign/.assay"),
    short_help="See it in a browser, from the numbers down to every sentence.",
)
