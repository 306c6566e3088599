"""What people say, by the situation it is about: by several authors, as narrow questions, in the development rounds."""

from pathlib import Path

from bench.people import read_lines
from bench.reading.labels import DATA
from madang.assistants.homes import data
from madang.assistants.homes.data.situation_base import load_situations
from madang.assistants.homes.tools import situation_topics
from madang.search.faq import load_questions

LEARNT, NONE = situation_topics.LEARNT, situation_topics.NONE
TOPICS = DATA / "homes-topics"
ROUNDS = DATA.parent / "people"
LABELS = DATA.parent / "homes-topics.dev.txt"
WORDS, RIDGE = True, 0.6
Examples = list[tuple[str, list[str]]]


def labelled(*, without: str = "") -> Examples:
    """What the topics are learnt from, each text with its situations; `without` leaves a round out."""
    phrases = [(text, [one.id]) for one in load_situations() for text in (*one.phrases, one.title)]
    ways = [(way, [one.topic]) for one in load_questions(data.__name__) if one.topic for way in one.ask]
    return [*phrases, *ways, *written(), *(row for name, rows in rounds().items() if name != without for row in rows)]


def written(folder: Path = TOPICS) -> Examples:
    """The authors' phrasings: a line `## situation`, then one message a line; `## none` belongs to no situation."""
    found: Examples = []
    for path in sorted(folder.glob("*.txt")):
        topic = NONE
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("## "):
                topic = line[3:].strip()
            elif line.strip() and not line.startswith("# "):
                found.append((line.replace("⏎", "\n"), [topic]))
    return found


def rounds(assistant: str = "homes", path: Path = LABELS) -> dict[str, Examples]:
    """Each turn of the development rounds with the situations that answer it; with none it is one of `NONE`."""
    gold = labels(path)
    found: dict[str, Examples] = {}
    for told in sorted(ROUNDS.glob(f"{assistant}-*.jsonl")):
        for person in read_lines(told):
            turns = zip(person["turns"], gold.get(person["id"], ()), strict=False)
            rows = [(turn["user"], ids or [NONE]) for turn, ids in turns]
            found.setdefault(told.stem.partition("-")[2], []).extend(rows)
    return found


def labels(path: Path = LABELS) -> dict[str, list[list[str]]]:
    """By person, the situations of each turn."""
    lines = [line.split(" ", 1) for line in path.read_text(encoding="utf-8").splitlines()]
    return {
        person: [[] if turn.strip() == "-" else turn.split() for turn in turns.split(" | ")]
        for person, turns in (line for line in lines if line[0] != "#")
    }
