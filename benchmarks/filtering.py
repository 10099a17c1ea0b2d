"""How long do scores and intervals of 20 systems by 3,000 segments by 4 metrics take in a browser, under a filter?"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import assay
from assay.explorer import twins

SYSTEMS, SEGMENTS, SAMPLES, ROUNDS = 20, 3000, 1000, 15
METRICS = ("bleu", "chrf", "ter", "meteor")
STATIC = Path(twins.__file__).parent / "static"
ORIGIN = "http://assay.test/"
#: What must be reached, in milliseconds.
SCORES_WITHIN, INTERVALS_WITHIN = 50.0, 10_000.0

#: Rows of counts as texts of 25 words have them, in the smallest types that hold them.
PREPARE = """
async ({ metrics, systems, segments }) => {
  const modules = ["formulas", "intervals"].map(name => import(`/numbers/${name}.js`));
  const N = Object.assign({}, ...await Promise.all(modules));
  const column = width => Uint8Array.from({ length: segments }, () => 20 + Math.random() * (width > 10 ? 100 : 20));
  const tables = metrics.flatMap(({ twin, width }) => Array.from({ length: systems }, () => ({
    twin, score: N.scorer(twin), columns: Array.from({ length: width }, () => column(width)),
  })));
  Object.assign(window, { N, tables });
  window.half = () => Int32Array.from(Array(segments).keys()).filter(() => Math.random() < 0.5);
}
"""
SCORES = """
(rounds) => Array.from({ length: rounds }, () => {
  const kept = half(), started = performance.now();
  const scores = tables.map(({ columns, score }) => score(N.columnSums(columns, kept)));
  return performance.now() - started;
})
"""
INTERVALS = """
({ pairs, documents, samples, segments }) => {
  const units = N.chooseUnits(null, segments, documents === 0 ? null : {
    low: Uint32Array.from({ length: segments }, (_, place) => Math.floor(place / documents)),
    high: new Uint32Array(segments), named: new Uint8Array(segments).fill(1),
  }, null);
  const started = performance.now();
  const work = N.estimates({ tables, pairs, units, draws: { seed: 1, purpose: 7, samples } });
  let first = 0, longest = 0, last = started;
  for (let step = work.next(); !step.done; step = work.next()) {
    const now = performance.now();
    if (!first && step.value.found.length) first = now - started;
    longest = Math.max(longest, now - last);
    last = now;
  }
  return [performance.now() - started, first, longest];
}
"""


def opened(playwright: Any) -> Any:
    """A page that has the modules of the numbers."""
    where = shutil.which("chromium") or shutil.which("chromium-browser")
    page = playwright.chromium.launch(executable_path=where, args=["--no-sandbox"]).new_page()

    def serve(route: Any) -> None:
        path = STATIC / route.request.url.removeprefix(ORIGIN)
        body, kind = (path.read_text(), "text/javascript") if path.is_file() else ("<!doctype html>", "text/html")
        route.fulfill(body=body, content_type=kind)

    page.route("**/*", serve)
    page.goto(ORIGIN)
    return page


def main() -> None:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        sys.exit("Playwright is not installed: make browser says how.")
    metrics = [assay.metric(name) for name in METRICS]
    known = [{"twin": twins.twin(metric), "width": len(metric.columns)} for metric in metrics]
    with sync_playwright() as playwright:
        page = opened(playwright)
        page.evaluate(PREPARE, json.loads(json.dumps({"metrics": known, "systems": SYSTEMS, "segments": SEGMENTS})))
        print(f"{SYSTEMS} systems, {SEGMENTS:,} segments, {', '.join(METRICS)}: {SYSTEMS * len(METRICS)} scores\n")
        first, *times = page.evaluate(SCORES, ROUNDS)
        then = sorted(times)[ROUNDS // 2]
        print(f"scores of half of the segments: {first:.1f} ms the first time, then {then:.1f} ms")
        print(f"  wanted: below {SCORES_WITHIN:.0f} ms: {'yes' if first < SCORES_WITHIN else 'NO'}")
        pairs = [
            [metric * SYSTEMS + system, metric * SYSTEMS]
            for metric in range(len(METRICS))
            for system in range(1, SYSTEMS)
        ]
        for what, chosen, documents in (
            ("intervals, segments drawn", [], 0),
            ("intervals, documents of 20 drawn", [], 20),
            (f"intervals of {len(pairs)} differences", pairs, 0),
        ):
            about = {"documents": documents, "samples": SAMPLES, "segments": SEGMENTS, "pairs": chosen}
            total, earliest, longest = page.evaluate(INTERVALS, about)
            print(
                f"{what}, {SAMPLES:,} draws: {total:,.0f} ms, the first after {earliest:,.0f} ms, "
                f"no stretch of work above {longest:.0f} ms"
            )
            print(f"  wanted: below {INTERVALS_WITHIN:,.0f} ms: {'yes' if total < INTERVALS_WITHIN else 'NO'}")
