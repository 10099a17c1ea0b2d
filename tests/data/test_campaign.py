"""Campaigns: folders, tables, JSON Lines, and the choice of systems and references."""

import gzip
import json

import pytest

import assay
from assay.data.formats.named_files import read_files

FILES = {
    "src.txt": "Hallo\nWelt\n",
    "ref.A.txt": "hello\nworld\n",
    "ref.B.txt": "hi\nearth\n",
    "sys.one.txt": "hello\nearth\n",
    "sys.Two.1.txt": "hey\nworld\n",
    "docs.txt": "d1\nd1\n",
    "domains.txt": "news\nchat\n",
    "register.txt": "formal\ncasual\n",
    "README.txt": "one line only\n",
}


@pytest.fixture
def folder(tmp_path):
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    return tmp_path


def error_of(path, **options):
    with pytest.raises(assay.AssayError) as caught:
        assay.read(path, **options)
    return str(caught.value)


def test_a_folder_is_a_campaign(folder):
    campaign = assay.read(folder)
    assert list(campaign.systems) == ["Two.1", "one"]
    assert list(campaign.references) == ["A", "B"]
    assert campaign.documents == ("d1", "d1")
    assert campaign.domains == ("news", "chat")
    assert list(campaign.source) == ["Hallo", "Welt"]
    assert len(campaign) == 2


def test_any_other_file_with_as_many_lines_is_a_column(folder):
    columns = assay.read(folder).columns
    assert {name: list(column) for name, column in columns.items()} == {"register": ["formal", "casual"]}


def test_compressed_files_count_too(folder):
    (folder / "sys.one.txt").unlink()
    (folder / "sys.one.txt.gz").write_bytes(gzip.compress(b"hello\nearth\n"))
    assert list(assay.read(folder).systems["one"]) == ["hello", "earth"]


def test_a_file_that_is_there_twice_is_an_error(folder):
    (folder / "sys.one.txt.gz").write_bytes(gzip.compress(b"hello\nearth\n"))
    assert "both sys.one.txt and sys.one.txt.gz" in error_of(folder)


def test_line_counts_that_differ_are_named_with_both_files(folder):
    (folder / "sys.one.txt").write_text("only one line\n")
    message = error_of(folder)
    assert message == (
        f"{folder / 'sys.one.txt'}: 1 lines, but {folder / 'ref.A.txt'} has 2. "
        "Every file has one line per segment; an empty line stands for an empty segment."
    )


def test_a_folder_without_references_says_what_a_campaign_is(tmp_path):
    (tmp_path / "src.txt").write_text("a\n")
    assert "no file called ref.<id>.txt. A campaign folder holds" in error_of(tmp_path)
    # Systems alone are one: scores of other programs need no reference.
    (tmp_path / "sys.one.txt").write_text("a\n")
    with pytest.raises(
        assay.InputError, match="bleu compares translations with references, and there is none for 'one'"
    ):
        assay.score(tmp_path)


def test_an_empty_reference_file_is_named(folder):
    (folder / "ref.A.txt").write_text("")
    assert "ref.A.txt: the file is empty" in error_of(folder)


def test_a_folder_with_references_alone_is_a_campaign_that_cannot_be_scored(tmp_path):
    (tmp_path / "ref.A.txt").write_text("a\n")
    campaign = assay.read(tmp_path)
    with pytest.raises(assay.InputError, match="no system to score"):
        campaign.corpora()


def test_systems_and_references_are_chosen_by_name_and_pattern(folder):
    chosen = assay.read(folder).choose(systems="T*", references="B")
    assert list(chosen.systems) == ["Two.1"]
    assert list(chosen.references) == ["B"]


def test_an_unknown_system_is_named_with_the_nearest(folder):
    with pytest.raises(assay.UnknownName, match=r"There is no system 'won'\. Did you mean 'one'"):
        assay.read(folder).choose(systems="won")


