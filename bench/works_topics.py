"""How sure a topic of works' guide must be: what is answered and what is wrong at each bound, each labelled development
round read by what was learnt without it.

A turn is answered with the topics whose score reaches the bound, or a lower one where the topic's own signs are said.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from bench import Row
from bench.people import DATA, TODAY
from bench.people import rounds as people
from bench.reading import works_topics
from bench.reading.topics import rounds
from bench.reading.train import sample_lexicon
from madang.assistants.works.tools.guide import topics_in
from madang.assistants.works.understanding.guiding import MAYBE, MOST, OFFER, SIGNED, SURE, SURELY, asking_parts
from madang.assistants.works.understanding.hearing import hear_text
from madang.assistants.works.understanding.narrow_questions import narrow_questions
from madang.search.faq import Faq
from madang.text.likeness import Likeness

BOUNDS = (0.2, 0.25, SURE, 0.35, 0.4)


class Turn(NamedTuple):
    """The topics that answer a turn, those whose signs it says, and how like each topic it is."""

    wanted: set[str]
    signed: list[str]
    likely: Mapping[str, float]


def turns() -> Iterator[Turn]:
    """The turns of every round, each read by what was learnt from the others."""
    lexicon, gold = sample_lexicon(), rounds("works", works_topics.LABELS)
    for name, rows in gold.items():
        if all(labels == [works_topics.NONE] for _, labels in rows):
            continue
        learnt = Likeness.learn(works_topics.labelled(without=name), words=works_topics.WORDS, ridge=works_topics.RIDGE)
        for text, labels in rows:
            scores = [learnt.of(part) for part in asking_parts(hear_text(text, lexicon, TODAY))]
            likely = {label: max(one.get(label, 0.0) for one in scores) for label in learnt.labels}
            likely.pop(works_topics.NONE, None)
            yield Turn(set(labels) - {works_topics.NONE}, [one.id for one in topics_in(text)], likely)


def works_topics_found() -> list[Row]:
    """By bound: the share of turns that is answered, and of these that which gets a topic that doesn't answer it."""
    read = list(turns())
    found = [("signs alone", [one.signed for one in read])]
    found += [(f"sure at {bound}", [chosen(one, bound) for one in read]) for bound in BOUNDS]
    return [row for name, answers in found for row in _rows(name, read, answers)]


def chosen(turn: Turn, bound: float) -> list[str]:
    """The topics that a turn is answered with at a bound."""
    ordered = sorted(turn.likely.items(), key=lambda item: -item[1])
    return [name for name, score in ordered if score >= (SIGNED if name in turn.signed else bound)][:MOST]


def _rows(name: str, read: list[Turn], answers: list[list[str]]) -> Iterator[Row]:
    told = [(turn, topics) for turn, topics in zip(read, answers, strict=True) if topics]
    wrong = sum(not turn.wanted & set(topics) for turn, topics in told)
    some = sum(bool(set(topics) - turn.wanted) for turn, topics in told)
    answerable = sum(bool(turn.wanted) for turn in read)
    note = f"{len(told)} of {len(read)} turns ({answerable} have a topic)"
    yield Row(measure=f"works topics, {name}: answered", value=round(len(told) / len(read), 3), note=note)
    yield Row(measure=f"works topics, {name}: none of it answers", value=round(wrong / max(1, len(told)), 3), note=note)
    yield Row(measure=f"works topics, {name}: some doesn't answer", value=round(some / max(1, len(told)), 3), note=note)


NARROW = DATA.parent / "works-narrow.dev.txt"
ROUNDS = ("sixth", "fifth", "fourth", "third", "first")


def narrow_found() -> list[Row]:
    """By bound: of the nearest narrow questions the share that answers the turn, and of the answerable turns that which
    is told one."""
    lines = [line.split("\t") for line in NARROW.read_text("utf-8").splitlines() if not line.startswith("#")]
    wanted = {turn: tuple(asks.split(" | ")) for turn, asks in lines}
    lexicon, known, found = sample_lexicon(), Faq.packaged("madang.assistants.works.data"), []
    for name, persons in ((name, persons) for of, name, persons in people() if of == "works" and name in ROUNDS):
        assert name
        for person in persons:
            said = [turn["user"] for turn in person["turns"]]
            for number, (before, text) in enumerate(zip(["", *said], said, strict=False)):
                near = narrow_questions(hear_text(text, lexicon, TODAY), before, known)
                asks = wanted.get(f"{person['id']}.{number}", ())
                found += [(near[0].score, near[0].question.ask[0].startswith(asks or ("\n",)))] if near else []
    return [row for bound in (OFFER, MAYBE, SURELY) for row in _narrow_rows(bound, found, len(wanted))]


def _narrow_rows(bound: float, found: list[tuple[float, bool]], answerable: int) -> Iterator[Row]:
    told = [right for score, right in found if score >= bound]
    note = f"{len(told)} of {len(found)} turns, {answerable} of them answerable"
    yield Row(measure=f"works narrow from {bound}: right", value=round(sum(told) / max(1, len(told)), 3), note=note)
    yield Row(measure=f"works narrow from {bound}: found", value=round(sum(told) / answerable, 3), note=note)


SUITES = {"eval-works-topics": works_topics_found, "eval-works-narrow": narrow_found}
