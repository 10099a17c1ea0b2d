"""METEOR 1.5's normaliser: every line of its output, before lower-casing."""

from __future__ import annotations

import re

import pytest

import assay
from goldens.folder import SHIPPED, files, lines, needs_large


def test_the_normalisers_runs_over_the_small_texts_ship():
    assert len(list(SHIPPED.glob("meteor-normalizer/*.txt"))) == 4 + 4


@needs_large
def test_all_of_the_normalisers_runs_are_here():
    assert len(files("meteor-normalizer/*.txt")) == 12 + 4


@pytest.mark.parametrize("name", files("meteor-normalizer/*.txt"))
def test_every_line_is_normalised_as_meteor_does(name):
    pattern = r"meteor-normalizer/(\w+)\.punct-(true|false)\.([^_]+)_(.+)\.txt"
    language, keeps_punctuation, folder, file = re.fullmatch(pattern, name).groups()
    tokenize = f"meteor:{language}" if keeps_punctuation == "true" else f"meteor:{language}+no-punctuation"
    recipe = assay.Recipe(tokenize=tokenize)
    ours = [" ".join(recipe.tokens(line)) for line in lines(f"inputs/{folder}/{file}")]
    assert ours == lines(name)
