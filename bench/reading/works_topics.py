"""What people say to works, by the guide's topic that answers it: phrasings and the labelled development rounds.

`python -m bench.reading.works_topics` learns from them what ships.
"""

from pathlib import Path

from bench.people import read_lines
from bench.reading.labels import DATA, messages
from madang.assistants.works.tools import topic_reader
from madang.assistants.works.tools.guide import topics
from madang.assistants.works.tools.topic_reader import NONE
from madang.text.likeness import Likeness

LEARNT = topic_reader.LEARNT
TOPICS = DATA / "works-topics"
LABELS = DATA.parent / "works-topics.dev.txt"
ROUNDS = DATA.parent / "people"
WORDS, RIDGE = True, 0.3
Examples = list[tuple[str, list[str]]]
# Messages labelled for other tasks ask nothing of the guide; those of these tasks may.
OTHERS = {"analysis", "show", "why", "document", "edit", "store"}
GUIDED = {"check", "search", "chat"}


def labelled(*, without: str = "") -> Examples:
    """What the topics are learnt from, each text with its topics; `without` leaves a round out."""
    examples = [(text, [one.id]) for one in topics() for text in one.examples]
    return [
        *written(),
        *examples,
        *other_tasks(),
        *(row for name, rows in rounds().items() if name != without for row in rows),
    ]


def written() -> Examples:
    """The phrasings: a line `## topic`, then one message a line; `## none` belongs to no topic."""
    found: Examples = []
    for path in sorted(TOPICS.glob("*.txt")):
        topic = NONE
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("## "):
                topic = line[3:].strip()
            elif line.strip() and not line.startswith("# "):
                found.append((line.replace("⏎", "\n"), [topic]))
    return found


def other_tasks() -> Examples:
    """Messages to works that want figures, documents or keeping, and nothing that the guide tells."""
    found: Examples = []
    for name in ("dev.txt", "first.txt"):
        for message in messages(Path(DATA) / "works" / name):
            tasks = {task for _, _, task in message.clauses}
            if tasks & OTHERS and not tasks & GUIDED:
                found.append((message.text, [NONE]))
    return found


def rounds() -> dict[str, Examples]:
    """Each turn of the labelled development rounds with the topics that answer it; with none it is one of `NONE`."""
    gold = labels()
    found: dict[str, Examples] = {}
    for path in sorted(ROUNDS.glob("works-*.jsonl")):
        for person in read_lines(path):
            turns = zip(person["turns"], gold.get(person["id"], ()), strict=False)
            rows = [(turn["user"], ids or [NONE]) for turn, ids in turns]
            found.setdefault(path.stem.partition("-")[2], []).extend(rows)
    return found


def labels() -> dict[str, list[list[str]]]:
    """By person, the topics of each turn."""
    lines = [line.split(" ", 1) for line in LABELS.read_text(encoding="utf-8").splitlines()]
    return {
        person: [[] if turn.strip() == "-" else turn.split() for turn in turns.split(" | ")]
        for person, turns in (line for line in lines if line[0] != "#")
    }


if __name__ == "__main__":
    Likeness.learn(labelled(), words=WORDS, ridge=RIDGE).save(LEARNT)
