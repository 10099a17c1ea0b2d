"""Some metric strings, inputs to kernels and hostile names each time; ``make fuzz`` tries what there is time for."""

import random

import pytest

from fuzz import calls, kernels, names, spellings
from fuzz.__main__ import KINDS, main
from fuzz.outcomes import Outcomes


def test_a_metric_string_is_refused_or_reads_as_itself():
    outcomes = Outcomes("metric strings")
    for seed in range(4000):
        spellings.try_one(seed, outcomes)
    assert not outcomes.escaped, str(outcomes)
    assert outcomes.taken > 100
    assert outcomes.refused > 1000


def test_kernels_are_their_twins_on_random_input():
    outcomes, properties = Outcomes("inputs to kernels"), kernels.properties()
    assert len(properties) > 25
    for name, check in properties:
        for seed in range(1):
            kernels.try_one(name, check, seed, outcomes)
    assert not outcomes.escaped, str(outcomes)
    assert outcomes.taken > len(properties) / 2


def test_hostile_names_are_shown_kept_or_refused(tmp_path):
    outcomes = Outcomes("campaigns with hostile names")
    for seed in range(64):
        names.try_one(seed, tmp_path, outcomes)
    assert not outcomes.escaped, str(outcomes)
    assert min(outcomes.taken, outcomes.refused) > 10


def test_two_wrong_arguments_are_no_better_than_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    outcomes, chance = Outcomes("wrong calls"), random.Random(1)
    for call in calls.calls(tmp_path):
        for _ in range(3):
            calls.try_random(call, chance, outcomes)
    assert not outcomes.escaped, str(outcomes)


def test_what_escapes_is_counted_with_its_place_and_first_trial():
    outcomes = Outcomes("trials")
    for number in range(3):
        with outcomes.trial(lambda number=number: f"trial {number}"):
            raise KeyError(number)
    with outcomes.trial(lambda: "sound"):
        pass
    assert (outcomes.tried, outcomes.taken) == (4, 1)
    assert str(outcomes).startswith("4 trials: 1 taken, 0 refused, 3 escaped\n     3 KeyError at test_more.py:")
    assert str(outcomes).endswith(": trial 0")


@pytest.mark.parametrize("kind", KINDS)
def test_a_budget_of_no_seconds_is_one_round(capsys, monkeypatch, tmp_path, kind):
    monkeypatch.chdir(tmp_path)
    assert main(0, 5, [kind]) == 0
    assert capsys.readouterr().out.startswith(f"{kind}: ")
