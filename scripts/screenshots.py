"""Writes docs/guides/figures/explorer: pictures of every page of the explorer and of a report, on the demo campaign.

python scripts/screenshots.py [NAME ...]

It needs Playwright and Chromium (make tools), and the extras explore, plots and store. With Pillow files are smaller.
"""

from __future__ import annotations

import io
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import chdir, contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import assay
from assay.cli.main import run
from assay.demo import CAMPAIGN

FOLDER = Path(__file__).parents[1] / "docs" / "guides" / "figures" / "explorer"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
WIDE, NARROW = (1280, 800), (390, 844)
#: Larger files do not belong into a repository.
MOST = 100_000


#: What is typed behind ``assay`` before.
TYPED = (
    "report demo-campaign -m bleu,chrf,ter --also 'study references' --also 'paper lavie2004' -o report.html",
    "store create demo-campaign",
    "score demo-campaign -m bleu,chrf,ter",
    "score demo-campaign -m bleu,chrf,ter --where domain!=news",
    "compare demo-campaign -m bleu,chrf",
)


class Shot(NamedTuple):
    """One picture: of which page, and what is done on it first."""

    name: str
    hash: str
    #: Of a report that is a file, or of a server.
    alive: bool = False
    size: tuple[int, int] = WIDE
    dark: bool = False
    #: Elements that are pressed, one after the other.
    press: Sequence[str] = ()
    #: What is brought to the top of the window.
    at: str | None = None


PAIR = 'a="rosetta"&b="compass"'
SHOTS = [
    Shot("overview", f"overview?{PAIR}"),
    Shot("overview-dark", f"overview?{PAIR}", dark=True),
    Shot("overview-narrow", f"overview?{PAIR}", size=NARROW),
    Shot("systems", f"systems?{PAIR}"),
    Shot("filtered", f'systems?{PAIR}&filter={{"where":["domain!=news"]}}'),
    Shot("segments", f'segments?{PAIR}&sort="delta"'),
    Shot("segments-narrow", f'segments?{PAIR}&sort="delta"', size=NARROW),
    Shot("segment", f'segment?{PAIR}&segment=17&marks="reference"', alive=True, at='h2:has-text("Translations")'),
    Shot("segment-dark", f"segment?{PAIR}&segment=17", dark=True, size=NARROW),
    Shot("metrics", f'metrics?{PAIR}&level="segment"'),
    Shot("people", "people"),
    Shot("references", "references"),
    Shot("papers", "papers"),
    Shot("ask", 'ask?question="references"', alive=True),
    Shot("runs", "runs", alive=True),
    Shot("files", "add", alive=True),
]


@contextmanager
def demo() -> Iterator[Path]:
    """The demo campaign in a folder of its own, with a store in which two answers are kept, and a report of it."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(CAMPAIGN, Path(folder) / "demo-campaign")
        with chdir(folder):
            for line in TYPED:
                code = run([*shlex.split(line), "-q"])
                if code:
                    raise SystemExit(f"assay {line}: exit code {code}")
            yield Path(folder)


def shoot(page: Any, url: str, shot: Shot) -> bytes:
    """The picture of a page, once everything on it is there."""
    page.goto("about:blank")
    page.goto(f"{url}#/{shot.hash}")
    page.wait_for_selector("#app h1")
    page.wait_for_selector("body:not(:has([aria-busy=true]))")
    for pressed in shot.press:
        page.click(pressed)
    # Intervals and pictures come after the rest.
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(600)
    if shot.at:
        page.locator(shot.at).evaluate("element => scrollTo(0, element.getBoundingClientRect().top + scrollY - 70)")
    return bytes(page.screenshot())


def small(picture: bytes) -> bytes:
    """The same in 256 colours, where Pillow is there."""
    if find_spec("PIL") is None:
        return picture
    image: Any = import_module("PIL.Image")
    made = io.BytesIO()
    drawn = image.open(io.BytesIO(picture)).convert("RGB").quantize(256, image.Quantize.MAXCOVERAGE)
    drawn.save(made, "png", optimize=True)
    return min(picture, made.getvalue(), key=len)


def main(names: Sequence[str]) -> None:
    """Take those of these names, or all."""
    from playwright.sync_api import sync_playwright

    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = [shot for shot in SHOTS if not names or shot.name in names]
    with (
        demo() as folder,
        sync_playwright() as playwright,
        assay.explore("demo-campaign", "bleu,chrf,ter", no_browser=True) as server,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for shot in wanted:
            width, height = shot.size
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme="dark" if shot.dark else "light"
            )
            url = str(server.url) if shot.alive else (folder / "report.html").as_uri()
            picture = small(shoot(context.new_page(), url, shot))
            if len(picture) > MOST:
                raise SystemExit(f"{shot.name}.png has {len(picture):,} bytes: more than {MOST:,}.")
            (FOLDER / f"{shot.name}.png").write_bytes(picture)
            print(f"{shot.name}.png {len(picture):,}")
            context.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
