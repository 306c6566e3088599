"""What the kit says to people is there in both languages, with the same blanks."""

from string import Formatter

import pytest

from madang.texts import say, texts


@pytest.mark.parametrize("name", sorted(texts()))
def test_every_text_has_its_english_twin(name: str) -> None:
    wordings = texts()[name]
    assert set(wordings) == {"ko", "en"}
    blanks = [{field for _, field, _, _ in Formatter().parse(text) if field} for text in wordings.values()]
    assert blanks[0] == blanks[1]


def test_an_unknown_language_gets_korean() -> None:
    assert say("cancelled", "fr") == say("cancelled", None) == say("cancelled", "ko") != say("cancelled", "en")
