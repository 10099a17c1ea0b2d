"""Targeted references, human post-edits: how they are named, chosen, and kept from metrics that are not about them."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

import assay
from assay.data.formats.named_files import read_files

FILES = {
    "ref.A.txt": "a b c d\na b\n",
    "ref.pe.txt": "a b x\na b\n",
    "sys.one.txt": "a b y\na b\n",
    "sys.two.txt": "a b x\na c\n",
}


@pytest.fixture
def folder(tmp_path):
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    return tmp_path


def hter(campaign, system="one", **options):
    campaign = assay.read(campaign) if isinstance(campaign, Path) else campaign
    scored = assay.score(campaign, "hter", systems=system, samples=0, **options)
    statistics = assay.Hter().evaluate(campaign.choose(systems=system, **options).corpus(system))
    assert scored.table() == [
        {
            "system": system,
            "metric": "hter",
            "score": statistics.corpus_score(),
            "low": None,
            "high": None,
            "signature": statistics.signature(),
        }
    ]
    return statistics


def test_the_name_pe_says_that_a_reference_is_targeted(folder):
    campaign = assay.read(folder)
    assert campaign.targeted == {"pe"}
    assert campaign.corpus("one").targeted == {"pe"}
    # One edit of 3 + 2 words; lengths of A: 4 + 2.
    assert hter(campaign).parts()["edits"] == 1
    assert hter(campaign).corpus_score() == pytest.approx(100 / 6)


@pytest.mark.filterwarnings("ignore:Word metrics see different tokens")
def test_other_metrics_leave_post_edits_aside_and_say_so(folder):
    with pytest.warns(UserWarning, match=r"left aside by wer: pe\. .* are used where there are any: A\. .*\(--refs\)"):
        scored = assay.score(assay.read(folder), ["wer", "hter"], samples=0)
    assert scored.of("wer", table="parts", part="reference_length").value == 6
    # The signature is of the references that were used.
    assert "|references:1|" in scored.of("wer").signature


def test_the_signature_says_which_references_are_targeted(folder):
    campaign = assay.read(folder)
    statistics = hter(campaign)
    assert f"|targeted:{campaign.references['pe'].digest[:12]}" in statistics.signature()
    assert pickle.loads(pickle.dumps(statistics)).signature() == statistics.signature()
    plain = hter(folder, references="A", targeted="A").signature()
    assert plain != statistics.signature()


def test_other_metrics_use_post_edits_where_there_is_nothing_else(folder):
    scored = assay.score(assay.read(folder), "wer", references="pe", samples=0)
    assert scored.of("wer", table="parts", part="reference_length").value == 5


def test_a_segment_without_another_reference_falls_back_on_its_post_edit(tmp_path):
    path = tmp_path / "data.jsonl"
    lines = [{"ref.A": "a b c", "ref.pe": "x", "S": "a"}, {"ref.pe": "x y", "S": "a"}]
    path.write_text("\n".join(map(json.dumps, lines)))
    corpus = assay.read(path).corpus("S")
    assert corpus.untargeted.present.tolist() == [[True, False], [False, True]]
    with pytest.warns(UserWarning, match="left aside"):
        assert assay.Wer().evaluate(corpus).rows[:, :3].sum(axis=1).tolist() == [3, 2]


def test_references_may_be_called_targeted(folder):
    (folder / "ref.human.txt").write_text("a b y\na b\n")
    campaign = assay.read(folder)
    # The second post-edit is what the system wrote.
    assert hter(campaign, targeted="human").corpus_score() == 0
    assert hter(campaign, references="pe", targeted="hum*").corpus_score() == 0
    with pytest.raises(assay.UnknownName, match=r"There is no reference 'humam'\. Did you mean 'human'"):
        hter(campaign, targeted="humam")


def test_references_are_chosen_as_ever(folder):
    assert hter(folder, references="pe").corpus_score() == pytest.approx(100 / 5)
    with pytest.raises(assay.InputError, match="hter of 'one': no reference is targeted"):
        hter(folder, references="A")


def test_a_post_edit_may_belong_to_one_system(folder):
    (folder / "ref.pe.txt").rename(folder / "ref.pe.one.txt")
    (folder / "ref.pe.two.txt").write_text("a b x\na c\n")
    campaign = assay.read(folder)
    assert campaign.targeted == {"pe.one", "pe.two"}
    assert campaign.corpus("one").reference_names == ("A", "pe.one")
    scores = assay.score(campaign, "hter", samples=0).table()
    assert [row["score"] for row in scores] == pytest.approx([100 / 6, 0])
    # Also when the other system is not chosen.
    assert campaign.choose(systems="one").corpus("one").reference_names == ("A", "pe.one")


def test_a_system_without_its_post_edit_is_named(folder):
    (folder / "ref.pe.txt").rename(folder / "ref.pe.one.txt")
    assert hter(folder, "one").corpus_score() > 0
    with pytest.raises(assay.InputError, match=r"hter of 'two': no reference is targeted.*ref\.pe\.<system>\.txt"):
        hter(folder, "two")
    (folder / "ref.A.txt").unlink()
    with pytest.raises(assay.InputError, match="post-edits of other systems only, and no reference for 'two'"):
        assay.read(folder).corpus("two")


def test_further_post_edits_have_names_of_their_own(folder):
    (folder / "ref.pe.second.txt").write_text("a b y\na b\n")
    assert assay.read(folder).corpus("two").targeted == {"pe", "pe.second"}
    assert hter(folder).corpus_score() == 0


def test_a_post_edit_with_fewer_lines_is_named_with_its_file(folder):
    (folder / "ref.pe.txt").write_text("a b x\n")
    with pytest.raises(assay.InputError, match=r"ref\.pe\.txt: 1 lines, but .*ref\.A\.txt has 2"):
        assay.read(folder)


def test_a_missing_post_edit_is_named_with_file_and_segment(tmp_path):
    path = tmp_path / "data.jsonl"
    lines = [{"id": "s1", "ref.A": "a", "ref.pe": "a", "S": "a"}, {"id": "s2", "ref.A": "a", "S": "a"}]
    path.write_text("\n".join(map(json.dumps, lines)))
    with pytest.raises(
        assay.InputError,
        match=r"data\.jsonl: hter of 'S': the targeted reference 'pe' has no text for segment s2 \(line 2\)",
    ):
        hter(path, "S")


def test_files_are_post_edits_if_they_are_named_as_such(folder):
    one, pe, other = folder / "sys.one.txt", folder / "ref.pe.txt", folder / "ref.A.txt"
    campaign = read_files([one], [other], targeted=[pe])
    assert (list(campaign.references), campaign.targeted) == (["A", "pe"], {"pe"})
    # Who gives it as a reference means a reference.
    assert read_files([one], [pe]).targeted == frozenset()
    assert read_files([one], [], targeted=[pe]).targeted == {"pe"}


def test_campaigns_of_your_own_say_which_references_are_targeted():
    systems, references = {"S": ["a"]}, {"A": ["a"], "pe": ["b"], "edited": ["a"]}
    assert assay.Campaign("x", systems, references).targeted == {"pe"}
    assert assay.Campaign("x", systems, references, targeted={"edited"}).corpus("S").targeted == {"edited"}
    assert assay.Campaign("x", systems, references, targeted=()).corpus("S").targeted == frozenset()
    with pytest.raises(assay.UnknownName, match="There is no reference 'B'"):
        assay.Campaign("x", systems, references, targeted={"B"})
    with pytest.raises(assay.InputError, match="a set of names"):
        assay.Campaign("x", systems, references, targeted="pe")


def corpus_error(**arguments):
    with pytest.raises(assay.InputError) as caught:
        assay.Corpus(translations=["a", "b"], **arguments)
    return str(caught.value)


def test_a_corpus_takes_post_edits_beside_references():
    corpus = assay.Corpus(translations=["a", "b"], references=[["c", "d"]], targeted=[["e", "f"]])
    assert corpus.reference_names == ("1", "pe")
    assert corpus.targeted_flags() == (False, True)
    assert corpus[1].references == ("d", "f")
    assert corpus.untargeted[1].references == ("d",)


def test_a_corpus_may_have_post_edits_alone():
    corpus = assay.Corpus(translations=["a", "b"], targeted=[["a", "b"], ["c", "d"]])
    assert corpus.reference_names == ("pe.1", "pe.2")
    assert corpus.untargeted is corpus


def test_what_a_corpus_says_of_post_edits_that_it_cannot_take():
    assert "targeted=[lines]" in corpus_error(targeted=["a", "b"])
    assert "targeted[0] has 1 segments, but translations has 2" in corpus_error(targeted=[["a"]])
    assert "targeted is empty" in corpus_error(targeted=[])
    assert "the transpose: one full list per reference in targeted=" in corpus_error(targeted=[["a"], ["b"]])
    message = corpus_error(references=[["a", "b"]], reference_names=["pe"], targeted=[["a", "b"]])
    assert "'pe' is that of a targeted reference" in message
