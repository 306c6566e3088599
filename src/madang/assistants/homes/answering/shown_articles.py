"""Which of the articles found are worth showing."""

from collections.abc import Sequence

from madang.assistants.homes.state.results import LegalResult

# What scores less than the first, or than that share of the best, is left out.
LEAST_SCORE = 0.3
SHARE_OF_BEST = 0.72


def to_show(articles: Sequence[LegalResult], most: int = 3) -> list[LegalResult]:
    """The articles worth showing: named ones, and those that fit nearly as well as the best."""
    if not articles:
        return []
    best = max(float(item["relevance_score"]) for item in articles)
    least = max(LEAST_SCORE, SHARE_OF_BEST * best)
    return [item for item in articles if item.get("exact") or float(item["relevance_score"]) >= least][:most]
