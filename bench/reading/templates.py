"""Labelled messages made from patterns: `python -m bench.reading.templates` writes each assistant's `templates.txt`.

Patterns and fillers are in `bench/data/reading/templates.toml`. At most half of the training data comes from here.
"""

import random
import re
import tomllib
from collections.abc import Mapping, Sequence

from bench.reading.labels import ASSISTANTS, DATA

COUNT = 700
_SLOT = re.compile(r"<(?P<role>[a-z_]+)(?::(?P<filler>[a-z_]+))?>")


def made(patterns: Sequence[str], fillers: Mapping[str, Sequence[str]], count: int, seed: int) -> list[str]:
    """`count` different lines, the same for the same seed. `<role>` is filled from the list of its name."""
    chance = random.Random(seed)
    lines: dict[str, None] = {}
    for attempt in range(count * 20):
        pattern = patterns[attempt % len(patterns)]
        line = _SLOT.sub(
            lambda slot: f"[{chance.choice(fillers[slot['filler'] or slot['role']])}]({slot['role']})", pattern
        )
        lines[line] = None
        if len(lines) == count:
            break
    return list(lines)


def write() -> None:
    """Make the files anew."""
    data = tomllib.loads((DATA / "templates.toml").read_text(encoding="utf-8"))
    for number, assistant in enumerate(ASSISTANTS):
        given = data[assistant]
        lines = made(given["patterns"], {**data["fillers"], **given["fillers"]}, COUNT, number)
        text = "\n".join(["# author: templates", *lines]) + "\n"
        (DATA / assistant / "templates.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
