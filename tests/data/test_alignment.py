"""Lines that nothing says anything of: aligned by lengths and shared words, shown, corrected and given back."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise
from math import log, sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

import assay
from assay.data import alignment
from assay.data.aligned import read_aligned
from assay.data.alignment import GALE_CHURCH, Bead, align, align_lengths
from assay.data.conversion import convert
from assay.demo import CAMPAIGN
from assay.errors import AssayWarning
from people.truth import DATA, needs_data


def cost(first: float, second: float, share: float, ratio: float = 1.0, variance: float = 6.8) -> float:
    """Gale & Church's: minus the logarithm of both tails of the normal deviate, and of the share of the shape."""
    mean = (first + second / ratio) / 2
    deviate = (first * ratio - second) / sqrt(mean * variance)
    return -(log(2) + norm.logsf(abs(deviate)) + log(share))


def cheapest(first: list[int], second: list[int], shapes=GALE_CHURCH, ratio: float = 1.0) -> float:
    """The cost of the best path, by trying every bead at every place."""

    @cache
    def best(i: int, j: int) -> float:
        if (i, j) == (0, 0):
            return 0.0
        return min(
            (
                best(i - taken, j - given) + cost(sum(first[i - taken : i]), sum(second[j - given : j]), share, ratio)
                for (taken, given), share in shapes.items()
                if taken <= i and given <= j
            ),
            default=float("inf"),
        )

    return best(len(first), len(second))


def random_lengths(seed: int) -> tuple[list[int], list[int]]:
    """Lengths of lines and of their translations, with some joined and some lost."""
    generator = np.random.default_rng(seed)
    first = generator.integers(5, 120, generator.integers(2, 25)).tolist()
    second = [max(3, int(length + generator.normal() * 2 * sqrt(length))) for length in first]
    place = int(generator.integers(len(second)))
    if place + 1 < len(second):
        second[place : place + 2] = [second[place] + second[place + 1]]
    if generator.random() < 0.5 and len(second) > 3:
        second.pop(int(generator.integers(len(second))))
    return first, second


def lengths(*texts: list[int]) -> list[np.ndarray]:
    return [np.array(text, dtype=np.float64) for text in texts]


@pytest.mark.parametrize("seed", range(20))
def test_no_path_is_cheaper(seed):
    first, second = random_lengths(seed)
    for shapes, ratio in ((GALE_CHURCH, 1.0), (alignment._SHAPES, 1.3)):
        beads = align_lengths(*lengths(first, second), shapes=shapes, ratio=ratio)
        assert sum(bead.cost for bead in beads) == pytest.approx(cheapest(first, second, shapes, ratio))
        # The beads are a path, and each costs what its lengths do.
        assert [beads[0].first[0], *(bead.first[1] for bead in beads)] == [
            *(bead.first[0] for bead in beads),
            len(first),
        ]
        assert [beads[0].second[0], *(bead.second[1] for bead in beads)] == [
            *(bead.second[0] for bead in beads),
            len(second),
        ]
        for bead in beads:
            sides = (sum(first[slice(*bead.first)]), sum(second[slice(*bead.second)]))
            shape = (bead.first[1] - bead.first[0], bead.second[1] - bead.second[0])
            assert bead.cost == pytest.approx(cost(*sides, shapes[shape], ratio))


@pytest.mark.parametrize("seed", range(20))
def test_by_lengths_alone_lines_go_together_as_in_nltk(seed):
    gale_church = pytest.importorskip("nltk.translate.gale_church")
    first, second = random_lengths(seed)
    beads = align_lengths(*lengths(first, second), ratio=1.0)
    pairs = sorted((i, j) for bead in beads for i in range(*bead.first) for j in range(*bead.second))
    assert pairs == sorted(gale_church.align_blocks(first, second))