@pytest.mark.parametrize("name", ["A", "refA", "ref-A"])
def test_a_system_that_is_a_reference_in_use_is_left_out(folder, name):
    (folder / f"sys.{name}.txt").write_text("hello\nworld\n")
    with pytest.warns(UserWarning, match="itself a reference in use"):
        chosen = assay.read(folder).choose(references="A")
    assert name not in chosen.systems
    assert name in assay.read(folder).choose(references="B").systems


def test_a_table_is_a_campaign(tmp_path):
    path = tmp_path / "data.tsv"
    path.write_text('segment\tsource\tref.A\treference.B\tdoc\tmine\ns1\tHallo\thello\thi\td1\tsay "hi"\n')
    campaign = assay.read(path)
    assert list(campaign.references) == ["A", "B"]
    assert list(campaign.systems["mine"]) == ['say "hi"']
    assert campaign.segment_names() == ("s1",)
    assert campaign.documents == ("d1",)


def test_quotes_quote_in_csv(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text('reference,mine\n"hello, world","he said ""hi""\nthere"\n')
    campaign = assay.read(path)
    assert list(campaign.references["reference"]) == ["hello, world"]
    assert list(campaign.systems["mine"]) == ['he said "hi"\nthere']


def test_a_lone_carriage_return_ends_no_line_in_csv(tmp_path):
    path = tmp_path / "data.csv"
    path.write_bytes(b'reference,mine\r\nx,a\rb\r\n"q\rr",c\r\n')
    campaign = assay.read(path)
    assert list(campaign.systems["mine"]) == ["a\rb", "c"]
    assert list(campaign.references["reference"]) == ["x", "q\rr"]


def test_a_system_with_a_references_name_but_its_own_text_stays(folder):
    (folder / "sys.A.txt").write_text("other\nwords\n")
    assert "A" in assay.read(folder).choose(references="A").systems


def test_a_stray_file_that_is_no_text_is_mentioned_and_left_alone(folder):
    (folder / "notes.txt").write_bytes(b"\xff\xfe binary")
    with pytest.warns(UserWarning, match="notes.txt is not used as a column"):
        assert list(assay.read(folder).columns) == ["register"]


def test_broken_tables_are_named_by_line(tmp_path):
    path = tmp_path / "data.tsv"
    path.write_text("reference\tmine\na\tb\nc\n")
    assert error_of(path).startswith(f"{path}, line 3: 1 fields, but the header has 2.")
    path.write_text("mine\ta\nx\ty\n")
    assert "no column called reference" in error_of(path)
    path.write_text("reference\tref\nx\ty\n")
    assert "two columns for reference" in error_of(path)
    path.write_text("reference\tmine\n")
    assert "a header but no segments" in error_of(path)
    path.write_text("")
    assert "a header line is needed" in error_of(path)
    quoted = tmp_path / "data.csv"
    quoted.write_text('reference,mine\n"open,b\n')
    assert error_of(quoted).startswith(f"{quoted}, line 2: unexpected end of data")


def test_json_lines_are_a_campaign(tmp_path):
    path = tmp_path / "data.jsonl.gz"
    objects = [
        {"i": "x", "id": 1, "src": "Hallo", "references": ["hello", "hi"], "tgt": {"A": "hello", "B": "hey"}},
        {"i": "y", "id": 2, "src": "Welt", "references": ["world", None], "tgt": {"A": "earth", "B": "world"}},
    ]
    path.write_bytes(gzip.compress("\n".join(json.dumps(one) for one in objects).encode()))
    campaign = assay.read(path)
    assert list(campaign.systems) == ["i", "A", "B"]
    assert campaign.segment_names() == ("1", "2")
    corpus = campaign.corpus("A")
    assert corpus[0].references == ("hello", "hi")
    assert corpus[1].references == ("world",)


def test_broken_json_lines_are_named_by_line(tmp_path):
    path = tmp_path / "data.jsonl"
    path.write_text('{"reference": "a", "mine": "b"}\n{"reference": "a", "mine": }\n')
    assert error_of(path).startswith(f"{path}, line 2, column 28: not JSON")
    path.write_text('["a"]\n')
    assert "line 1: '[\"a\"]' is not an object" in error_of(path)
    path.write_text('{"reference": "a", "mine": "b"}\n{"reference": "a"}\n')
    assert error_of(path) == f"{path}, line 2: no system 'mine', which other lines have."
    path.write_text('{"reference": "a", "mine": 5}\n')
    assert "mine is 5, but a string is needed" in error_of(path)
    path.write_text('{"references": "a", "mine": "b"}\n')
    assert "references is 'a', but a list" in error_of(path)
    path.write_text('{"reference": "a", "document": "\\ud800"}\n')
    assert "line 1: document: '\\ud800' has a lone surrogate" in error_of(path)
    path.write_text("")
    assert "the file is empty" in error_of(path)


def test_a_segment_without_any_chosen_reference_is_named(tmp_path):
    path = tmp_path / "data.jsonl"
    path.write_text('{"ref.A": "a", "mine": "b"}\n{"ref.B": "a", "mine": "c"}\n')
    with pytest.raises(assay.InputError, match="segment 1 has none of the references A"):
        assay.read(path).choose(references="A").corpus("mine")


def test_plain_lines_are_no_campaign(tmp_path):
    path = tmp_path / "lines.txt"
    path.write_text("a\n")
    assert "-r REFERENCE TRANSLATION" in error_of(path)


def test_an_unknown_input_format_is_named(folder):
    assert "There is no input format 'tvs'. Did you mean 'tsv'" in error_of(folder, input_format="tvs")
    assert "no such folder" in error_of(folder / "nowhere", input_format="folder")


def test_files_are_named_short_unless_that_clashes(folder, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "sys.one.txt").write_text("hello\nmoon\n")
    campaign = read_files([folder / "sys.one.txt"], [folder / "ref.A.txt"])
    assert list(campaign.systems) == ["one"]
    both = read_files([folder / "sys.one.txt", other / "sys.one.txt"], [folder / "ref.A.txt"])
    assert list(both.systems) == [str(folder / "sys.one.txt"), str(other / "sys.one.txt")]


def test_a_file_named_twice_is_an_error(folder):
    with pytest.raises(assay.InputError, match="named twice"):
        read_files([folder / "sys.one.txt"] * 2, [folder / "ref.A.txt"])


def test_a_campaign_checks_that_all_parts_have_the_same_segments():
    with pytest.raises(assay.InputError, match="system 'a' has 2 segments, but reference 'A' has 3"):
        assay.Campaign("x", systems={"a": ["1", "2"]}, references={"A": ["1", "2", "3"]})
    with pytest.raises(assay.InputError, match="documents has 1 segments"):
        assay.Campaign("x", systems={}, references={"A": ["1", "2"]}, documents=("d",))


def test_json_lines_refuse_two_texts_for_one_thing(tmp_path):
    path = tmp_path / "data.jsonl"
    path.write_text('{"references": ["a"], "reference.1": "b", "S": "c"}\n')
    assert error_of(path).startswith(f"{path}, line 1: two texts for reference '1'")
    path.write_text('{"ref": "a", "S": "b", "S": "c"}\n')
    assert "the key 'S' stands there twice" in error_of(path)
    path.write_text("[" * 100_000 + "\n")
    assert f"{path}, line 1" in error_of(path)


def test_files_that_look_like_systems_and_are_not_called_so_are_mentioned(folder):
    (folder / "sys.loud.TXT").write_text("a\nb\n")
    (folder / "sys..txt").write_text("a\nb\n")
    with pytest.warns(UserWarning, match="is left out") as caught:
        campaign = assay.read(folder)
    assert list(campaign.systems) == ["Two.1", "one"]
    assert sorted(str(warning.message).split()[0] for warning in caught) == ["sys..txt", "sys.loud.TXT"]
