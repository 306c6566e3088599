"""Someone may be harmed: the words that say so beyond doubt, and the short answer that comes before everything else."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from madang.text.normalise import squeeze


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(files("madang.graph").joinpath("danger.toml").read_text(encoding="utf-8"))


def in_danger(text: str) -> bool:
    """Whether the words alone say that someone may be harmed. What only sounds like it says nothing here."""
    squeezed = squeeze(text)
    if any(phrase in squeezed for phrase in _data()["figures_of_speech"]):
        return False
    return any(phrase in squeezed for kind in _data()["kinds"].values() for phrase in kind["phrases"])


def sounds_dangerous(text: str) -> bool:
    """Whether any word is in it that tells of a danger or hints at one."""
    squeezed = squeeze(text)
    for phrase in _data()["figures_of_speech"]:
        squeezed = squeezed.replace(phrase, "")
    return any(word in squeezed for kind in _data()["kinds"].values() for word in (*kind["phrases"], *kind["words"]))


def danger_answer(text: str, language: str | None = None) -> str:
    """What to say first: the numbers to call for what the text speaks of; with none of its words, all of them."""
    squeezed = squeeze(text)
    kinds = _data()["kinds"]
    said = [kind for kind in kinds.values() if any(word in squeezed for word in kind["phrases"])]
    if not said:
        # Of words that only hint the kind that most of them speak of counts.
        hints = [(sum(word in squeezed for word in kind["words"]), kind) for kind in kinds.values()]
        most = max(count for count, _ in hints)
        said = [kind for count, kind in hints if count == most][:1] if most else [kinds["any"]]
    wording = "en" if language == "en" else "ko"
    return "\n\n".join(kind[wording] for kind in said)


def was_said(text: str) -> bool:
    """Whether a text holds one of the answers to danger."""
    return any(kind[wording] in text for kind in _data()["kinds"].values() for wording in ("ko", "en"))