def test_a_path_that_leaves_the_band_is_found_all_the_same(monkeypatch):
    generator = np.random.default_rng(1)
    first = generator.integers(20, 100, 60).astype(float)
    # Forty lines that the other text lacks move its place far from where as many characters stand.
    second = np.concatenate([generator.integers(20, 100, 40), first]).astype(float)
    wide = align_lengths(first, second, ratio=1.0)
    monkeypatch.setattr(alignment, "_RADIUS", 2)
    assert align_lengths(first, second, ratio=1.0) == wide
    assert sum(bead.cost for bead in wide) == pytest.approx(cheapest(first.tolist(), second.tolist()))


def test_of_long_texts_no_path_is_cheaper_than_line_by_line():
    # Lengths as of Chinese and English: what lines of the second text cost alone adds up to tens of thousands, of which
    # rounding takes more than differences between paths that cost the same.
    generator = np.random.default_rng(2)
    first = generator.integers(10, 90, 400).astype(float)
    second = np.rint(3.7 * first * generator.lognormal(0.0, 0.3, 400))
    beads = align_lengths(first, second, ratio=3.7)
    assert sum(bead.cost for bead in beads) <= sum(cost(*pair, 0.89, 3.7) for pair in zip(first, second, strict=True))


def test_words_take_off_what_they_are_worth_and_joining_brings_nothing():
    # Twenty lines, so that a word in one or two of them is rare; "every" is in all.
    first = [f"every line{number} one{number}" for number in range(20)]
    second = [f"every line{number} two{number}" for number in range(20)]
    first[3] += " repeated"
    first[4] += " repeated"
    second[3] += " repeated"
    words = alignment._rare_words(*map(alignment._words, (first, second)))
    gains = alignment._shared_words(first, second, words)
    # line0 to line19 and "repeated"; the latter is in two of twenty lines.
    rare, twice = 0.5 * log(20), 0.5 * log(10)
    assert words == pytest.approx({f"line{number}": rare for number in range(20)} | {"repeated": twice})
    assert gains[1, 1][[1]].sum() == pytest.approx(rare)
    assert gains[1, 1][[4]].toarray()[0][4] == pytest.approx(rare + twice)
    # Lines 4 and 5 of the one text against line 4 of the other: "repeated" counts once.
    assert gains[2, 1][[5]].toarray()[0][4] == pytest.approx(rare + twice)
    # Both against both: two of their own, and "repeated" as often as the other text has it.
    assert gains[2, 2][[5]].toarray()[0][5] == pytest.approx(2 * rare + twice)


@pytest.mark.parametrize("shape", [(1, 1), (2, 1), (1, 3), (2, 2), (3, 2)])
def test_shared_words_are_counted_as_one_would_by_hand(shape):
    generator = np.random.default_rng(5)
    texts = [[" ".join(f"w{word}" for word in generator.integers(0, 60, 6)) for _ in range(30)] for _ in range(2)]
    spread = [Counter(word for line in text for word in set(line.split())) for text in texts]
    worth = {
        word: 0.5 * log(30 / max(spread[0][word], spread[1][word]))
        for word in spread[0].keys() & spread[1].keys()
        if max(spread[0][word], spread[1][word]) <= 3
    }
    words = alignment._rare_words(*map(alignment._words, texts))
    assert words == pytest.approx(worth)
    found = alignment._shared_words(*texts, words)[shape].toarray()
    for i in range(shape[0], 31):
        for j in range(shape[1], 31):
            one = Counter(word for line in texts[0][i - shape[0] : i] for word in line.split())
            other = Counter(word for line in texts[1][j - shape[1] : j] for word in line.split())
            expected = sum(value * min(one[word], other[word], 3) for word, value in worth.items())
            assert found[i, j] == pytest.approx(expected)


