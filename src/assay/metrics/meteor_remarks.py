"""What METEOR has to say about the texts of a whole corpus, and about its own search."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assay.metrics.meteor_settings import Settings

#: The least share of function words, punctuation among them, in a text of so many words that may be English.
#: News has 0.43 to 0.51 of them, German and Czech 0.16 to 0.18.
LEAST_ENGLISH, ENOUGH_WORDS = 0.3, 500.0


def strange_language(settings: Settings, sums: Mapping[str, float]) -> Iterator[str]:
    """Whether texts that are taken for English have too few of its function words."""
    function, content = (sums[f"reference_{kind}_length"] for kind in ("function", "content"))
    if settings.language == settings.function_words == "en" and function + content >= ENOUGH_WORDS:
        share = function / (function + content)
        if share < LEAST_ENGLISH:
            yield (
                f"meteor: language=en, but {100.0 * share:.0f} % of the reference's words are English function words "
                "and punctuation, where English has 40 and more. If this is another language, name it: "
                "meteor(language=de)."
            )


def unproved(settings: Settings, segments: int, stopped: float, most: Mapping[str, float]) -> Iterator[str]:
    """In how many segments the aligner stopped at its limit, and what others may have ``most`` in one of them."""
    if stopped:
        order = "crossings" if settings.aligner == "staged" else "chunks"
        yield (
            f"meteor: aligner={settings.aligner} stopped at its limit in {int(stopped):,} of {segments:,} segments; "
            f"their alignments are the best that it found. Others match at most {most['weight_slack']:g} weighted "
            f"words more in a segment (both sides together), or as much in at most {most['order_slack']:g} "
            f"fewer {order}."
        )
