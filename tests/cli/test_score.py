"""``assay score`` as its users type it."""

import csv
import gzip
import io
import json
import os
import subprocess
import sys

import pytest

import assay


def test_a_campaign_is_scored_with_intervals_the_best_first(command, campaign):
    result = command("score", campaign)
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[0] == "campaign: 3 segments, 2 systems, references A, B"
    assert lines[2].split() == ["system", "BLEU", "↑", "95", "%", "interval", "chrF", "↑", "95", "%", "interval"]
    assert [line.split()[0] for line in lines[4:6]] == ["good", "poor"]
    assert "bleu 13a mixed refs:2 v" in result.out
    assert "bleu(order=4," in command("score", campaign, "--signatures").out


def test_json_has_the_promised_shape_and_full_precision(command, campaign):
    result = command("score", campaign, "--format", "json", "-m", "bleu,wer", "--segments", "--documents", "--domains")
    data = json.loads(result.out)
    assert data["assay"] == assay.__version__
    assert data["command"] == "score"
    first = data["scores"][0]
    assert list(first) == ["system", "metric", "score", "low", "high", "signature"]
    assert data["parts"][0].keys() == {"system", "metric", "part", "value"}
    # Three segments are too few for an interval.
    assert (first["low"], first["high"]) == (None, None)
    assert len(data["segments"]) == 2 * 2 * 3
    assert data["segments"][0].keys() == {"system", "metric", "segment", "score"}
    assert {row["document"] for row in data["documents"]} == {"d1", "d2"}
    assert {row["domain"] for row in data["domains"]} == {"news", "chat"}
    corpus = assay.read(campaign).corpus("good")
    assert first["score"] == assay.metric("bleu").evaluate(corpus).corpus_score()


def test_the_same_command_prints_the_same_bytes_on_any_number_of_threads(command, campaign):
    outputs = {command("score", campaign, "--format", "json", "--threads", threads).out for threads in (1, 2, 3)}
    assert len(outputs) == 1


def test_another_seed_draws_other_intervals(command, campaign):
    first = json.loads(command("score", campaign, "--format", "json", "--seed", 1).out)["scores"][0]
    other = json.loads(command("score", campaign, "--format", "json", "--seed", 2).out)["scores"][0]
    assert first["score"] == other["score"]
    assert "seed:1|" in first["signature"]
    assert "seed:2|" in other["signature"]


def test_no_samples_no_intervals(command, campaign):
    result = command("score", campaign, "--samples", 0)
    assert "interval" not in result.out
    assert "seed" not in result.out
    data = json.loads(command("score", campaign, "--samples", 0, "--format", "json").out)
    assert data["scores"][0]["low"] is None


@pytest.mark.parametrize("style", ["tsv", "csv"])
def test_separated_values_read_back(command, campaign, style):
    result = command("score", campaign, "--format", style, "-m", "bleu(order=2,smoothing=add-k)")
    rows = list(csv.DictReader(io.StringIO(result.out), delimiter="\t" if style == "tsv" else ","))
    assert [row["system"] for row in rows] == ["good", "poor"]
    assert rows[0]["metric"] == "bleu(order=2,smoothing=add-k)"
    assert (
        float(rows[0]["score"])
        == json.loads(command("score", campaign, "--format", "json", "-m", "bleu(order=2,smoothing=add-k)").out)[
            "scores"
        ][0]["score"]
    )


def test_segments_as_tsv_are_one_line_each(command, campaign):
    result = command("score", campaign, "--format", "tsv", "-m", "f1", "--segments")
    lines = result.out.splitlines()
    assert lines[0] == "system\tmetric\tsegment\tscore"
    assert len(lines) == 1 + 2 * 3


def test_one_table_fits_into_tsv_and_a_note_names_the_others(command, campaign):
    result = command("score", campaign, "--format", "tsv", "--segments", "--documents")
    assert result.code == 0
    assert result.out.startswith("system\tmetric\tscore\t")
    assert result.err == "Note: This is the table scores; others: segments, documents, parts (--table NAME).\n"
    documents = command("score", campaign, "--format", "tsv", "--segments", "--documents", "--table", "documents")
    assert documents.out.startswith("system\tmetric\tdocument\tscore\tlow\thigh\n")
    assert documents.err == ""


def test_markdown_and_latex(command, campaign):
    assert "| system | BLEU ↑ | 95 % interval |" in command("score", campaign, "--format", "markdown", "-m", "bleu").out
    latex = command("score", campaign, "--format", "latex", "-m", "bleu").out
    assert r"\begin{tabular}{lrr}" in latex
    assert r"BLEU $\uparrow$ & 95 \% interval \\" in latex


def test_metrics_may_be_repeated_or_listed(command, campaign):
    listed = command("score", campaign, "-m", "bleu,chrf(word_order=2)", "--format", "json").out
    repeated = command("score", campaign, "-m", "bleu", "-m", "chrf(word_order=2)", "--format", "json").out
    assert listed == repeated


