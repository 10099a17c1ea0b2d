"""METEOR 1.5: every segment, every alignment and every corpus statistic, in all configurations."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

import assay
from assay.metrics.pictures import Alignment
from assay.text.batch import batch_of
from goldens import folder
from goldens.folder import corpus, needs_large, path, references, runs, table
from peers.meteor_package import PARAPHRASES

# Counted in characters, function words are too little of a text to look like English.
pytestmark = pytest.mark.filterwarnings("ignore:meteor. language=en")

#: Where the counts of each module stand: content, function and all words of the translation, then of the reference.
STAGES = "stages_test_content_function_total_ref_content_function_total"

RUNS = runs("meteor")


def options(run: str) -> dict[str, object]:
    """What METEOR's arguments are called here."""
    words = iter(arguments(run))
    found: dict[str, object] = {"tokenize": "none:ascii", "lowercase": False}
    for word in words:
        if word == "-l":
            found["language"] = next(words)
        elif word == "-norm":
            found |= {"tokenize": "meteor", "lowercase": True}
        elif word == "-noPunct":
            found["tokenize"] = "meteor:en+no-punctuation"
        elif word == "-lower":
            found["lowercase"] = True
        elif word == "-ch":
            found["characters"] = True
        elif word in ("-t", "-m", "-x", "-p", "-w", "-a"):
            found |= parameter(word, next(words))
    if not {"modules", "paraphrases"} & found.keys() and found["language"] == "en":
        found["paraphrases"] = paraphrases(run)
    return found


def paraphrases(run: str) -> str:
    """METEOR's table. For one run the entries in METEOR's alignments do; others depend on entries not chosen too."""
    if PARAPHRASES is not None:
        return str(PARAPHRASES)
    if run != "edge.norm.refAB":
        pytest.skip("METEOR's table of paraphrases is not installed: pip install pycocoevalcap==1.2")
    return str(path("meteor/chosen-paraphrases.txt"))


def arguments(run: str) -> list[str]:
    """The arguments with those of several words in one piece, as they were given."""
    words: list[str] = []
    for word in RUNS[run]["args"].split():
        if word.startswith("-") or not words or words[-1].startswith("-"):
            words.append(word)
        else:
            words[-1] += f" {word}"
    return words


def parameter(name: str, value: str) -> dict[str, object]:
    if name == "-t":
        return {"task": value}
    if name == "-m":
        return {"modules": value.replace(" ", "+")}
    if name == "-x":
        return {"beam": int(value)}
    if name == "-a":
        return {"paraphrases": str(path(f"meteor/{value}"))}
    numbers = tuple(float(number) for number in value.split())
    if name == "-w":
        return {"weights": numbers}
    return dict(zip(("alpha", "beta", "gamma", "delta"), numbers, strict=True))


def texts(run: str) -> assay.Corpus:
    """The texts that a run was about: ``de-en.UF.norm.refAB`` is the system UF against both references."""
    name, *rest = run.split(".")
    letters = rest[-1].removeprefix("ref")
    place = "en-zh-tok" if name == "en-zh" else name
    return corpus(place, folder.translation(place, rest[0]), *references(place, letters))


@cache
def evaluate(run: str) -> assay.Statistics:
    return assay.Meteor(**options(run)).evaluate(texts(run))


def alignments(run: str) -> Iterator[tuple[list[str], list[str], list[tuple[int, int, int, int, int]]]]:
    """The words of both sides and the links that METEOR chose."""
    text = gzip.decompress(path(f"meteor/{run}/meteor-align.out.gz").read_bytes()).decode()
    for block in text.removeprefix("Alignment").split("\nAlignment"):
        _, translation, reference, _, *lines = block.split("\n")
        links = [[cell for cell in line.split("\t") if cell] for line in lines if line]
        yield (
            translation.split(),
            reference.split(),
            [(*map(int, link[0].split(":")), *map(int, link[1].split(":")), int(link[2])) for link in links],
        )


