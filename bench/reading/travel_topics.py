"""What travellers ask, by the guide's topic it is about: phrasings by several authors and the labelled rounds.

`python -m bench.reading.travel_topics` learns the topics of all of it and writes them to the product; before that it
prints, for each threshold, how many turns of the rounds would be answered and how many of them with a wrong topic,
each round judged by what was learnt without it. `… --learn` only learns.
"""

import sys
from collections.abc import Iterator, Mapping
from datetime import date

from bench.people import DATA as ROUNDS
from bench.people import read_lines
from bench.reading.labels import DATA
from madang.assistants.travel.data.facts import topics
from madang.assistants.travel.tools import topic_likeness
from madang.assistants.travel.tools.topic_likeness import LEARNT, NONE, SAID, UNSAID, likeness_to_topics
from madang.assistants.travel.understanding.asked import questions_of
from madang.assistants.travel.understanding.hearing import heard_on
from madang.assistants.travel.understanding.stories import OF_PLANS, parts_of
from madang.text.likeness import Likeness

LABELS = DATA.parent / "travel-topics.dev.txt"
WORDS, RIDGE = True, 0.3
TODAY = date(2026, 11, 18)
_TUNED_ON = "first"  # its turns were in sight when the topics' own words were written
Examples = list[tuple[str, list[str]]]


def labelled(*, without: str = "") -> Examples:
    """What the topics are learnt from, each text with its topics; `without` leaves a round out."""
    return [*written(), *(row for name, rows in rounds().items() if name != without for row in rows)]


def written() -> Examples:
    """The authors' phrasings: a line `## topic`, then one message a line; `## none` belongs to no topic."""
    found: Examples = []
    for path in sorted((DATA / "travel-topics").glob("*.txt")):
        topic = NONE
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("## "):
                topic = line[3:].strip()
            elif line.strip() and not line.startswith("#") and (topic in topics() or topic == NONE):
                found.append((line.strip().replace("⏎", "\n"), [topic]))
    return found


def rounds() -> dict[str, Examples]:
    """Each turn of the development rounds with the topics that answer it; with none it is one of `NONE`."""
    gold = labels()
    found: dict[str, Examples] = {}
    for path in sorted(ROUNDS.glob("travel-*.jsonl")):
        for person in read_lines(path):
            turns = zip(person["turns"], gold.get(person["id"], ()), strict=False)
            rows = [(turn["user"], ids or [NONE]) for turn, ids in turns]
            found.setdefault(path.stem.partition("-")[2], []).extend(rows)
    return found


def labels() -> Mapping[str, list[list[str]]]:
    """By person, the topics of each turn."""
    lines = [line.split(" ", 1) for line in LABELS.read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
    return {
        person: [[] if turn.strip() == "-" else turn.split() for turn in turns.split(" | ")] for person, turns in lines
    }


def learn() -> None:
    """Learn the topics of everything there is and write them where the product reads them."""
    Likeness.learn(labelled(), words=WORDS, ridge=RIDGE).save(LEARNT)


def table() -> Iterator[str]:
    """For each threshold the turns that would be answered, and those with a topic that does not answer them."""
    judged = []
    for name, rows in rounds().items():
        if name == _TUNED_ON:
            continue
        model = Likeness.learn(labelled(without=name), words=WORDS, ridge=RIDGE)
        topic_likeness._model = lambda model=model: model  # type: ignore[assignment]  # the one without the round
        for text, gold in rows:
            heard = heard_on(text, TODAY)
            said = {topic for one in questions_of(heard, ()) for topic in one.question["topics"]} - OF_PLANS
            judged.append((said & {*topics()}, likeness_to_topics(text, parts_of(heard)), {*gold}))
    for least in (0.0, 0.04, 0.06, 0.08, SAID, 0.12, 0.15, 0.2):
        found = [
            (
                {t for t, score in like.items() if (score >= UNSAID and score > like[NONE] and t not in OF_PLANS)}
                | {t for t in said if like.get(t, 0) >= least},
                gold,
            )
            for said, like, gold in judged
        ]
        answered = sum(bool(got) for got, _ in found)
        wrong = sum(bool(got - gold) for got, gold in found)
        right = sum(len(got & gold) for got, gold in found)
        yield f"{least:.2f}: {answered} of {len(found)} turns answered, {wrong} of them wrongly, {right} topics right"


if __name__ == "__main__":
    if "--learn" not in sys.argv:
        print("\n".join(table()))
    learn()
