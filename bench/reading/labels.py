"""Reading the labelled messages of `bench/data/reading` (its README says how they are written)."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).parents[1] / "data" / "reading"
ASSISTANTS = ("homes", "travel", "works")
_MARK = re.compile(r"\[(?P<words>[^\[\]]+)\]\((?P<role>[a-z_]+)\)|\{(?P<act>[a-z_]+) (?P<task>[a-z_]+)\}")


@dataclass(frozen=True)
class Labelled:
    """A message as typed, the roles of its words, and what each of its clauses does, by where the clause ends."""

    text: str
    roles: tuple[tuple[int, int, str], ...]
    clauses: tuple[tuple[int, str, str], ...]


def parse(line: str) -> Labelled:
    """One labelled line."""
    text, roles, clauses, at = "", [], [], 0
    for mark in _MARK.finditer(line):
        text += line[at : mark.start()].replace("⏎", "\n")
        at = mark.end()
        if mark["role"]:
            roles.append((len(text), len(text) + len(mark["words"]), mark["role"]))
            text += mark["words"]
        else:
            clauses.append((len(text), mark["act"], mark["task"]))
    return Labelled(text + line[at:].replace("⏎", "\n"), tuple(roles), tuple(clauses))


def files_of(assistant: str, *, test: bool) -> list[Path]:
    """The files of one assistant: written by those who are trained on, or by those who are not."""
    return sorted(path for path in (DATA / assistant).glob("*.txt") if path.name.endswith(".test.txt") == test)


def messages(path: Path) -> Iterator[Labelled]:
    """The labelled messages of a file."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("# "):
            yield parse(line)


def data_hash(*assistants: str) -> str:
    """What tells one state of the training data from another."""
    digest = hashlib.sha256()
    for assistant in assistants:
        for path in files_of(assistant, test=False):
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]
