"""What a format can hold comes back as it was; what it cannot hold is said."""

from __future__ import annotations

import hashlib
import re
import sys
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.data.conversion import write
from assay.data.formats.judgements import JUDGEMENT_FORMATS, read_judgements
from assay.data.judgements import ErrorSpan, Judgement, Judgements
from assay.data.mqm_weights import ALIASES, PUBLISHED
from assay.data.problems import STRICT
from assay.errors import AssayWarning, InputError, MissingExtra
from assay.people.rankings import METHODS
from data.judgements.campaigns import CAMPAIGN, MAJOR, MQM, judged, plain, round_trip

DA = (
    Judgement("A", 0, 80.0, "da", "r1", "d1"),
    Judgement("A", 3, 12.5, "da", "r2", "d2"),
    Judgement("B", 0, 0.1, "da", "r1", "d1"),
)
ESA = tuple(
    replace(one, kind="esa", score=score, spans=tuple(span for span in one.spans or () if not span.in_source))
    for one, score in zip(MQM, (30.0, 100.0, 55.0, 41.0), strict=True)
)
RANKS = tuple(
    Judgement(system, segment, -rank, "rr-rank", rater, document, ranking)
    for system, segment, rank, rater, document, ranking in (
        ("A", 0, 1.0, "r1", "d1", "1"),
        ("B", 0, 2.0, "r1", "d1", "1"),
        ("A", 3, 1.0, "r2", "d2", "2"),
        ("B", 3, 1.0, "r2", "d2", "2"),
    )
)
GRADES = (
    Judgement("A", 0, 4.0, "adequacy", "r1", "d1"),
    Judgement("A", 0, 5.0, "fluency", "r1", "d1"),
    Judgement("A", 0, 3.0, "adequacy", "r1", "d1"),
    Judgement("B", None, 2.0, "fluency", "r2", "d2"),
)


#: Which reference a judge saw.
AGAINST = tuple(replace(one, reference=name) for one, name in zip(GRADES, ("A", "A", None, "B"), strict=True))


def unnamed(*rows: Judgement) -> tuple[Judgement, ...]:
    return tuple(replace(one, rater=None, document=None) for one in rows)


@pytest.mark.parametrize(
    ("format_name", "name", "rows"),
    [
        ("assay", "human.tsv", DA),
        ("assay", "human.tsv", (*DA, *AGAINST)),
        ("mqm", "mqm.tsv", MQM),
        ("mqm-marot", "mqm.tsv", MQM),
        ("mqm-unbabel", "mqm.tsv", tuple(replace(one, score=one.score + 0.25) for one in MQM)),
        ("mqm-averages", "mqm.tsv", tuple(replace(one, kind="mqm-avg") for one in unnamed(*DA))),
        ("error-spans", "errors.tsv", MQM),
        ("error-spans", "errors.tsv", tuple(replace(one, reference="A") for one in MQM)),
        ("ranking", "rankings.tsv", RANKS),
        ("ranking-wmt", "rankings.csv", RANKS),
        ("adequacy-fluency", "grades.tsv", GRADES),
        ("adequacy-fluency", "grades.tsv", AGAINST),
        ("mtme-rating", "en-de.mqm.r1.seg.rating", tuple(replace(one, document=None) for one in (MQM[0], MQM[3]))),
        ("mtme-rating-jsonl", "ratings.jsonl", MQM),
        ("pearmut", "annotations.jsonl", ESA),
        ("jsonl", "judgements.jsonl", (*MQM, *DA, *RANKS, *GRADES)),
        ("parquet", "judgements.parquet", (*MQM, *DA, *RANKS, *GRADES)),
        ("jsonl", "judgements.jsonl", (*DA, *AGAINST)),
        ("parquet", "judgements.parquet", (*DA, *AGAINST)),
        ("esa", "scores.csv", ESA),
    ],
)  # fmt: skip
def test_what_a_format_holds_comes_back(
    tmp_path: Path, format_name: str, name: str, rows: tuple[Judgement, ...]
) -> None:
    found = round_trip(tmp_path, name, format_name, judged(*rows))
    assert sorted(map(repr, found)) == sorted(map(repr, rows))


