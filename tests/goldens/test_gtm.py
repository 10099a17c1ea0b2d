"""GTM 1.4: every segment, every document and every run that the program printed, and its own sanity suite."""

from __future__ import annotations

import gzip
import re

import numpy as np
import pytest

import assay
from assay.text.batch import batch_of
from goldens.folder import LARGE, corpus, files, language, lines, needs_large, path, references, runs, table

RUNS = [name.split("/")[1] for name in files("gtm/*/scores.tsv")]
CLOSE = {"rtol": 1e-9, "atol": 1e-9}


def parse(run: str) -> tuple[str, str, str, float]:
    """The folder, the translation's file, the letters of the references and the exponent.

    >>> parse("de-en.UF.refAB.e2.0")
    ('de-en', 'hyp.UF.en', 'AB', 2.0)
    """
    body, exponent = re.fullmatch(r"(.+)\.e([\d.]+)", run).groups()
    folder, *system, letters = body.split(".")
    name = ".".join(["hyp", *system, language(folder)])
    return folder, name, letters.removeprefix("ref"), float(exponent)


def texts(run: str) -> assay.Corpus:
    folder, translation, letters, _ = parse(run)
    return corpus(folder, translation, *references(folder, letters))


def golden(run: str) -> dict[str, np.ndarray]:
    """The columns of a run's segments."""
    header, *rows = table(f"gtm/{run}/scores.tsv")
    kept = [row for row in rows if row[0] == "seg"]
    return {name: np.array([float(row[index]) for row in kept]) for index, name in enumerate(header) if index > 0}


def test_gtms_runs_over_the_corner_cases_ship():
    assert len([run for run in RUNS if run.startswith("edge.")]) == 8


@needs_large
def test_all_of_gtms_runs_are_here():
    assert len(RUNS) == len(runs("gtm")) == 35


@pytest.mark.parametrize("run", RUNS)
def test_every_segment_is_gtms(run):
    metric = assay.Gtm(exponent=parse(run)[3])
    statistics = metric.evaluate(texts(run))
    expected = golden(run)
    assert len(statistics) == len(expected["f"])
    for index, name in enumerate(("mms_root", "hyp_len", "ref_len_mean")):
        np.testing.assert_allclose(statistics.rows[:, index], expected[name], **CLOSE, err_msg=name)
    parts = metric.parts(statistics.rows)
    for name in ("precision", "recall", "f"):
        np.testing.assert_allclose(parts[name] / 100, expected[name], **CLOSE, err_msg=name)


@pytest.mark.parametrize("run", RUNS)
def test_every_document_is_gtms(run):
    found = assay.Gtm(exponent=parse(run)[3]).evaluate(texts(run)).parts()
    expected = runs("gtm")[run]
    for name in ("precision", "recall", "f"):
        assert found[name] / 100 == pytest.approx(float(expected[name]), rel=1e-9, abs=1e-9)
    assert found["size"] == pytest.approx(float(expected["mms_root"]), rel=1e-9)


@pytest.mark.parametrize("run", RUNS)
def test_every_run_is_gtms(run):
    metric = assay.Gtm(exponent=parse(run)[3])
    whole = texts(run)
    dumped = gzip.decompress(path(f"gtm/{run}/runs.txt.gz").read_bytes()).decode().splitlines()
    assert len(dumped) == len(whole)
    for index, line in enumerate(dumped):
        segment = whole[index]
        batch = batch_of([segment.translation], [[one] for one in segment.references], metric.recipe)
        # It prints where runs end, and leaves the fraction of a capped run away.
        ours = [
            (run.row, run.column, int(run.row + run.counted), int(run.column + run.counted))
            for run in metric.picture(batch).runs
        ]
        theirs = [tuple(map(int, found)) for found in re.findall(r"\((\d+) (\d+), (\d+) (\d+)\)", line)]
        assert ours == theirs, index


def sanity_cases() -> list[str]:
    """Lines of the option list: a name, options of which the last of a kind holds, and the files.

    Some cases ask for neither segments nor documents, and have nothing to compare.
    """
    folder = LARGE / "gtm" / "gtm-1.4-sanity"
    listed = (folder / "optionlist").read_text().splitlines() if folder.exists() else []
    return [case for case in listed if re.search("^sampledoc", expected(case), re.MULTILINE)]


def expected(case: str) -> str:
    """What the program prints."""
    return (LARGE / "gtm" / "gtm-1.4-sanity" / "expected" / f"{case.split(maxsplit=1)[0]}.out").read_text()


def sample(name: str) -> dict[tuple[str, str], str]:
    """A sample file's segments by document and number."""
    segments: dict[tuple[str, str], str] = {}
    document = ""
    for line in lines(f"gtm/gtm-1.4-sanity/{name}"):
        if found := re.match(r'<doc\s.*?docid="(.*?)"', line, re.IGNORECASE):
            document = found[1]
        elif found := re.match(r"<seg\s+id=(\d+)>(.*)</seg>", line, re.IGNORECASE):
            segments[document, found[1]] = found[2]
    return segments


@needs_large
def test_all_of_gtms_own_cases_with_scores_are_here():
    assert len(sanity_cases()) == 86


@needs_large
@pytest.mark.parametrize("case", sanity_cases(), ids=lambda case: case.split()[0])
def test_gtms_own_sanity_suite(case):
    words = case.split()[1:]
    exponents = [float(words[index + 1]) for index, word in enumerate(words) if word == "-e"]
    translation, *others = (sample(word.removeprefix("samples/")) for word in words if word.startswith("samples/"))
    statistics = assay.Gtm(exponent=exponents[-1] if exponents else 1.0).evaluate(
        assay.Corpus(
            translations=list(translation.values()),
            references=[list(other.values()) for other in others],
            documents=[document for document, _ in translation],
        )
    )
    segments = dict(zip(translation, statistics.segment_scores(), strict=True))
    sizes = dict(zip(translation, statistics.rows[:, 0], strict=True))
    documents = statistics.document_scores()
    printed = expected(case).splitlines()
    checked = 0
    for number, line in enumerate(printed):
        cells = line.split(" ")
        if len(cells) == 3 and cells[0].startswith("sampledoc"):
            assert segments[cells[0], cells[1]] / 100 == pytest.approx(float(cells[2]), rel=1e-9), line
            checked += 1
            if number + 3 < len(printed) and "^(1/exponent)" in printed[number + 3]:
                size = float(printed[number + 3].rpartition(" ")[2])
                assert sizes[cells[0], cells[1]] == pytest.approx(size, rel=1e-9)
        elif len(cells) == 2 and cells[0].startswith("sampledoc"):
            assert documents[cells[0]] / 100 == pytest.approx(float(cells[1]), rel=1e-9), line
            checked += 1
    assert checked > 0
