"""Layers over the texts of a campaign: what a tagger says of every token, such as its part of speech, line by line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from assay.data.campaign import Campaign, only
from assay.data.files import is_folder
from assay.data.formats import read
from assay.data.texts import Texts
from assay.errors import InputError, ParameterError, Place


def read_layers(named: Mapping[str, str | Path | Campaign], campaign: Campaign) -> dict[str, Campaign]:
    """The layers by name, each as a campaign of the same segments, whose texts are tags.

    A layer is a folder (or any other campaign) with the same systems and references. Where it has a folder with the
    campaign's name, that is the layer: one option then serves several campaigns.
    """
    return {name: _read_layer(name, path, campaign) for name, path in named.items()}


def named_layers(given: tuple[str, ...]) -> dict[str, str]:
    """What ``--layer NAME=FOLDER`` says.

    >>> named_layers(("pos=tags/", "class=thesaurus/"))
    {'pos': 'tags/', 'class': 'thesaurus/'}
    """
    named = {}
    for text in given:
        name, equals, folder = text.partition("=")
        if not (equals and folder and name.replace("-", "_").isidentifier()):
            raise ParameterError(f"--layer {text!r}: write NAME=FOLDER, such as pos=tags/.")
        if name in named:
            raise ParameterError(f"--layer {name} is given twice.")
        named[name] = folder
    return named


def _read_layer(name: str, given: str | Path | Campaign, campaign: Campaign) -> Campaign:
    whole = campaign.whole or campaign
    if isinstance(given, Campaign):
        layer, origin = given, given.name
    else:
        own = Path(given) / campaign.name
        path = own if is_folder(str(own)) else Path(given)
        layer, origin = read(path), str(path)
    if len(layer) != len(whole):
        first = next(iter([*layer.systems, *layer.references]), "")
        file = _file(origin, "sys" if first in layer.systems else "ref", first)
        raise InputError(
            f"{len(layer):,} lines, but {whole.name} has {len(whole):,} segments.",
            f"A layer has a line of tags for each segment (--layer {name}=FOLDER).",
            Place(file, min(len(layer), len(whole)) + 1),
        )
    for kind, wanted, there in (
        ("sys", campaign.systems, layer.systems),
        ("ref", campaign.references, layer.references),
    ):
        for key in wanted:
            if key not in there:
                raise InputError(
                    f"there is no {kind}.{key}.txt, and {campaign.name} has one.",
                    f"A layer has a file for every system and reference (--layer {name}=FOLDER).",
                    Place(origin),
                )
    places = np.arange(len(whole)) if campaign.places is None else campaign.places
    part = layer if campaign.places is None else only(layer, places)
    for kind, texts, tags in (
        ("sys", campaign.systems, part.systems),
        ("ref", campaign.references, part.references),
    ):
        for key, column in texts.items():
            _require_same_lines(column, tags[key], places, _file(origin, kind, key))
    return part.choose(systems=[*campaign.systems], references=[*campaign.references])


def _require_same_lines(texts: Texts, tags: Texts, places: np.ndarray, file: str) -> None:
    """Refuse a line of tags for no text, and a text without tags: something is shifted."""
    wrong = texts.blank() != tags.blank()
    if wrong.any():
        place = int(wrong.argmax())
        what = "no tag for a text that has words" if tags.blank()[place] else "tags for a text without a word"
        raise InputError(f"{what}.", "A layer has a tag for every token.", Place(file, int(places[place]) + 1))


def _file(origin: str, kind: str, key: str) -> str:
    file = Path(origin) / f"{kind}.{key}.txt"
    return str(file) if is_folder(origin) else origin