def span(words: tuple[int, int]) -> tuple[int, int]:
    """Begin and length, as METEOR prints them."""
    return words[0], words[1] - words[0]


def test_meteors_runs_over_the_small_texts_ship():
    assert len([run for run in RUNS if run.startswith("edge.")]) == 2 + 16
    assert len([run for run in RUNS if run.startswith(("el-de.", "own-zh-tok."))]) == 4 + 2


@needs_large
def test_all_of_meteors_runs_are_here():
    assert len(RUNS) == 34 + 22


@pytest.mark.parametrize("run", RUNS)
def test_every_segment_scores_as_meteor_prints_it(run):
    _, *rows = table(f"meteor/{run}/scores.tsv")
    printed = np.nan_to_num(np.array([[float(cell) for cell in row[1:]] for row in rows]))
    statistics = evaluate(run)
    parts = statistics.metric.parts(statistics.rows)
    ours = [parts["precision"], parts["recall"], parts["penalty"], statistics.segment_scores()]
    np.testing.assert_allclose(np.column_stack(ours) / 100.0, printed, rtol=1e-13, atol=0)


@pytest.mark.parametrize("run", RUNS)
def test_the_whole_text_has_meteors_statistics(run):
    golden, statistics = RUNS[run], evaluate(run)
    total = dict(zip(statistics.metric.columns, statistics.rows.sum(axis=0), strict=True))
    assert total["translation_content_length"] + total["translation_function_length"] == golden["test_len"]
    assert total["reference_content_length"] + total["reference_function_length"] == golden["ref_len"]
    assert total["penalized_chunks"] == golden["chunks"]
    # The run over characters was noted without its stages.
    for module, stage in zip(statistics.metric.settings.modules, golden.get(STAGES, []), strict=STAGES in golden):
        sides = ((side, kind) for side in ("translation", "reference") for kind in ("content", "function"))
        counts = [total[f"{module}_{side}_{kind}"] for side, kind in sides]
        assert counts == [stage[0], stage[1], stage[3], stage[4]], module
    parts = statistics.parts()
    for name in ("precision", "recall", "fmean"):
        assert parts[name] / 100 == pytest.approx(golden[name], rel=1e-13), name
    assert parts["penalty"] / 100 == pytest.approx(golden["frag_penalty"], rel=1e-13)
    assert statistics.corpus_score() / 100 == pytest.approx(golden["score"], rel=1e-13)


@pytest.mark.parametrize("run", RUNS)
def test_every_alignment_is_meteors(run):
    metric, given = evaluate(run).metric, texts(run)
    columns = [list(column.slice(0, len(column))) for column in given.references]
    batch = batch_of(list(given.translations.slice(0, len(given))), columns, metric.recipe)
    words = metric.recipe.tokens
    for segment, ((index, chosen), golden) in enumerate(zip(metric.alignments(batch), alignments(run), strict=True)):
        translation, reference, links = golden
        assert words(batch.translation_texts[segment]) == translation, segment
        assert words(batch.reference_texts[index][segment]) == reference, segment
        kinds = metric.settings.modules
        found = [(*span(link.reference), *span(link.translation), kinds.index(link.kind)) for link in chosen]
        assert found == links, segment


@pytest.mark.parametrize("run", ["edge.norm.refAB", "edge.norm.refA", "edge.norm.own.refAB"])
def test_pictures_show_the_reference_that_counts(run):
    metric, given = evaluate(run).metric, texts(run)
    for segment, (translation, reference, links) in enumerate(alignments(run)):
        one = [[column[segment]] for column in given.references]
        picture = metric.picture(batch_of([given.translations[segment]], one, metric.recipe))
        assert isinstance(picture, Alignment)
        assert (list(picture.translation), list(picture.reference)) == (translation, reference)
        assert len(picture.links) == len(links)