def test_judgements_are_written_by_the_name_of_the_file_or_the_format_that_is_given(tmp_path: Path) -> None:
    (file,) = write(judged(*DA), tmp_path / "mine.jsonl")
    assert plain(read_judgements(file)) == [*DA]
    with pytest.raises(InputError, match=r"mine\.jsonl is there already"):
        write(judged(*DA), file)
    write(judged(*GRADES), file, output_format="adequacy-fluency", overwrite=True)
    assert file.read_text().startswith("system\tdocument\tsegment\trater\tadequacy\tfluency\n")
    with pytest.raises(InputError, match="Judgements have no texts, so they cannot be written as sgml"):
        write(judged(*DA), tmp_path / "mine", output_format="sgml")


def test_scores_per_segment_come_back_without_those_that_nobody_gave(tmp_path: Path) -> None:
    rows = unnamed(*DA)
    # Two systems of four segments have eight lines.
    with pytest.warns(AssayWarning, match=rf"left out were {8 - len(rows)} lines with None, where nobody judged"):
        found = round_trip(tmp_path, "en-de.da.seg.score", "mtme-score", judged(*rows))
    assert list(found) == list(rows)


def test_judgements_without_a_score_are_said_where_they_look_like_none() -> None:
    rows = [Judgement("A", 0, 1.0, "da"), Judgement("A", 1, np.nan, "da")]
    with pytest.warns(AssayWarning, match="cannot tell 1 judgements of kind da without a score from items"):
        written = JUDGEMENT_FORMATS["mtme-score"].write(Judgements.of(rows, "test"), None)
    assert written == {"": b"A\t1.0\nA\tNone\n"}


def test_a_file_of_scores_in_which_nobody_judged_is_said_to_be_empty(tmp_path: Path) -> None:
    (tmp_path / "en-de.da.seg.score").write_text("A\tNone\n")
    with pytest.raises(InputError, match="no judgements in it, only None"):
        JUDGEMENT_FORMATS["mtme-score"].read(str(tmp_path / "en-de.da.seg.score"), None, STRICT)


def test_every_format_is_tried_here() -> None:
    (marks,) = test_what_a_format_holds_comes_back.pytestmark  # type: ignore[attr-defined]
    tried = marks.args[1]
    assert {row[0] for row in tried} | {"mtme-score"} == set(JUDGEMENT_FORMATS)


def test_every_format_and_every_table_of_weights_is_in_the_guide() -> None:
    guide = (Path(__file__).parents[3] / "docs" / "guides" / "judgements.md").read_text(encoding="utf-8")
    for name in (*JUDGEMENT_FORMATS, *PUBLISHED, *ALIASES.keys() - {"mqm"}, *METHODS):
        assert f"`{name}`" in guide, name


spans = st.none() | st.lists(
    st.builds(
        lambda severity, category, place, in_source, weight: ErrorSpan(severity, category, *place, in_source, weight),
        st.sampled_from(["major", "minor"]),
        st.sampled_from(["", "style"]),
        st.sampled_from([(None, None), (0, 0), (2, 9)]),
        st.booleans(),
        st.sampled_from([None, 0.0, 2.5]),
    ),
    max_size=2,
).map(tuple)
names = st.text("aé#\"',\t\n {}", min_size=1, max_size=4)
anything = st.builds(
    Judgement,
    system=names,
    segment=st.none() | st.integers(0, 9),
    score=st.floats(-1e30, 1e30),
    kind=names,
    rater=st.none() | names,
    document=st.none() | names,
    ranking=st.none() | names,
    spans=spans,
    further=st.dictionaries(st.just("hit"), names, max_size=1),
)


@given(st.lists(anything, min_size=1, max_size=5), st.sampled_from(["jsonl", "parquet"]))
def test_the_formats_without_loss_lose_nothing(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Judgement], name: str
) -> None:
    folder = tmp_path_factory.mktemp("lossless")
    path = folder / f"judgements.{name}"
    path.write_bytes(JUDGEMENT_FORMATS[name].write(judged(*rows), None)[""])
    with warnings.catch_warnings():
        # Names that differ in blanks alone are mentioned.
        warnings.simplefilter("ignore", AssayWarning)
        assert plain(read_judgements(path)) == rows


def test_parquet_says_which_extra_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"-m pip install pyarrow"):
        JUDGEMENT_FORMATS["parquet"].write(judged(*DA), None)


