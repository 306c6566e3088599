"""The check of a model's sentences, on good ones and on subtly wrong ones: what is kept, what is caught.

`bench/data/statements.jsonl`: facts, what the user told, good sentences with the facts they rest on, and wrong ones
with what is wrong (an invented figure, a sign, another thing's figure, an article, swapped parties, a unit).
Written by us. `statements.second.jsonl` was written after the check was mended; at first sight (2026-11-18) 58 of 64
good ones were kept and 62 of 64 wrong ones caught. Three general faults that it showed were mended then: it is
development data since. `statements.third.jsonl` (rows of tables, proposals, English, workings, days) was written after
the next mending: at first sight 57 of 64 good ones were kept (one weekday of ours was wrong) and 59 of 64 wrong ones
caught; five general faults were mended, it is development data too. `statements.fourth.jsonl` (what works is asked:
targets and working days, bills, products of a person's own lines, volume and price) at first sight: 36 of 40 kept and
37 of 40 caught before the mending of that day, 38 and 37 after it; then three more faults were mended.
`statements.fifth.jsonl` (what is left of a target by months, growth by working days, counts of rows, ranges of days,
bills) was written around sentences that works had dropped: 12 of 19 kept and 20 of 20 caught before they were mended.
Whoever wrote these sets had also written the check.
`statements.sixth.jsonl` (2026-11-19) was written by people who saw nothing but printed evidence of 28 turns, never the
check. At first sight 166 of 204 good ones were kept (.81) and 58 of 181 wrong ones replaced (.32): the goals had been
reached on sets of our own only. Every second turn of it was then looked at; the others (`unseen half`) were not read.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from bench import Row
from bench.people import read_lines
from madang.llm.evidence import Evidence, Fact, Table
from madang.llm.figures import find_figures
from madang.llm.statements import Statements

DATA = Path(__file__).parent / "data" / "statements.jsonl"
SECOND = DATA.with_name("statements.second.jsonl")
THIRD = DATA.with_name("statements.third.jsonl")
FOURTH = DATA.with_name("statements.fourth.jsonl")
FIFTH = DATA.with_name("statements.fifth.jsonl")
SIXTH = DATA.with_name("statements.sixth.jsonl")
TODAY = "2026-11-18"


def judged(data: Path = DATA, halves: Sequence[int] = (0, 1)) -> Iterator[tuple[str, str, str | None]]:
    """Each sentence: its label (`good`, or what is wrong), its text, and what the check found. `halves` are the even
    cases, the odd ones, or both."""
    for number, case in enumerate(read_lines(data)):
        if number % 2 not in halves:
            continue
        statements = statements_of(case)
        for text, ids in case["good"]:
            yield "good", text, statements.problem(text, ids)
        for text, ids, wrong in case["wrong"]:
            yield wrong, text, statements.problem(text, ids)


def statements_of(case: dict[str, Any]) -> Statements:
    facts = tuple(Fact(id=f"F{n}", **fact) for n, fact in enumerate(case["facts"], 1))
    tables = tuple(_table(one) for one in case.get("tables", ()))
    evidence = Evidence(
        facts=facts,
        told=tuple(case["told"]),
        known={**case.get("known", {}), "오늘": TODAY},
        heard=case.get("heard", ""),
        incomplete=case.get("incomplete", False),
        tables=tables,
        proposes=case.get("proposes", ""),
    )
    return Statements(evidence, case.get("language", "ko"))


def _table(given: dict[str, Any]) -> Table:
    rows = tuple(
        (name, tuple(None if value is None else Fraction(value) for value in values)) for name, values in given["rows"]
    )
    return Table(given["heading"], tuple(given["labels"]), tuple(given["units"]), rows)


def slipped(data: Path) -> Iterator[tuple[str, bool]]:
    """Each good sentence once more for every figure in it, with one digit changed: what it rests on, whether caught."""
    chance = random.Random(11)
    for case in read_lines(data):
        held = statements_of(case)
        for text, ids in case["good"]:
            for figure in find_figures(text):
                digits = [at for at in range(*figure.span) if text[at].isdecimal()]
                if not digits:
                    continue
                at = chance.choice(digits)
                digit = chance.choice([one for one in "123456789" if one != text[at]])
                rests = "what was found" if any(one.startswith("F") for one in ids) else "the user's words"
                yield rests, held.problem(text[:at] + digit + text[at + 1 :], ids) is not None


def slips() -> list[Row]:
    """One digit changed in sentences that are kept: the share that the check catches."""
    found = [one for data in (DATA, SECOND, THIRD, FOURTH, FIFTH) for one in slipped(data)]
    rows = []
    for rests in sorted({one for one, _ in found}):
        caught = [hit for one, hit in found if one == rests]
        measure = f"one digit changed, resting on {rests}: caught"
        rows.append(Row(measure=measure, value=round(sum(caught) / len(caught), 3), note=f"{len(caught)}"))
    return rows


def statements() -> list[Row]:
    """The share of good sentences that are kept and of wrong ones that are replaced, each kind by itself."""
    later = {"second set, ": SECOND, "third set, ": THIRD, "fourth set, ": FOURTH, "fifth set, ": FIFTH}
    rows = _shares(DATA, "") + [row for name, data in later.items() for row in _shares(data, name)]
    return (
        rows
        + _shares(SIXTH, "sixth set, seen half: ", (0,))
        + _shares(SIXTH, "sixth set, unseen half: ", (1,))
        + slips()
    )


def _shares(data: Path, name: str, halves: Sequence[int] = (0, 1)) -> list[Row]:
    found = list(judged(data, halves))
    good = [problem is None for label, _, problem in found if label == "good"]
    wrong = [problem is not None for label, _, problem in found if label != "good"]
    rows = [
        Row(
            measure=f"{name}good sentences kept",
            value=round(sum(good) / len(good), 3),
            goal="≥ .97",
            note=f"{len(good)}",
        ),
        Row(
            measure=f"{name}wrong sentences replaced",
            value=round(sum(wrong) / len(wrong), 3),
            goal="≥ .97",
            note=f"{len(wrong)}",
        ),
    ]
    caught, kinds = Counter[str](), Counter[str]()
    for label, _, problem in found:
        if label != "good":
            kinds[label] += 1
            caught[label] += problem is not None
    return rows + [
        Row(measure=f"{name}replaced: {kind}", value=round(caught[kind] / count, 3), note=f"{count}")
        for kind, count in sorted(kinds.items())
    ]


SUITES = {"eval-statements": statements}
