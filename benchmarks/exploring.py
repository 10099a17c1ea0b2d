"""A million segments in the explorer: what does each view's request take, and how much memory does the server hold?

The server is a process of its own, as people start it; requests come one after the other, each with a filter that is
new and then again, as people who look at something ask again.
"""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.texts import real_texts

SEGMENTS, SIZE_OF_DOCUMENT, AT_ONCE = 1_000_000, 20, 100
#: What must be reached: milliseconds of a request, and bytes of the server.
WITHIN, MEMORY = 300.0, 1e9


def write_campaign(folder: Path, segments: int) -> None:
    """A campaign of two systems, one reference, a source, documents and domains, out of texts that come again."""
    _, translations, reference = real_texts()
    count = len(reference)
    columns: dict[str, Callable[[int], str]] = {
        "src.txt": lambda place: reference[(place * 7) % count],
        "ref.A.txt": lambda place: reference[place % count],
        "sys.good.txt": lambda place: translations[place % count] if place % 3 else reference[place % count],
        "sys.poor.txt": lambda place: translations[place % count],
        "docs.txt": lambda place: f"document-{place // SIZE_OF_DOCUMENT}",
        "domains.txt": lambda place: ("news", "speech", "social", "mail")[(place // SIZE_OF_DOCUMENT) % 4],
    }
    for name, text in columns.items():
        with (folder / name).open("w", encoding="utf-8") as file:
            file.writelines(f"{text(place)}\n" for place in range(segments))


class Server:
    """An explorer in a process of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        arguments = [sys.executable, "-m", "assay", "explore", str(folder), "--no-browser", "--port", "0", *options]
        self.process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline() if self.process.stdout else ""
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        if found is None:
            sys.exit(f"The explorer did not start: {line}")
        self.port = int(found[1])

    def ask(self, path: str, body: Any = None) -> Any:
        """One request, and its answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        headers = {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": "application/json"}
        text = None if body is None else json.dumps(body)
        connection.request("GET" if body is None else "POST", path, text, headers)
        answer = json.loads(connection.getresponse().read())
        connection.close()
        if isinstance(answer, dict) and "error" in answer:
            sys.exit(f"{path}: {answer['error']}")
        return answer

    def memory(self, what: str) -> float:
        """How much memory it holds now (VmRSS), or held at most (VmHWM), in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return float(re.search(rf"{what}:\s+(\d+) kB", status)[1]) * 1024  # type: ignore[index]

    def close(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait()


def requests() -> dict[str, tuple[str, dict[str, Any]]]:
    """What each view asks for."""
    some = {"where": ["domain=news,speech"]}
    long = {"ranges": [{"of": "length", "least": 20, "most": None}]}
    delta = {"ranges": [{"of": "delta", "metric": "bleu", "a": "good", "b": "poor", "least": 1, "most": None}]}
    sort = {"by": "delta", "metric": "chrf", "a": "good", "b": "poor"}
    against = {"by": "disagreement", "metric": "bleu", "other": "chrf", "a": "good", "b": "poor"}
    both = {"x": {"metric": "bleu"}, "y": {"metric": "chrf"}, "level": "segment"}
    return {
        "scores of all": ("scores", {}),
        "scores by domain": ("scores", {"filter": some}),
        "scores by length": ("scores", {"filter": long}),
        "scores by delta": ("scores", {"filter": delta}),
        "deltas": ("deltas", {"filter": some, "against": "poor"}),
        "groups by domain": ("groups", {"filter": long, "by": "domain"}),
        "groups by length": ("groups", {"filter": some, "by": "length"}),
        "segments as they come": ("segments", {"count": 100}),
        "segments by delta": ("segments", {"filter": some, "sort": sort, "descending": True, "count": 100}),
        "segments by delta, further down": (
            "segments", {"filter": some, "sort": sort, "descending": True, "from": 200_000, "count": 100}
        ),
        "segments by disagreement": ("segments", {"filter": long, "sort": against, "descending": True, "count": 100}),
        "segments by disagreement, all": ("segments", {"sort": against, "descending": True, "count": 100}),
        "texts": ("texts", {"segments": list(range(500_000, 500_100)), "columns": ["source", "ref.A", "sys.good"]}),
        "one segment": ("segment", {"segment": 777_777}),
        "distribution": ("distribution", {"filter": some, "metric": "bleu", "a": "good", "b": "poor"}),
        "search in a system": ("segments", {"filter": {"search": {"text": "ministers", "in": "sys.good"}}}),
        "search in everything": ("segments", {"filter": {"search": {"text": "parliament"}}}),
        "search, regular expression": (
            "segments", {"filter": {"search": {"text": r"minist(er|ry)\b", "regex": True, "in": "references"}}}
        ),
        "n-grams": ("ngrams", {"filter": some, "a": "good", "b": "poor"}),
        "points of segments": ("points", {"filter": some, **both}),
        "points of systems": ("points", {"filter": some, **both, "level": "system"}),
        "intervals by document": ("intervals", {"filter": some, "of": [["bleu", "good"], ["chrf", "good"]]}),
    }  # fmt: skip


def main(segments: int = SEGMENTS) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_campaign(folder, segments)
        size = sum(file.stat().st_size for file in folder.iterdir())
        started = time.perf_counter()
        server = Server(folder)
        print(
            f"{segments:,} segments, {size / 1e6:.0f} MB: shown after {time.perf_counter() - started:.0f} s", flush=True
        )
        try:
            _measure(server)
        finally:
            server.close()


def _measure(server: Server) -> None:
    slow = []
    for title, (name, body) in {"manifest": ("", {}), **requests()}.items():
        times, waited = [], 0.0
        for _ in range(2):
            started = time.perf_counter()
            answer = server.ask(f"/api/query/0/{name}", body) if name else server.ask("/api/manifest")
            times.append(1000 * (time.perf_counter() - started))
            while answer.get("pending"):
                time.sleep(0.15)
                begun = time.perf_counter()
                answer = server.ask(f"/api/query/0/{name}", body)
                times[-1] = max(times[-1], 1000 * (time.perf_counter() - begun))
                waited = time.perf_counter() - started
        slow += [title] if max(times) > WITHIN else []
        after = f", answered after {waited:.1f} s" if waited else ""
        print(f"{title:34} {times[0]:6.0f} ms, again {times[1]:6.0f} ms{after}", flush=True)
    print(
        f"memory: {server.memory('VmRSS') / 1e6:.0f} MB now, {server.memory('VmHWM') / 1e6:.0f} MB at most", flush=True
    )
    failed = []

    def ask() -> None:
        try:
            server.ask("/api/query/0/scores", {"filter": {"where": ["domain=mail"]}})
        except (OSError, ValueError) as error:
            failed.append(error)

    threads = [threading.Thread(target=ask) for _ in range(AT_ONCE)]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"{AT_ONCE} requests at once: {len(failed)} failed, {time.perf_counter() - started:.1f} s", flush=True)
    if slow or server.memory("VmHWM") > MEMORY or failed:
        print(f"NOT reached: {', '.join(slow) or 'memory, or requests that failed'}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else SEGMENTS)