def test_explicit_files(command, campaign):
    result = command("score", "-r", campaign / "ref.A.txt", "-r", campaign / "ref.B.txt", campaign / "sys.good.txt")
    assert result.code == 0
    assert result.out.splitlines()[4].startswith("good")


def test_files_and_folder_agree(command, campaign):
    files = command(
        "score",
        "-r",
        campaign / "ref.A.txt",
        "-r",
        campaign / "ref.B.txt",
        campaign / "sys.good.txt",
        "--format",
        "json",
    )
    folder = command("score", campaign, "--systems", "good", "--format", "json")
    assert json.loads(files.out)["scores"] == json.loads(folder.out)["scores"]


def test_tables_and_compressed_files_agree_with_the_folder(command, campaign, tmp_path):
    read = assay.read(campaign)
    columns = {"reference.A": read.references["A"], "reference.B": read.references["B"], "good": read.systems["good"]}
    rows = ["\t".join(columns), *("\t".join(row) for row in zip(*columns.values(), strict=True))]
    table = tmp_path / "table.tsv.gz"
    table.write_bytes(gzip.compress("\n".join(rows).encode()))
    from_table = command("score", table, "--format", "json")
    from_folder = command("score", campaign, "--systems", "good", "--format", "json")
    assert json.loads(from_table.out)["scores"] == json.loads(from_folder.out)["scores"]


def test_standard_input_is_a_dash(campaign):
    reference, translation = campaign / "ref.A.txt", (campaign / "sys.good.txt").read_bytes()
    result = subprocess.run(
        [sys.executable, "-m", "assay", "score", "-r", reference, "-", "--format", "json"],
        input=translation,
        capture_output=True,
        check=True,
    )
    assert json.loads(result.stdout)["scores"][0]["system"] == "stdin"


def test_references_and_systems_are_chosen(command, campaign):
    result = command("score", campaign, "--refs", "B", "--systems", "g*")
    assert "1 system, reference B" in result.out


def test_files_of_one_name_in_two_folders_are_translation_and_reference(command, tmp_path):
    for folder, text in (("refs", "a b c\n"), ("out", "a b d\n")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "news.en").write_text(text)
    result = command("score", "-r", tmp_path / "refs" / "news.en", tmp_path / "out" / "news.en", "-m", "f1")
    assert result.code == 0
    assert result.err == ""


def test_a_file_against_itself_is_perfect(command, campaign):
    result = command("score", "-r", campaign / "ref.A.txt", campaign / "ref.A.txt", "--format", "json")
    assert [row["score"] for row in json.loads(result.out)["scores"]] == pytest.approx([100.0, 100.0])


def test_a_reference_among_the_systems_is_left_out_with_a_note(command, campaign):
    (campaign / "sys.refA.txt").write_bytes((campaign / "ref.A.txt").read_bytes())
    result = command("score", campaign)
    assert "Note: System 'refA' is itself a reference in use and is left out." in result.err
    assert "refA" not in result.out
    assert command("score", campaign, "-q").err == ""


def test_sacrebleus_signature_on_request(command, campaign):
    result = command("score", campaign, "--sacrebleu-signature", "-m", "bleu,chrf,wer")
    assert "sacreBLEU: BLEU|nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0" in result.out
    assert "sacreBLEU: chrF2|nrefs:2|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0" in result.out
    assert result.out.count("sacreBLEU:") == 2
    data = json.loads(command("score", campaign, "--sacrebleu-signature", "-m", "bleu,wer", "--format", "json").out)
    signatures = [row["sacrebleu_signature"] for row in data["scores"]]
    assert signatures[0].startswith("BLEU|nrefs:2")
    assert signatures[1] is None


def test_output_goes_to_a_file_whole(command, campaign, tmp_path):
    target = tmp_path / "scores.json"
    target.write_text("old")
    result = command("score", campaign, "--format", "json", "-o", target)
    assert result.out == ""
    assert json.loads(target.read_text())["command"] == "score"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["campaign", "scores.json"]


def test_no_colour_and_no_progress_where_nobody_watches(command, campaign):
    result = command("score", campaign)
    assert "\x1b" not in result.out
    assert result.err == ""


