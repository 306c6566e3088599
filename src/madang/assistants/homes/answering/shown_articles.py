"""Which of the articles found are worth showing."""

from collections.abc import Sequence

from madang.assistants.homes.state.results import LegalResult

# What scores less than the first, or than that share of the best, is left out.
LEAST_SCORE = 0.3
SHARE_OF_BEST = 0.72


def to_show(articles: Sequence[LegalResult], most: int = 3) -> list[LegalResult]:
    """The articles worth showing: named ones, and those that fit nearly as well as the best; of several questions the
    best of each."""
    if not articles:
        return []
    places = sorted({place for item in articles for place in item.get("answers", ())})
    if len(places) > 1:
        best_of = [_best(articles, place) for place in places]
        return list({item["source"]: item for item in best_of if item is not None}.values())
    best = max(float(item["relevance_score"]) for item in articles)
    least = max(LEAST_SCORE, SHARE_OF_BEST * best)
    return [item for item in articles if item.get("exact") or float(item["relevance_score"]) >= least][:most]


def _best(articles: Sequence[LegalResult], place: int) -> LegalResult | None:
    mine = [item for item in articles if place in item.get("answers", ())]
    best = max(mine, key=lambda item: float(item["relevance_score"]), default=None)
    return best if best is not None and float(best["relevance_score"]) >= LEAST_SCORE else None