@pytest.mark.parametrize(
    ("format_name", "rows", "said"),
    [
        ("assay", MQM, "assay has no place for 4 lists of marked errors"),
        ("mqm", (*MQM, *DA), "no place for 3 judgements without marked errors"),
        ("mqm", (replace(MQM[0], score=-7.0),), "1 of them are not those of the weights 'google'"),
        ("mqm", (replace(MQM[0], further={"hit": "1"}),), r"no place for 1 further columns \(hit\)"),
        ("mqm-unbabel", (replace(MQM[0], further={"comment": "1"}),), r"no place for 1 further columns \(comment\)"),
        ("mqm-averages", MQM, "4 judgements of kind mqm became 3 means"),
        ("mqm-averages", DA, "mqm-averages has no place for 3 names of raters, 3 names of documents"),
        ("mtme-score", DA, "mtme-score has no place for 3 names of raters"),
        ("adequacy-fluency", MQM, "no place for 4 lists of marked errors"),
        ("pearmut", (*ESA, Judgement("A", None, 3.0, "esa", "r1", "d1")), "no place for 1 judgements of documents"),
        ("mtme-rating", (MQM[0], DA[0]), "no place for 1 judgements without marked errors"),
        ("mtme-rating-jsonl", (MQM[0], DA[0]), "no place for 1 judgements without marked errors"),
        ("pearmut", (replace(ESA[0], further={"hit": "1"}),), r"1 further columns \(hit\)"),
        ("ranking-wmt", tuple(replace(one, kind="odd") for one in RANKS), r"1 names of kinds \(odd\)"),
        ("ranking", (replace(RANKS[0], further={"hit": "1"}),), r"1 further columns \(hit\)"),
        ("esa", (*DA, GRADES[0]), r"2 names of kinds \(da, adequacy\)"),
        ("mqm-averages", (replace(DA[0], kind="da-sqm"),), r"1 names of kinds \(da-sqm\)"),
        ("esa", MQM, "no place for 1 places in the source"),
        # Errors beside scores are read as ESA.
        ("esa", (replace(MQM[0], kind="mqm"),), r"1 names of kinds \(mqm\)"),
        ("pearmut", (replace(MQM[0], kind="mqm"),), r"1 names of kinds \(mqm\)"),
        ("pearmut", (replace(MQM[0], spans=(replace(MAJOR, weight=2.0),)),), "no place for 1 costs of errors"),
    ],
)
def test_what_a_format_cannot_hold_is_said(format_name: str, rows: tuple[Judgement, ...], said: str) -> None:
    with pytest.warns(AssayWarning) as caught:
        JUDGEMENT_FORMATS[format_name].write(judged(*rows), CAMPAIGN)
    assert any(re.search(said, str(one.message)) for one in caught), [str(one.message) for one in caught]


@pytest.mark.parametrize("format_name", ["mqm", "mqm-marot", "mqm-unbabel", "mtme-rating-jsonl"])
def test_formats_that_hold_the_texts_need_the_campaign(format_name: str) -> None:
    with pytest.raises(InputError, match="campaign"):
        JUDGEMENT_FORMATS[format_name].write(judged(*MQM), None)


@pytest.mark.parametrize("format_name", ["mqm", "mqm-marot", "mqm-unbabel", "mtme-rating", "pearmut", "esa"])
def test_repeats_are_refused_where_a_format_would_run_them_together(format_name: str) -> None:
    twice = judged(MQM[0], MQM[0])
    with pytest.raises(InputError, match=rf"test, judgement 2: .*{format_name} has no place for repeats \(1 of them\)"):
        JUDGEMENT_FORMATS[format_name].write(twice, CAMPAIGN)


def test_means_count_each_rater_once_however_often_one_judged() -> None:
    rows = [Judgement("A", 0, score, "da", rater) for score, rater in ((10.0, "r1"), (20.0, "r1"), (45.0, "r2"))]
    with pytest.warns(AssayWarning) as caught:
        written = JUDGEMENT_FORMATS["mtme-score"].write(Judgements.of(rows, "test"), None)
    assert "3 judgements of kind da became 1 means" in str(caught[1].message)
    # (15 + 45) / 2
    assert written == {"": b"A\t30.0\n"}


