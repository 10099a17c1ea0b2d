"""``assay explore`` as people start it: a process of its own, which ends with Control-C and with its terminal."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from assay.demo import CAMPAIGN

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of terminals are not the same there")

#: As a terminal has it: under xdist, or in the background, Control-C may be ignored.
PROGRAM = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "signal.signal(signal.SIGHUP, signal.SIG_DFL); from assay.__main__ import main; main()"
)


@contextmanager
def started(*arguments: str, program: str = PROGRAM) -> Iterator[tuple[subprocess.Popen[str], int, str]]:
    """The process, the port, and the line that was printed."""
    process = subprocess.Popen(
        [sys.executable, "-c", program, "explore", *arguments, "--no-browser"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r":(\d+)/", line)
        assert found is not None, process.stderr.read() if process.stderr else line
        yield process, int(found[1]), line
    finally:
        process.kill()
        process.communicate()


def asked(port: int, path: str = "/api/manifest", host: str = "127.0.0.1") -> tuple[int, Any]:
    connection = http.client.HTTPConnection(host, port, timeout=20)
    connection.request("GET", path)
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    return answer.status, json.loads(text)


def is_open(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def failed(*arguments: str) -> str:
    """What a command says that cannot be; it exits with 2."""
    result = subprocess.run(
        [sys.executable, "-m", "assay", "explore", *arguments, "--no-browser"],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert result.returncode == 2, result.stdout
    assert "Traceback" not in result.stderr
    return result.stderr


def test_it_prints_where_it_is_counts_and_ends_with_control_c():
    with started(str(CAMPAIGN), "-m", "f1", "--port", "0") as (process, port, line):
        assert line == f"Assay explorer: http://127.0.0.1:{port}/\n"
        status, manifest = asked(port)
        assert status == 200
        assert [metric["name"] for metric in manifest["campaigns"][0]["metrics"]] == ["f1"]
        assert manifest["campaigns"][0]["words"] == [str(CAMPAIGN)]
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=10)
        assert (process.returncode, out, err) == (0, "", "Control-C ends it.\n")
        assert not is_open(port)


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_it_ends_when_its_terminal_does(number):
    with started(str(CAMPAIGN), "-m", "f1", "--port", "0", "-q") as (process, port, _):
        process.send_signal(number)
        _, err = process.communicate(timeout=10)
        assert (process.returncode, err) == (128 + number, "")
        assert not is_open(port)


def test_it_ends_when_whoever_started_it_is_gone():
    # A shell that starts it and is killed without a word.
    shell = (
        "import subprocess, sys, time; "
        f"subprocess.Popen([sys.executable, '-c', {PROGRAM!r}, *sys.argv[1:]]); time.sleep(60)"
    )
    with started(str(CAMPAIGN), "-m", "f1", "--port", "0", program=shell) as (process, port, _):
        assert asked(port)[0] == 200
        process.kill()
        for _ in range(100):
            if not is_open(port):
                break
            time.sleep(0.1)
        assert not is_open(port)


def test_a_port_in_use_is_said_and_the_next_one_taken():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]
        with started(str(CAMPAIGN), "-m", "f1", "--port", str(number)) as (process, port, _):
            assert number < port
            process.send_signal(signal.SIGINT)
            assert f"Note: port {number} is in use" in process.communicate(timeout=10)[1]


def test_another_host_prints_a_token():
    with started(str(CAMPAIGN), "-m", "f1", "--port", "0", "--host", "0.0.0.0") as (_, port, line):
        assert re.search(r"/\?token=[\w-]{32}$", line.strip())
        assert asked(port)[0] == 403


def test_what_cannot_be_shown_is_said(tmp_path: Path):
    assert "Nothing to explore" in failed()
    assert "nowhere" in failed(str(tmp_path / "nowhere"))
    assert "no metric 'blue'" in failed(str(CAMPAIGN), "-m", "blue")
    assert "no such address" in failed(str(CAMPAIGN), "-m", "f1", "--host", "nowhere.invalid")
    (tmp_path / "result.json").write_text("{}")
    assert "is no result of Assay" in failed(str(tmp_path / "result.json"))


def test_judgements_alone_are_shown():
    with started(str(CAMPAIGN / "human.tsv"), "--port", "0") as (_, port, _):
        (campaign,) = asked(port)[1]["campaigns"]
        assert (campaign["systems"][0], campaign["hasTexts"], campaign["metrics"]) == ("rosetta", False, [])
