"""Progress bars: when they come, what they say, and that nothing of them is left. No test waits for time."""

import io
import re
import sys
import threading
from contextlib import nullcontext
from itertools import chain, repeat

import pytest

from assay.cli import progress as module
from assay.cli.progress import Bar, progress


class Terminal(io.StringIO):
    encoding = ""

    def isatty(self):
        return True


class Moments:
    """An event that is waited for some moments in vain, and then set: the clock of a bar."""

    def __init__(self, count):
        self.waited, self.answers, self.begun = [], chain(repeat(False, count), repeat(True)), threading.Event()

    def wait(self, seconds):
        self.begun.wait()
        self.waited.append(seconds)
        return next(self.answers)

    def set(self):
        pass


@pytest.fixture
def shown(monkeypatch):
    """What a terminal gets for work that takes so many moments, and how long these are."""

    def call(moments, *, used=0.0, share=0.0, error=None, term="xterm", encoding="utf-8"):
        event, terminal = Moments(moments), Terminal()
        terminal.encoding = encoding
        monkeypatch.setattr(module, "Event", lambda: event)
        monkeypatch.setattr(module.time, "process_time", lambda: used)
        monkeypatch.setenv("TERM", term)
        with monkeypatch.context() as patch, nullcontext() if error is None else pytest.raises(error):
            patch.setattr(sys, "stderr", terminal)
            with progress("Working", quiet=False) as report:
                if report is not None:
                    report(share)
                event.begun.set()
                if error is not None:
                    raise error
        return terminal.getvalue(), event.waited

    return call


def left(bar, share, seconds):
    bar(share)
    found = re.search(r"(\d+):(\d\d) left", bar.line(seconds, 80))
    return None if found is None else 60 * int(found[1]) + int(found[2])


def test_a_bar_appears_within_a_second_of_the_start_of_the_program(shown):
    for used in (0.0, 0.5, 30.0):
        _, waited = shown(1, used=used)
        # What was imported before took its time, too.
        assert 0.0 <= waited[0] <= 1.0 - min(used, 1.0)


def test_work_that_tells_nothing_has_a_bar_with_the_time_so_far(shown):
    text, _ = shown(3)
    assert text.count(f"Working {'─' * 40}   0 %  0:00 so far\x1b[K") == 3


def test_nothing_is_left_of_a_bar(shown):
    text, _ = shown(2, share=0.5)
    assert " 50 %" in text
    # Every state takes the place of the one before, in one line, and the last of them is cleared.
    assert text.endswith("\x1b[K\r\x1b[K")
    assert "\n" not in text
    assert text.count("\r") == 3


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_an_error_and_an_interrupt_leave_nothing_either(shown, error):
    assert shown(1, error=error)[0].endswith("\x1b[K\r\x1b[K")


def test_short_work_shows_nothing(shown):
    assert shown(0)[0] == ""


@pytest.mark.parametrize("columns", [1, 10, 30, 50, 66, 67, 200])
def test_a_bar_fits_into_one_line_of_the_terminal(columns):
    bar = Bar("Scoring")
    bar(0.5)
    # One that is folded cannot be cleared.
    assert len(bar.line(100.0, columns)) < columns
    assert bar.line(100.0, 200) == f"Scoring {'━' * 20}{'─' * 20}  50 %  1:40 left"


def test_a_bar_says_what_there_is_to_do_where_there_is_room():
    bar = Bar("Judging metrics")
    bar.announce("3 metrics")
    bar.announce("12 metrics, 1,000 samples")
    assert bar.line(0.0, 80).startswith("Judging metrics (12 metrics, 1,000 samples) ────")
    assert bar.line(0.0, 60) == f"Judging metrics {'─' * 24}   0 %  0:00 so far"


def test_no_bar_where_it_could_not_be_cleared(shown):
    assert shown(2, term="dumb") == ("", [])


def test_a_terminal_without_the_letters_has_others(shown):
    assert f"Working {'-' * 40}   0 %" in shown(1, encoding="latin-1")[0]


def test_the_time_left_never_grows():
    bar = Bar("Working")
    # A quarter in 20 seconds leaves 60. Another quarter takes 30, so that 50 are left, and the third 50: 33 are left.
    assert [left(bar, 0.25, 20.0), left(bar, 0.5, 50.0), left(bar, 0.75, 100.0)] == [60, 50, 33]
    # It takes longer: after 110 seconds 37 would be left, but 33 were told.
    assert left(bar, 0.75, 110.0) == 33


def test_where_much_more_is_left_than_was_told_no_time_is():
    bar = Bar("Working")
    # Half in a second leaves a second. After 20 seconds there would be 20 more.
    assert left(bar, 0.5, 1.0) == 1
    assert left(bar, 0.5, 20.0) is None
    assert "50 %" in bar.line(20.0, 80)
    # At the end it is a second again.
    assert left(bar, 0.96, 24.0) == 1


def test_what_is_done_stays_done():
    bar = Bar("Working")
    bar(0.5)
    bar(0.25)
    assert bar.share == 0.5
    bar(1.1)
    assert bar.share == 1.0
    assert bar.line(10.0, 80).endswith("100 %  0:00 left")
