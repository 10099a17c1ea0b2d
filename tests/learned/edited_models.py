"""Model files that somebody changed on purpose, with a digest that fits again."""

import json

from assay.learned.plain_json import digest_of
from learned.small_models import quality_model

TEXT = quality_model().to_json()


def edited(change, *, sealed=True):
    """The text of a model file after ``change`` to its data; sealed, it has a digest that fits."""
    data = json.loads(TEXT)
    change(data)
    if sealed:
        data["digest"] = digest_of({key: data[key] for key in ("card", "features", "model")})
    return json.dumps(data)


def put(*path, value):
    """A change that replaces one value."""

    def change(data):
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = value

    return change
