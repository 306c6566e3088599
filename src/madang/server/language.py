"""In which language a client reads labels."""

from typing import Annotated, Literal

from fastapi import Depends, Header, Query

Known = Literal["ko", "en"]
LANGUAGES: tuple[Known, ...] = ("ko", "en")
# A header names a few; whoever sends more has them not read.
MOST = 20


def asked_language(
    language: Annotated[Known | None, Query(description="of titles, choices and units; else Accept-Language")] = None,
    accept_language: Annotated[str | None, Header()] = None,
) -> Known | None:
    """The language that is asked for by name, else the one the client likes best; None if it likes none of ours."""
    return language or preferred(accept_language or "")


def preferred(header: str) -> Known | None:
    """The language of ours that an `Accept-Language` header puts first."""
    liked = sorted((_weighed(one) for one in header.split(",")[:MOST]), key=lambda one: -one[1])
    bases = [name.partition("-")[0].strip().lower() for name, weight in liked if weight > 0]
    return next((own for base in bases for own in LANGUAGES if own == base), None)


def _weighed(given: str) -> tuple[str, float]:
    name, _, more = given.partition(";")
    key, _, value = more.strip().partition("=")
    try:
        return name, float(value) if key.strip() == "q" else 1.0
    except ValueError:
        return name, 0.0


Language = Annotated[Known | None, Depends(asked_language)]