def test_a_line_without_a_counterpart_joins_the_neighbour_that_is_too_long():
    # The other text has the second line in its first one (lengths 40 and 60 against 100), or in its last.
    before = alignment._without_empty(
        [Bead((0, 1), (0, 1), 1.0), Bead((1, 2), (1, 1), 2.0), Bead((2, 3), (1, 2), 3.0)],
        *lengths([40, 60, 80], [100, 80]),
    )
    assert before == [((0, 2), (0, 1), 3.0), ((2, 3), (1, 2), 3.0)]
    behind = alignment._without_empty(
        [Bead((0, 1), (0, 1), 1.0), Bead((1, 2), (1, 1), 2.0), Bead((2, 3), (1, 2), 3.0)],
        *lengths([40, 60, 80], [40, 140]),
    )
    assert behind == [((0, 1), (0, 1), 1.0), ((1, 3), (1, 2), 5.0)]


def test_every_bead_has_lines_of_both_texts():
    generator = np.random.default_rng(8)
    for _ in range(10):
        texts = [
            [f"w{word} " * int(generator.integers(1, 20)) for word in range(generator.integers(1, 15))] for _ in "ab"
        ]
        beads = align(*texts)
        assert all(bead.first[0] < bead.first[1] and bead.second[0] < bead.second[1] for bead in beads)
        for side, text in enumerate(texts):
            assert [line for bead in beads for line in range(*bead[side])] == list(range(len(text)))


def test_texts_without_blanks_share_pairs_of_letters():
    chinese = ["太初有道，道与神同在", "这道太初与神同在，万物是借着他造的", "生命在他里头，这生命就是人的光"]
    assert alignment._words(["word for word"]) == [["word", "for", "word"]]
    assert "太初" in alignment._words(["".join(chinese).replace("，", "")])[0]


def joined(lines: list[str], share: float, generator: np.random.Generator) -> tuple[list[str], list[int]]:
    """Lines of which a share was joined to the one before, and where they are still apart."""
    cuts = [0, *(line for line in range(1, len(lines)) if generator.random() > share), len(lines)]
    return [" ".join(lines[start:stop]) for start, stop in pairwise(cuts)], cuts


def precision_and_recall(first: list[str], second: list[str], share: float, seed: int) -> tuple[float, float]:
    """Of the cuts that were found between both texts, and of those that both have."""
    generator = np.random.default_rng(seed)
    (one, cuts), (other, others) = joined(first, share, generator), joined(second, share, generator)
    true = {(cuts.index(cut), others.index(cut)) for cut in {*cuts} & {*others}} - {(0, 0)}
    found = {(bead.first[1], bead.second[1]) for bead in align(one, other)}
    return len(true & found) / len(found), len(true & found) / len(true)


