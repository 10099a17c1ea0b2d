"""Which judgements a command looks at: the same options in every command that judges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, TypeVar

import click

from assay.cli.inputs import where_option
from assay.data.campaign import Campaign
from assay.data.formats.judgements import JUDGEMENT_FORMATS
from assay.data.judgement_reading import read_judgements
from assay.data.judgements import Judgements
from assay.data.mqm_weights import weighted
from assay.errors import InputError
from assay.meta.normalise import METHODS as NORMALISATIONS
from assay.meta.ranking_scores import METHODS as RANKINGS

F = TypeVar("F", bound=Callable[..., Any])


def judgement_options(command: F) -> F:
    """``--judgements`` and what belongs to it: where judgements come from."""
    for option in (
        click.option("--weights", metavar="NAME | FILE", help="Score marked errors anew with these MQM weights."),
        click.option(
            "--judgement-format", type=click.Choice(list(JUDGEMENT_FORMATS)), help="Of --judgements, if not plain."
        ),
        click.option(
            "--judgements",
            "judgement_files",
            multiple=True,
            metavar="FILE",
            help="Judgements, instead of the campaign's human.tsv; repeat it.",
        ),
    ):
        command = option(command)
    return command


def judging_options(command: F) -> F:
    """``--kind``, ``--judgements``, ``--normalise`` and what else decides which judgements count, and how."""
    for option in (
        where_option,
        click.option("--lower-is-better", is_flag=True, help="Turn the judgements' sign."),
        click.option("--missing", type=float, metavar="SCORE", help="A score that stands for no judgement."),
        click.option(
            "--normalise",
            type=click.Choice(list(NORMALISATIONS)),
            default="none",
            show_default=True,
            help="Raters against each other.",
        ),
        judgement_options,
        click.option("--kind", metavar="KIND,...", help="Which judgements; several kinds are taken together."),
    ):
        command = option(command)
    return command


#: How ranks become scores of systems.
ranking_option = click.option(
    "--ranking", type=click.Choice(list(RANKINGS)), default="wins", show_default=True, help="Ranks to scores."
)


def with_judging(
    campaign: Campaign, files: tuple[str, ...], judgement_format: str | None, weights: str | None
) -> Campaign:
    """The campaign with the judgements that a command line names."""
    if files:
        campaign = campaign.with_judgements(judgements_in(files, judgement_format, campaign))
    elif judgement_format is not None:
        raise InputError("--judgement-format goes with --judgements FILE.")
    if weights is not None:
        campaign = campaign.with_judgements(reweighted(campaign.judgements, weights))
    return campaign


def judgements_in(files: Sequence[str], judgement_format: str | None, campaign: Campaign | None = None) -> Judgements:
    """The judgements of one file or several."""
    read = [read_judgements(file, campaign=campaign, judgement_format_name=judgement_format) for file in files]
    return reduce(lambda one, other: one.joined(other), read)


def reweighted(judgements: Judgements | None, weights: str) -> Judgements:
    """Marked errors scored anew."""
    if judgements is None or not judgements.spans:
        raise InputError("--weights scores marked errors, and these judgements have none. Give MQM or ESA judgements.")
    return weighted(judgements, weights)
