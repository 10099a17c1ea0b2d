"""The whole result as JSON, which ``Result.from_json`` reads back."""

from assay.results.rendering import Style

STYLE = Style("json", (".json",), lambda result, _look: result.to_json() + "\n")