def test_a_reader_that_goes_away_is_no_error(campaign):
    command = f"{sys.executable} -m assay score {campaign} --segments | head -1"
    result = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False)
    assert result.stderr == ""
    # A pipe that nobody reads from the first byte on.
    reader, writer = os.pipe()
    os.close(reader)
    alone = [sys.executable, "-m", "assay", "score", str(campaign)]
    result = subprocess.run(alone, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (result.returncode, result.stderr) == (141, "")


def test_an_empty_translation_line_is_an_empty_segment(command, campaign):
    data = json.loads(command("score", campaign, "-m", "recall", "--segments", "--format", "json").out)
    scores = {(row["system"], row["segment"]): row["score"] for row in data["segments"]}
    assert scores["poor", 2] == 0.0


@pytest.mark.skipif(os.name == "nt", reason="file modes are POSIX's")
def test_a_written_file_has_ordinary_permissions(command, campaign, tmp_path):
    target = tmp_path / "scores.tsv"
    command("score", campaign, "--format", "tsv", "-o", target)
    mask = os.umask(0)
    os.umask(mask)
    assert target.stat().st_mode & 0o777 == 0o666 & ~mask


def test_links_are_followed_and_pipes_are_written_to(command, campaign, tmp_path):
    target, link, pipe = tmp_path / "target.txt", tmp_path / "link.txt", tmp_path / "pipe"
    target.write_text("old")
    link.symlink_to(target)
    assert command("score", campaign, "-o", link).code == 0
    assert link.is_symlink()
    assert "BLEU" in target.read_text()
    os.mkfifo(pipe)
    # Opened without waiting for a writer; the few lines wait in the pipe until they are read.
    with os.fdopen(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK), "rb") as reader:
        assert command("score", campaign, "-o", pipe).code == 0
        assert b"BLEU" in reader.read()
    assert pipe.is_fifo()


def test_capitals_do_not_hide_the_nearest_name(command, campaign):
    assert "Did you mean 'bleu'?" in command("score", campaign, "-m", "BLUE").err


def test_a_metric_with_options_is_headed_by_its_spelling(command, campaign):
    assert "chrf(word_order=2) ↑" in command("score", campaign, "-m", "chrf(word_order=2)").out


def test_post_edits_in_a_campaign(command, campaign):
    (campaign / "ref.pe.txt").write_text((campaign / "sys.good.txt").read_text())
    result = command("score", campaign, "-m", "hter,wer", "--systems", "good", "--samples", 0, "--format", "json")
    assert result.code == 0
    assert "left aside by wer: pe." in result.err
    hter, wer = json.loads(result.out)["scores"]
    assert hter["score"] == 0
    assert "|references:3|" in hter["signature"]
    assert "|references:2|" in wer["signature"]
    assert "pe (targeted)" in command("score", campaign, "-m", "hter", "--samples", 0).out


def test_targeted_names_a_reference_of_a_campaign(command, campaign):
    result = command("score", campaign, "-m", "hter", "--targeted", "A,B", "--refs", "A", "--samples", 0)
    assert result.code == 0
    assert "A (targeted), B (targeted)" in result.out


def test_targeted_names_a_file_beside_files(command, campaign):
    files = ["-r", campaign / "ref.A.txt", "--targeted", campaign / "ref.B.txt", campaign / "sys.good.txt"]
    result = command("score", *files, "-m", "hter", "--samples", 0)
    assert result.code == 0
    assert "references A, B (targeted)" in result.out
    alone = command("score", *files[2:], "-m", "hter,ter", "--samples", 0, "--format", "json")
    hter, ter = json.loads(alone.out)["scores"]
    assert hter["score"] == ter["score"]


def test_each_system_may_have_its_own_post_edit(command, campaign):
    for system in ("good", "poor"):
        (campaign / f"ref.pe.{system}.txt").write_text((campaign / f"sys.{system}.txt").read_text())
    with_empty = command("score", campaign, "-m", "hter", "--samples", 0)
    assert with_empty.code == 0
    assert "|reference:" not in with_empty.out


def test_segments_are_chosen_by_a_column(command, campaign):
    (campaign / "split.txt").write_text("test\ndev\ntest\n")
    whole = command("score", campaign, "-m", "bleu", "--segments", "--format", "tsv")
    chosen = command("score", campaign, "-m", "bleu", "--segments", "--format", "tsv", "--where", "split=test")
    assert chosen.code == 0
    kept = [line for line in whole.out.splitlines() if line.split("\t")[2] in ("segment", "0", "2")]
    assert chosen.out.splitlines() == kept
    refused = command("score", campaign, "--where", "split=none")
    assert refused.code == 2
    assert "There is no segment whose split is 'none'." in refused.err


def test_segments_without_a_document_are_in_no_score_of_one(command, campaign):
    (campaign / "docs.txt").write_text("d1\n-\n\n")
    result = command("score", campaign, "-m", "f1", "--documents", "--samples", "0", "--format", "json")
    rows = json.loads(result.out)["documents"]
    assert {row["document"] for row in rows} == {"d1"}
    # The first segment of the good system is its reference.
    assert {row["system"]: row["score"] for row in rows}["good"] == 100.0
    assert "Note: 2 segments without a document, and so without a part in scores of any.\n" in result.err
    (campaign / "docs.txt").write_text("-\n-\n-\n")
    refused = command("score", campaign, "-m", "f1", "--documents")
    assert refused.code == 2
    assert "names no documents" in refused.err
