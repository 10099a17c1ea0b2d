"""METEOR 1.5 itself, live on random texts: every score, from few words so that ties and quirks really happen."""

from __future__ import annotations

import random
import shutil
import subprocess

import numpy as np
import pytest

import assay
from peers.meteor_package import JAR

pytestmark = [
    pytest.mark.skipif(JAR is None, reason="METEOR's jar is not installed: pip install pycocoevalcap==1.2"),
    pytest.mark.skipif(shutil.which("java") is None, reason="there is no Java on this machine"),
]

LINE = (
    "house houses home dwelling run runs running go goes went move the a of in big large largest couch sofa sofas cat "
    "cats Mr. U.S. don't 3,000 it's well-known ... , . ! naïve"
)
WORDS = LINE.split()


def random_lines(seed: int, count: int) -> tuple[list[str], list[str]]:
    """Both sides of a segment out of the same few words."""
    draw = random.Random(seed)
    sides: tuple[list[str], list[str]] = ([], [])
    for _ in range(count):
        words = draw.sample(WORDS, draw.randint(2, 12))
        for side in sides:
            side.append(" ".join(draw.choices(words, k=draw.randint(1, 14))))
    return sides


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (["-m", "exact stem synonym"], {}),
        (["-m", "exact stem synonym", "-x", "2"], {"beam": 2}),
        (["-m", "exact synonym", "-t", "adq"], {"modules": "exact+synonym", "task": "adq"}),
        (["-m", "exact stem", "-ch"], {"modules": "exact+stem", "characters": True}),
    ],
    ids=["default", "beam", "adequacy", "characters"],
)
def test_every_segment_scores_as_in_meteor(tmp_path, arguments, options):
    translations, reference = random_lines(len(arguments), 3000)
    for name, side in (("translation", translations), ("reference", reference)):
        (tmp_path / name).write_text("\n".join(side) + "\n", encoding="utf-8")
    command = ["java", "-Xmx1G", "-Dfile.encoding=UTF-8", "-jar", str(JAR), "translation", "reference"]
    ran = subprocess.run(
        [*command, "-l", "en", "-norm", *arguments], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    printed = [line.split() for line in ran.stdout.splitlines() if line.startswith("Segment ")]
    expected = np.array([float(line[-1]) for line in printed])
    metric = assay.Meteor(**options)
    statistics = metric.evaluate(assay.Corpus(translations=translations, references=[reference]))
    np.testing.assert_allclose(statistics.segment_scores() / 100.0, expected, rtol=1e-12)
    final = float(ran.stdout.split("Final score:")[1].split()[0])
    assert statistics.corpus_score() / 100.0 == pytest.approx(final, rel=1e-12)