def demo_lines(name: str) -> list[str]:
    return Path(CAMPAIGN, f"{name}.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("share", [0.0, 0.1, 0.25])
def test_lines_that_were_joined_at_random_are_found_again(share):
    measured = [
        precision_and_recall(demo_lines(f"ref.{one}"), demo_lines(f"ref.{other}"), share, seed)
        for one, other in ("AB", "AC", "BC")
        for seed in range(3)
    ]
    precision, recall = np.mean(measured, axis=0)
    assert precision > 0.95
    assert recall > 0.95


@needs_data
@pytest.mark.parametrize(
    ("book", "one", "other"),
    [
        ("luke1-4", "luther1912", "schlachter1951"),
        ("luke", "menge1939", "greber1936"),
        ("matthew", "elberfelder1905", "albrecht1926"),
    ],
)
def test_verses_that_were_joined_at_random_are_found_again(book, one, other):
    texts = [(DATA / "bible-de" / book / f"ref.{name}.txt").read_text().splitlines() for name in (one, other)]
    for share, least in ((0.0, 0.97), (0.1, 0.95), (0.3, 0.87)):
        precision, recall = precision_and_recall(*texts, share, seed=1)
        assert precision > least, share
        assert recall > least, share


@pytest.fixture
def folder(tmp_path) -> Path:
    """Two references of the demo, a system and its source; B has its third and fourth lines in one."""
    path = tmp_path / "texts"
    path.mkdir()
    second = demo_lines("ref.B")[:12]
    texts = {
        "ref.A": demo_lines("ref.A")[:12],
        "ref.B": [*second[:2], f"{second[2]} {second[3]}", *second[4:]],
        "src": demo_lines("src")[:12],
        "sys.s": [f"s{number}" for number in range(12)],
    }
    for name, lines in texts.items():
        (path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_texts_get_the_smallest_segmentation_that_they_have_in_common(folder):
    aligned = read_aligned(folder)
    assert aligned.merges == ("3-4 (for ref.B)",)
    assert len(aligned.campaign) == 11
    assert aligned.campaign.references["A"][2] == " ".join(demo_lines("ref.A")[2:4])
    assert aligned.campaign.references["B"][2] == " ".join(demo_lines("ref.B")[2:4])
    # What the system says to the joined lines of its source is one, too: it is not aligned by its words.
    assert list(aligned.campaign.systems["s"])[:4] == ["s0", "s1", "s2 s3", "s4"]
    assert aligned.said == "2 texts aligned with ref.A, which has 12 lines."


def test_the_table_says_which_lines_went_together_and_what_that_cost(folder):
    header, *rows = read_aligned(folder).rows
    assert header[:6] == ["segment", "cost", "ref.A", "ref.B", "src", "sys.s"]
    assert header[6:] == ["ref.A text", "ref.B text", "src text", "sys.s text"]
    assert [rows[2][0], *rows[2][2:6]] == ["3-4", "3-4", "3", "3-4", "3-4"]
    assert rows[2][7] == " ".join(demo_lines("ref.B")[2:4])
    texts = [
        folder.joinpath(f"{name}.txt").read_text(encoding="utf-8").splitlines() for name in ("ref.A", "ref.B", "src")
    ]
    # The mean over both texts that were aligned with ref.A.
    by_hand = [align(texts[0], text) for text in texts[1:]]
    third = [sum(bead.cost for bead in beads if bead.first[0] in (2, 3)) for beads in by_hand]
    assert float(rows[2][1]) == pytest.approx(sum(third) / 2, abs=0.005)


def test_a_corrected_table_is_taken_as_it_is(folder, tmp_path):
    aligned = read_aligned(folder)
    table = tmp_path / "alignment.tsv"
    table.write_bytes(b"".join(aligned.spelled()))
    again = read_aligned(folder, table)
    assert again.campaign.segments == aligned.campaign.segments
    assert list(again.campaign.references["B"]) == list(aligned.campaign.references["B"])
    # Somebody joins the first two segments.
    header, first, second, *others = [row[:6] for row in aligned.rows]
    rows = [header, ["1-2", "-", "1-2", "1 - 2", "1-2", "1-2"], *others]
    assert second[2:] == ["2", "2", "2", "2"]
    table.write_text("".join("\t".join(row) + "\n" for row in rows))
    found = read_aligned(folder, table)
    assert found.merges[0].startswith("1-2")
    assert list(found.campaign.systems["s"])[:2] == ["s0 s1", "s2 s3"]
    assert len(found.campaign) == 10
    assert first[0] == "1"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("2\t2\t2\t2\n", "3\t2\t2\t2\n"), "line 3, column 5: the lines of ref.A are 3, but line 2 comes next"),
        (("2\t2\t2\t2\n", "2\ttwo\t2\t2\n"), "the lines of ref.B are 'two', but 7 or 7-8 is needed"),
        (("2\t2\t2\t2\n", "2\t2\t2\t2-1\n"), "the lines of sys.s are 2-1, but line 2 comes next"),
        (("12\t-\t12\t11\t12\t12\n", ""), "line 12 of ref.A, the first of 1, is in no segment"),
        (
            ("12\t11\t12\t12\n", "12-13\t11\t12\t12\n"),
            r"the lines of ref.A are 12-13, but line 12 comes next \(it has 12\)",
        ),
        (("sys.s", "sys.t"), "no column 'sys.s'. Did you mean it by 'sys.t'?"),
    ],
)
def test_a_table_that_leaves_lines_out_or_takes_them_twice_is_refused(folder, tmp_path, change, said):
    rows = [[row[0], "-", *row[2:6]] for row in read_aligned(folder).rows]
    rows[0][1] = "cost"
    table = tmp_path / "alignment.tsv"
    text = "".join("\t".join(row) + "\n" for row in rows)
    assert change[0] in text
    table.write_text(text.replace(*change))
    with pytest.raises(assay.InputError, match=said):
        read_aligned(folder, table)


