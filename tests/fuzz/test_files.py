"""Some thousand damaged files each time; ``make fuzz`` tries as many as fit into a budget of seconds."""

import warnings

from assay.data.formats import CAMPAIGN_FORMATS
from assay.data.formats.judgements import JUDGEMENT_FORMATS
from assay.data.formats.scores import SCORE_FORMATS
from assay.errors import AssayWarning
from fuzz.files import CAMPAIGNS, JUDGED, SCORES, scratch, targets, try_one
from fuzz.outcomes import Outcomes

#: Of every target so many.
EACH = 100


def test_every_format_is_damaged():
    endings = {f".{name.partition('.')[2]}" for name in CAMPAIGNS}
    whole = {name for name, (_, ends) in CAMPAIGN_FORMATS.items() if not ends or endings & {*ends}}
    assert whole == set(CAMPAIGN_FORMATS)
    assert set(JUDGED) == set(JUDGEMENT_FORMATS)
    assert {name for name, _ in SCORES.values()} == set(SCORE_FORMATS)


def test_a_damaged_file_is_read_or_refused_in_words():
    outcomes = Outcomes("damaged files")
    with scratch() as folder:
        for target in targets(folder):
            for seed in range(EACH):
                try_one(target, seed, outcomes)
    assert not outcomes.escaped, str(outcomes)
    # Neither is everything refused, nor is damage too small to matter.
    assert min(outcomes.taken, outcomes.refused) > outcomes.tried / 5
    assert outcomes.tried > 4000


def test_all_of_them_are_read_before_they_are_damaged():
    with scratch() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", AssayWarning)
        sound = targets(folder)
        for target in sound:
            target.path.write_bytes(target.content)
        for target in sound:
            target.read(target.path)
