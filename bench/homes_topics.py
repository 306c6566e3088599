"""Which situation a turn of the development rounds is about: how many are answered, and how many of them wrongly.

Each round is left out of what is learnt. The first isn't counted: phrases of the situations were written from it.
"""

from bench import Row
from bench.people import read_lines
from bench.reading import topics
from madang.assistants.homes.tools.situation_topics import NONE, topics_of
from madang.assistants.homes.tools.situations import CLEAR
from madang.text.likeness import Likeness

THRESHOLDS = (0.12, 0.16, CLEAR, 0.23, 0.28)


def topics_by_threshold() -> list[Row]:
    """For each threshold the share of turns that are answered, and the share that another situation answers."""
    found = [one for name in topics.rounds() if name != "first" for one in _nearest(name)]
    rows = []
    for least in THRESHOLDS:
        answered = [right for score, right in found if score >= least]
        wrong = answered.count(False)
        note = f"n={len(found)}, {answered.count(True)} of {len(answered)} right"
        goal = "≤ 0.15" if least == CLEAR else ""
        rows += [
            Row(measure=f"turns answered, from {least:g}", value=round(len(answered) / len(found), 3), note=note),
            Row(measure=f"by another situation, from {least:g}", value=round(wrong / len(found), 3), goal=goal),
        ]
    return rows


def _nearest(name: str) -> list[tuple[float, bool]]:
    """Each turn of a round: how near the nearest situation is, and whether it is the right one."""
    model = Likeness.learn(topics.labelled(without=name), words=topics.WORDS, ridge=topics.RIDGE)
    gold, found = topics.labels(), []
    for person in read_lines(topics.ROUNDS / f"homes-{name}.jsonl"):
        before: list[str] = []
        for turn, right in zip(person["turns"], gold[person["id"]], strict=True):
            scores = topics_of("", turn["user"], before[-1:], model=model)
            best = max(scores, key=lambda key: scores[key])
            found.append((0.0 if best == NONE else scores[best], best in right))
            before.append(turn["user"])
    return found


SUITES = {"eval-homes-topics": topics_by_threshold}
