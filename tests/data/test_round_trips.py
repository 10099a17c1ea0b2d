"""What is written is read back: every format, with texts that are hard to write."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import assay
from assay.data.campaign import Campaign
from assay.data.conversion import write
from assay.data.formats import guess_format, read
from assay.data.judgements import Judgement, Judgements
from assay.data.texts import Texts
from assay.demo import CAMPAIGN
from assay.errors import AssayWarning, InputError, ParameterError

DATA = Path(__file__).parents[2].parent / "shared" / "data"

#: Empty, quotes, mark-up, ends that are layout elsewhere, breaks that are none, emoji, right to left.
HARD = (
    "",
    "she said \"no\", and 'yes'",
    "a < b && c > d &amp; &lt;seg&gt; </seg> <!-- x -->",
    "  two spaces before, three after   ",
    "a lone\rcarriage return, \u2028 a separator, \x85 and \u00a0",
    "👩‍👩‍👧 emoji and שלום עולם مرحبا",
    "\ufeffa mark",
    "'",
)
NAMES = {"folder": "out", "tsv": "out.tsv", "csv": "out.csv.gz", "jsonl": "out.jsonl.zst", "parquet": "out.parquet"}
MARKED = {"sgml": "out.sgm", "wmt-xml": "out.xml", "mt-metrics-eval": "out-en-de"}
EVERY = {**NAMES, **MARKED}


def campaign(texts: tuple[str, ...] = HARD, **more: object) -> Campaign:
    count = len(texts)
    given: dict[str, object] = {
        "systems": {"online-A": texts, "source": texts[::-1], "B.2": ["x"] * count},
        "references": {"A": texts[1:] + texts[:1], "pe.online-A": ["y"] * count},
        "source": texts[::-1],
        "documents": tuple(f"d{index // 3} & co" for index in range(count)),
        "domains": tuple("chat" if index // 3 % 2 else "news" for index in range(count)),
    }
    return Campaign("test-en-de", **{**given, **more})  # type: ignore[arg-type]


def same(first: Campaign, second: Campaign) -> bool:
    for part in ("systems", "references", "columns"):
        one, other = getattr(first, part), getattr(second, part)
        assert {name: list(texts) for name, texts in one.items()} == {
            name: list(texts) for name, texts in other.items()
        }
    assert (first.source is None) == (second.source is None)
    assert list(first.source or []) == list(second.source or [])
    for part in ("documents", "domains", "segments", "targeted"):
        assert getattr(first, part) == getattr(second, part), part
    everywhere = np.ones(len(first), dtype=bool)
    for name in first.references:
        assert first.present.get(name, everywhere).tolist() == second.present.get(name, everywhere).tolist()
    return True


def fitting(before: Campaign, name: str) -> Campaign:
    """With names that the format can have."""
    if name != "mt-metrics-eval":
        return before
    documents = tuple(document.replace(" ", "_") for document in before.documents or ())
    references = {reference.partition(".")[0]: texts for reference, texts in before.references.items()}
    return replace(before, documents=documents, references=references, targeted={"pe"})


def there_and_back(before: Campaign, path: Path, output_format: str | None = None) -> Campaign:
    written = write(before, path, output_format=output_format, overwrite=True)
    assert all(file.is_file() for file in written)
    return read(path)


@pytest.mark.parametrize("name", EVERY)
def test_hard_texts_are_read_back(tmp_path: Path, name: str) -> None:
    before = fitting(campaign(), name)
    path = tmp_path / EVERY[name]
    with warnings.catch_warnings():
        # A mark at the beginning of a text file is mentioned when it is read.
        warnings.simplefilter("ignore", AssayWarning)
        after = there_and_back(before, path, name)
    assert guess_format(path) == name
    assert same(before, after)


@pytest.mark.parametrize("name", ["csv", "jsonl", "parquet", "sgml", "wmt-xml", "mt-metrics-eval"])
def test_line_ends_inside_of_texts_are_read_back(tmp_path: Path, name: str) -> None:
    before = fitting(campaign(("one\ntwo", "\n", "end\r\n", "\tin\ta table\t", "five")), name)
    assert same(before, there_and_back(before, tmp_path / EVERY[name], name))


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0\n\t", exclude_categories=["Cs"]), max_size=8)
_CONTROLS = "".join(chr(code) for code in range(32) if code not in (9, 10, 13)) + "\ufffe\uffff"


@pytest.mark.parametrize("name", EVERY)
@settings(
    max_examples=25, suppress_health_check=[*settings().suppress_health_check, HealthCheck.function_scoped_fixture]
)
@given(texts=st.lists(TEXT, min_size=1, max_size=5))
def test_any_texts_are_read_back(tmp_path: Path, name: str, texts: list[str]) -> None:
    if name == "wmt-xml":
        texts = [text.translate(dict.fromkeys(map(ord, _CONTROLS))) for text in texts]
    if name == "tsv":
        texts = [text.rstrip("\r") for text in texts]
    before = fitting(campaign(tuple(texts)), name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssayWarning)
        # Whether a text needs JSON Lines decides what files there are, and none is left over from the text before.
        with TemporaryDirectory(dir=tmp_path) as folder:
            assert same(before, there_and_back(before, Path(folder) / EVERY[name], name))


@pytest.mark.parametrize("name", ["folder", "tsv", "csv", "jsonl", "parquet", "wmt-xml"])
def test_columns_and_names_of_segments_are_kept(tmp_path: Path, name: str) -> None:
    before = campaign(
        ("a", "b", "c", "d"),
        segments=("s1", "s2", "s3", "s4"),
        columns={"register": ["formal", "", "casual", "x"], "origlang": ["en", "en", "en", "de"]},
    )
    assert same(before, there_and_back(before, tmp_path / EVERY[name]))


def test_sgml_keeps_attributes_of_documents_and_tells_of_other_columns(tmp_path: Path) -> None:
    columns = {"register": ["formal", "x"], "origlang": ["en", "de"]}
    before = campaign(("a", "b"), columns=columns, segments=("7", "9"), documents=("d1", "d2"))
    with pytest.warns(AssayWarning, match="no place for the columns register"):
        after = there_and_back(before, tmp_path / "out.sgm")
    assert same(replace(before, columns={"origlang": ["en", "de"]}), after)


@pytest.mark.parametrize("name", ["jsonl", "parquet", "sgml", "wmt-xml", "mt-metrics-eval"])
def test_absent_references_stay_absent(tmp_path: Path, name: str) -> None:
    present = {"A": np.array([True, False, True])}
    texts = {"A": ["a", "", ""], "B": list("xyz")}
    before = campaign(("a", "b", "c"), references=texts, documents=("d", "d", "e"), present=present)
    assert same(before, there_and_back(before, tmp_path / EVERY[name], name))


@pytest.mark.parametrize("name", ["folder", "tsv", "csv"])
def test_absent_references_without_a_place_are_told(tmp_path: Path, name: str) -> None:
    before = campaign(("a", "b"), documents=None, references={"A": ["a", ""]}, present={"A": np.array([True, False])})
    with pytest.warns(AssayWarning, match="written as empty: 1 of reference 'A'"):
        write(before, tmp_path / EVERY[name], output_format=name)


@pytest.mark.parametrize("name", EVERY)
def test_a_campaign_of_references_alone_is_read_back(tmp_path: Path, name: str) -> None:
    source = Texts.of(["x", "y"]) if name == "mt-metrics-eval" else None
    before = Campaign("x-en-de", systems={}, references={"A": ["a", ""]}, source=source)
    assert same(before, there_and_back(before, tmp_path / EVERY[name], name))


def test_documents_that_come_again_are_read_back(tmp_path: Path) -> None:
    before = campaign(("a", "b", "c"), documents=("one", "two", "one"))
    with pytest.warns(AssayWarning, match="mteval takes each document once"):
        assert same(before, there_and_back(before, tmp_path / "out.sgm"))
    assert same(before, there_and_back(before, tmp_path / "out.xml"))


def test_a_tab_has_no_place_in_tsv(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"segment 0 of online-A holds a tab.*Write CSV"):
        write(campaign(("a\tb", "c")), tmp_path / "out.tsv")
    assert list(tmp_path.iterdir()) == []


def test_a_line_end_has_no_place_in_a_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"out/src\.txt: segment 1 holds a line end"):
        write(campaign(("a\nb", "c")), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_control_character_has_no_place_in_xml(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"the character U\+0007"):
        write(campaign(("a\x07", "c")), tmp_path / "out.xml")
    assert list(tmp_path.iterdir()) == []


def test_judgements_stand_in_a_folder_and_are_told_of_elsewhere(tmp_path: Path) -> None:
    judgements = Judgements.of([Judgement("online-A", 1, 70.5, "da", "r1", further={"hit": "2"})], "here")
    before = campaign(("a", "b")).with_judgements(judgements)
    after = there_and_back(before, tmp_path / "out")
    assert after.judgements is not None
    assert list(after.judgements) == [Judgement("online-A", 1, 70.5, "da", "r1", further={"hit": "2"}, line=2)]
    with pytest.warns(AssayWarning, match="no place for the judgements of test-en-de"):
        write(before, tmp_path / "out.csv")


def test_post_edits_by_another_name_are_told(tmp_path: Path) -> None:
    with pytest.warns(AssayWarning, match="no place for that A are post-edits"):
        write(campaign(("a",), targeted={"A"}), tmp_path / "out.jsonl")


def test_names_that_no_file_can_have_are_refused(tmp_path: Path) -> None:
    for name in ("a/b", ".a"):
        with pytest.raises(InputError, match="no file can be called"):
            write(
                Campaign("x", systems={name: ["a"]}, references={"A": ["a"]}, source=["b"]),
                tmp_path / "out",
                output_format="mt-metrics-eval",
                pair="en-de",
            )
    with pytest.raises(InputError, match="a column cannot be called 'src'"):
        write(campaign(("a",), columns={"src": ["x"]}), tmp_path / "out")
    with pytest.raises(InputError, match="cannot be the name of a column"):
        write(Campaign("x", systems={" a": ["a"]}, references={"A": ["a"]}), tmp_path / "out.csv")


def test_nothing_is_overwritten_unless_asked(tmp_path: Path) -> None:
    path = tmp_path / "out.tsv"
    path.write_text("mine")
    with pytest.raises(InputError, match="is there already"):
        write(campaign(("a",)), path)
    assert path.read_text() == "mine"
    write(campaign(("a",)), path, overwrite=True)
    assert same(campaign(("a",)), read(path))


def test_a_folder_is_replaced_only_if_nothing_else_is_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    write(campaign(("a",)), folder)
    with pytest.raises(InputError, match="is not empty"):
        write(campaign(("b",)), folder)
    write(campaign(("b",)), folder, overwrite=True)
    assert list(read(folder).systems["online-A"]) == ["b"]
    (folder / "notes.md").write_text("mine")
    with pytest.raises(InputError, match=r"files that would be lost: notes\.md"):
        write(campaign(("c",)), folder, overwrite=True)
    assert list(read(folder).systems["online-A"]) == ["b"]
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["out"]


def test_an_error_in_the_middle_leaves_the_old_folder(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    write(campaign(("a",)), folder)
    with pytest.raises(InputError, match="holds a line end"):
        write(campaign(("b\nc",)), folder, overwrite=True)
    assert list(read(folder).systems["online-A"]) == ["a"]
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["out"]


def test_a_folder_with_judgements_of_its_own_name_is_asked_for_a_pair(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Say which, for example --pair en-de"):
        write(replace(campaign(), name="mine"), tmp_path / "out", output_format="mt-metrics-eval")
    with pytest.raises(ParameterError, match="two languages, as in en-de"):
        write(campaign(), tmp_path / "out", output_format="mt-metrics-eval", pair="en")


def test_the_same_campaign_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.csv.gz", "b.csv.gz"):
        write(campaign(), tmp_path / name)
    assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()


def test_write_is_a_public_name(tmp_path: Path) -> None:
    assert assay.write(campaign(("a",)), tmp_path / "x.jsonl") == [tmp_path / "x.jsonl"]


def test_links_are_followed_and_devices_are_written_to(tmp_path: Path) -> None:
    target, link = tmp_path / "real.tsv", tmp_path / "link.tsv"
    target.write_text("old")
    link.symlink_to(target)
    write(campaign(("a",)), link, overwrite=True)
    assert link.is_symlink()
    assert same(campaign(("a",)), read(target))
    write(campaign(("a",)), "/dev/null", output_format="tsv", overwrite=True)
    assert not Path("/dev/null").is_file()
    with pytest.raises(InputError, match="/dev/null can take one"):
        write(campaign(("a",)), "/dev/null", output_format="folder", overwrite=True)


needs_data = pytest.mark.skipif(not DATA.is_dir(), reason=f"the campaigns are not at {DATA}")


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize(
    "folder",
    [
        pytest.param(CAMPAIGN, id="demo"),
        pytest.param(DATA / "wmt23-en-de", id="wmt23-en-de", marks=needs_data),
        pytest.param(DATA / "wmt12-cs-en-rr", id="wmt12-cs-en-rr", marks=needs_data),
    ],
)
def test_real_campaigns_are_read_back(tmp_path: Path, name: str, folder: Path) -> None:
    before = replace(read(folder), human=None)
    kept = {} if name in ("sgml", "mt-metrics-eval") else before.columns
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssayWarning)
        write(before, tmp_path / EVERY[name], output_format=name, pair="en-de")
        assert same(replace(before, columns=kept), read(tmp_path / EVERY[name]))