def test_several_kinds_and_levels_become_several_files() -> None:
    rows = [
        Judgement("A", 1, 1.0, "da"),
        Judgement("A", None, 2.0, "da"),
        Judgement("A", None, 3.0, "mqm", document="d2"),
        Judgement("A", None, 4.0, "mqm", document="news", further={"level": "domain"}),
    ]
    files = JUDGEMENT_FORMATS["mtme-score"].write(judged(*rows), CAMPAIGN)
    assert {name: content.decode() for name, content in files.items()} == {
        "en-de.da.seg.score": "A\tNone\nA\t1.0\nA\tNone\nA\tNone\n",
        "en-de.da.sys.score": "A\t2.0\n",
        "en-de.mqm.doc.score": "A\tNone\nA\t3.0\n",
        "en-de.mqm.domain.score": "news\tA\t4.0\n",
    }


def test_ratings_of_several_raters_become_several_files() -> None:
    files = JUDGEMENT_FORMATS["mtme-rating"].write(judged(*(replace(one, document=None) for one in MQM)), CAMPAIGN)
    assert sorted(files) == ["en-de.mqm.r1.seg.rating", "en-de.mqm.r2.seg.rating"]
    assert files["en-de.mqm.r2.seg.rating"].count(b"None") == 3


def test_errors_beside_the_scores_come_back_without_them(tmp_path: Path) -> None:
    # The table of errors alone does not know of the item that nobody found an error in.
    files = JUDGEMENT_FORMATS["error-spans"].write(judged(*MQM), None)
    (tmp_path / "errors.tsv").write_bytes(files[""])
    with pytest.warns(AssayWarning, match="items without errors have no row here and are missing"):
        alone = read_judgements(tmp_path / "errors.tsv")
    assert [(one.system, one.rater, one.score) for one in alone] == [
        ("A", "r1", -5.1), ("B", "r2", -6.0), ("B", "r1", -5.0),
    ]  # fmt: skip
    (tmp_path / "human.tsv").write_bytes(files["human.tsv"])
    assert plain(read_judgements(tmp_path / "errors.tsv")) == list(MQM)


def test_an_error_of_a_system_without_text_is_refused() -> None:
    stranger = judged(Judgement("C", 0, -5.0, "mqm", "r1", spans=(MAJOR,)))
    with pytest.raises(LookupError, match="no system in the campaign"):
        JUDGEMENT_FORMATS["mqm"].write(stranger, CAMPAIGN)


def test_a_table_of_errors_is_not_written_empty() -> None:
    with pytest.raises(InputError, match="nobody marked an error"):
        JUDGEMENT_FORMATS["error-spans"].write(judged(*DA), None)


def test_a_number_far_out_does_not_fill_the_disk_with_none() -> None:
    with pytest.raises(InputError, match="a judgement of segment 999999999, and every segment before it"):
        JUDGEMENT_FORMATS["mtme-score"].write(Judgements.of([Judgement("A", 999_999_999, 1.0, "da")], "test"), None)


def test_the_reference_that_was_judged_against_is_part_of_the_digest_only_where_there_is_one():
    judgements = judged(*GRADES)
    hashed = hashlib.sha256()
    for name in ("system", "kind", "rater", "document", "ranking"):
        factor = getattr(judgements, name)
        hashed.update("\n".join(factor.names).encode() + factor.codes.tobytes())
    hashed.update(judgements.segment.tobytes() + judgements.score.tobytes())
    assert judgements.digest == hashed.hexdigest()[:16]
    assert judged(*AGAINST).digest != judgements.digest


def test_references_of_judgements_stay_with_them():
    judgements = judged(*AGAINST)
    assert list(judgements.only(np.array([3, 0])).reference) == ["B", "A"]
    assert list(judgements.of_kinds("fluency").reference) == ["A", "B"]
    assert list(judged(*DA).joined(judgements).reference) == [None, None, None, "A", "A", None, "B"]
    assert list(judged(*DA).reference) == [None] * 3


def test_a_column_of_references_in_a_table_of_grades_is_no_grade(tmp_path):
    path = tmp_path / "grades.csv"
    path.write_text("sysid,segid,judge,ref,adequacy\nA,1,r1,E01,4\nA,2,r1,E02,3\n")
    assert [(one.segment, one.reference, one.score) for one in read_judgements(path)] == [(0, "E01", 4), (1, "E02", 3)]


def test_formats_without_a_place_for_references_say_so(tmp_path):
    rows = tuple(replace(one, reference="A") for one in DA)
    with pytest.warns(AssayWarning, match="3 names of references that were judged against"):
        round_trip(tmp_path, "mqm.tsv", "mqm-averages", judged(*(replace(one, kind="mqm-avg") for one in rows)))
