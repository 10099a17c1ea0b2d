"""``assay demo``: see it work on a small invented campaign."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import click

from assay.cli.output import Output, emit, notes
from assay.data.formats import read
from assay.demo import CAMPAIGN
from assay.errors import InputError
from assay.questions.calls import compare, meta_evaluate, score
from assay.results.text import wrapped

_OPENING = """\
A small campaign comes with Assay: 60 German segments from 8 short documents, three English
references (A, B, C), four systems from good to poor, and a human translation beside them.
Texts, systems and judgements are invented, to show the tool; they prove nothing about metrics.
"""

_STEMMED = "fmean,fmean(lowercase=true),fmean(lowercase=true,stem=english)"

#: What is shown: the words behind ``assay``, and what to look for.
_SHOWN = {
    "score demo-campaign -m bleu,chrf,nist,wer,per,fmean": """\
Which system is best? Every score has a 95 % bootstrap interval; arrows say which way is better.
Note where the human translation stands: it is right, but worded unlike the references.
""",
    "score demo-campaign --refs A": """\
With one reference instead of three the human translation falls further still:
""",
    f"score demo-campaign -m '{_STEMMED}'": """\
Any recipe works with any metric. How much is inflection? The same words, stemmed:
""",
    "score demo-campaign -m bleu --domains": """\
And by domain, from the same counts:
""",
    "compare demo-campaign -m chrf": """\
Is A really better than B? Paired tests of all pairs, corrected for their number:
""",
    "meta demo-campaign -m bleu,chrf,ter --kind adequacy --level system": """\
Can the metric be trusted? Three raters judged every translation. How far each metric follows them, and how far
a metric without any error would, for raters err, too. The human translation is left out, as WMT does:
""",
}

_CLOSING = """\
Next: score your own files.

  assay score -r reference.txt translation.txt
  assay score your-campaign/ -m bleu,chrf --segments --format tsv
  assay compare your-campaign/; assay meta your-campaign/
  assay agreement your-campaign/
  assay explain your-campaign/ -m meteor --segment 0 --system NAME
  assay study references your-campaign/; assay learn your-campaign/
  assay tune meteor your-campaign/
  assay metrics; assay recipes
  assay demo --copy demo-campaign    (these files, to play with)
"""


@click.command("demo", short_help="See it work.")
@click.option("--copy", metavar="FOLDER", help="Only copy the campaign to a new folder.")
@click.option("--no-color", is_flag=True, help="No colours (NO_COLOR works too).")
def demo(copy: str | None, no_color: bool) -> None:
    """See it work on a small campaign that comes with the package."""
    if copy is not None:
        _copy(Path(copy))
        return
    look = Output(no_color=no_color).look
    campaign = replace(read(CAMPAIGN), name="demo-campaign")
    with notes(quiet=True):
        domains = score(campaign, "bleu", domains=True, samples=0)
        compared = compare(campaign, "chrf")
        answers = [
            score(campaign, "bleu,chrf,nist,wer,per,fmean"),
            score(campaign, "bleu,chrf", references="A"),
            score(campaign, _STEMMED),
            replace(domains, views=domains.views[1:]),
            replace(compared, views=compared.views[:1], findings=()),
            meta_evaluate(campaign, "bleu,chrf,ter", kind="adequacy", levels="system", test="none"),
        ]
    # As wide as the words above where no terminal says how wide it is.
    width = look.width or 96
    parts = [_paragraph(_OPENING, width)]
    for (command, words), answer in zip(_SHOWN.items(), answers, strict=True):
        shown = replace(answer, signatures={}).render("text", color=look.color, width=look.width)
        said = [_paragraph(f"{remark.level.capitalize()}: {remark}", width) for remark in answer.notes]
        parts += [f"$ assay {command}\n", _paragraph(words, width), shown, *said]
    emit("\n".join([*parts, _CLOSING]))


def _paragraph(words: str, width: int) -> str:
    return f"{wrapped(' '.join(words.split()), width)}\n"


def _copy(target: Path) -> None:
    if target.exists():
        raise InputError(f"{target}: already there. Choose a folder that does not exist yet.")
    try:
        shutil.copytree(CAMPAIGN, target)
    except OSError as error:
        raise InputError(f"{target}: cannot be written ({error.strerror or error}).") from None
    click.echo(f"Copied to {target}. Now: assay score {target}")