@pytest.mark.filterwarnings("ignore:Judgements of merged:assay.errors.AssayWarning")
def test_names_labels_and_judgements_go_with_the_lines(folder):
    (folder / "segments.txt").write_text("".join(f"v.{number}\n" for number in range(1, 13)))
    (folder / "docs.txt").write_text("x\n" * 6 + "y\n" * 6)
    (folder / "human.tsv").write_text("system\tsegment\tdocument\trater\tscore\tkind\ns\t4\t-\tr\t7\tda\n")
    found = read_aligned(folder).campaign
    assert found.segments[:4] == ("v.1", "v.2", "v.3-v.4", "v.5")
    assert found.documents == ("x",) * 5 + ("y",) * 6
    # The fifth line of the system is the fourth segment.
    assert found.judgements.segment.tolist() == [3]


def test_what_cannot_be_aligned_is_refused(folder, tmp_path):
    with pytest.raises(assay.InputError, match=r"ref.A.txt has 12 lines and ref.B.txt 11, .* aligned: --align"):
        convert(folder, tmp_path / "merged", merge=True)
    with pytest.raises(assay.InputError, match="go with --merge"):
        convert(folder, tmp_path / "merged", align=True)
    with pytest.raises(assay.InputError, match="is no folder of texts"):
        convert(folder / "ref.A.txt", tmp_path / "merged", merge=True, align=True)
    (folder / "segments.ref.B.txt").write_text("1\n" * 11)
    with pytest.raises(assay.InputError, match="Leave out --align"):
        read_aligned(folder)
    (folder / "segments.ref.B.txt").unlink()
    (folder / "ref.C.txt").write_text("")
    with pytest.raises(assay.InputError, match=r"ref\.C\.txt has no words"):
        read_aligned(folder)
    (folder / "ref.C.txt").write_text("\n \n")
    with pytest.raises(assay.InputError, match=r"ref\.C\.txt has no words"):
        read_aligned(folder)
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / "ref.A.txt").write_text("a\n")
    with pytest.raises(assay.InputError, match="fewer than two texts"):
        read_aligned(alone)


def test_texts_that_may_not_go_together_are_named(folder):
    (folder / "ref.C.txt").write_text("".join(f"c{number}\n" for number in range(9)))
    with pytest.warns(AssayWarning, match=r"ref\.C and ref\.A share 0 rare words, so that it is mostly lengths"):
        read_aligned(folder)
    # Beads that cost 0.9 and 1.5 cost 1.2 in the mean, where lengths that fit cost 1.
    lines = demo_lines("ref.A")[:12]
    beads = [Bead((0, 5), (0, 6), 0.9), Bead((5, 12), (6, 12), 1.5)]
    assert alignment.doubt(lines, lines, beads).startswith("share words, but not where lines are as long (1.2 a seg")
    assert alignment.doubt(lines, lines, beads[:1]) is None


def test_a_column_that_nothing_speaks_of_is_named(folder):
    (folder / "speaker.txt").write_text("x\n" * 12)
    with pytest.warns(AssayWarning, match="not merged, as nothing says what their lines hold: speaker.txt"):
        read_aligned(folder)
