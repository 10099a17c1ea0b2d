"""How long are the frames of a browser that scrolls through 100,000 segments?"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import assay
from assay.data.texts import Texts

SEGMENTS, FRAMES = 100_000, 200
#: What must be reached, in milliseconds.
WITHIN = 100.0

#: Frames while the window moves by so many pixels each, or to a share of its height; the longest first.
SCROLL = """
async ([pixels, frames]) => {
  const next = () => new Promise(requestAnimationFrame);
  const height = document.documentElement.scrollHeight;
  scrollTo(0, 0);
  for (let wait = 0; wait < 30; wait++) await next();
  const found = [];
  let last = performance.now();
  for (let frame = 1; frame <= frames; frame++) {
    if (pixels === null) scrollTo(0, height * frame / frames);
    else scrollBy(0, pixels);
    await next();
    const now = performance.now();
    found.push(now - last);
    last = now;
  }
  const rows = document.querySelectorAll(".segment").length;
  return [found.sort((a, b) => b - a), rows];
}
"""
WAYS = {"without scrolling": 0, "by the wheel": 120, "by pages": 900, "by the scroll bar, end to end": None}


def campaign(count: int) -> assay.Campaign:
    """Texts of 3 to 60 words."""
    rng = random.Random(1)
    words = [f"word{number}" for number in range(3000)]

    def altered(texts: Sequence[str]) -> list[str]:
        return [" ".join(word if rng.random() > 0.3 else rng.choice(words) for word in text.split()) for text in texts]

    texts = [" ".join(rng.choices(words, k=rng.randint(3, 60))) for _ in range(count)]
    systems = {name: Texts.of(altered(texts)) for name in ("one", "two")}
    source = Texts.of(altered(texts))
    return assay.Campaign("large", systems=systems, references={"A": Texts.of(texts)}, source=source)


def frames(file: Path, playwright: Any) -> dict[str, tuple[list[float], int]]:
    """Frames of each way to scroll, the longest first, and rows that are in the page at its end."""
    where = shutil.which("chromium") or shutil.which("chromium-browser")
    browser = playwright.chromium.launch(executable_path=where, args=["--no-sandbox"])
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{file.as_uri()}#/segments")
    page.wait_for_selector(".segment:not(.waiting)", timeout=120_000)
    # What is kept for paper is fetched while nobody scrolls.
    page.wait_for_timeout(3000)
    found = {way: page.evaluate(SCROLL, [pixels, FRAMES]) for way, pixels in WAYS.items()}
    browser.close()
    return found


def main() -> None:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        sys.exit("Playwright is not installed: make browser says how.")
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        file = Path(folder) / "large.html"
        page = assay.report(campaign(SEGMENTS), metrics="bleu,chrf", samples=10, most="1GB").render("html")
        file.write_text(page, encoding="utf-8")
        with sync_playwright() as playwright:
            found = frames(file, playwright)
    print(f"{SEGMENTS:,} segments, {FRAMES} frames each\n")
    for way, (times, rows) in found.items():
        middle = times[len(times) // 2]
        print(f"{way:32} longest {times[0]:6.1f} ms, median {middle:5.1f} ms, {rows} rows in the page")
        print(f"  wanted: below {WITHIN:.0f} ms: {'yes' if times[0] < WITHIN else 'NO'}")


if __name__ == "__main__":
    main()
