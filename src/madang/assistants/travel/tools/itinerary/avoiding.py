"""Kinds of places that a trip leaves out, from the words for what is not wanted."""

from collections.abc import Iterable

from madang.assistants.travel.data.needs import need_words


def avoided_categories(things: Iterable[str]) -> frozenset[str]:
    """The categories that these words belong to."""
    said = [thing.replace(" ", "") for thing in things]
    table = need_words()["avoid"]
    return frozenset(
        category for category, words in table.items() if any(thing == word for thing in said for word in words)
    )


def avoided_names(things: Iterable[str]) -> tuple[str, ...]:
    """The things themselves and parts of names that go with them."""
    said = list(things)
    table = need_words()["avoid_names"]
    return (*said, *(name for thing in said for name in table.get(thing, ())))
