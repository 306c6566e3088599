"""Promises on turns: accepted, run one at a time, ended once."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from bench.nemesis.evidence import Evidence, Violation
from bench.nemesis.servers import Row

ENDS = {"response": "completed", "error": "failed", "cancelled": "cancelled"}


def taken_over(runs: Sequence[Row]) -> dict[str, str]:
    """Runs whose turn another one goes on with, after an answer, and the last of those."""
    by = {run["continues"]: run["run_id"] for run in runs if run["continues"]}
    last = dict(by)
    for earlier, later in by.items():
        while later in by:
            later = by[later]  # noqa: PLW2901
        last[earlier] = later
    return last


def turn_is_kept(evidence: Evidence) -> Iterator[Violation]:
    """A turn that was accepted is there, unless a turn with the policy `rollback` made it be forgotten."""
    for one in evidence.record.conversations.values():
        known = {run["run_id"] for run in evidence.runs.get(one.session_id, ())}
        for turn in one.turns:
            if one.session_id in evidence.sessions and turn.run_id not in known and not one.rolled_back:
                yield Violation("turn_is_kept", one.session_id, {"run": turn.run_id, "text": turn.text})


def turn_ends(evidence: Evidence) -> Iterator[Violation]:
    """A turn that was accepted ends, or waits for an answer or behind an open question: none is left lying."""
    for name, runs in evidence.runs.items():
        asked = any(run["status"] == "interrupted" for run in runs)
        for run in runs:
            if run["status"] == "running" or (run["status"] == "queued" and not asked):
                shown = {key: str(run[key]) for key in ("run_id", "status", "attempts", "lease_until", "error")}
                others = [(other["run_id"][-6:], other["status"]) for other in runs][-6:]
                yield Violation("turn_ends", name, {**shown, "runs": others})


def turn_ends_once(evidence: Evidence) -> Iterator[Violation]:
    """A turn that is over has exactly one last event, and it says what the run's status says."""
    for name, runs in evidence.runs.items():
        said: dict[str, list[str]] = defaultdict(list)
        for event in evidence.events.get(name, ()):
            if event["type"] in ENDS and event["run_id"]:
                said[event["run_id"]].append(event["type"])
        over = taken_over(runs)
        for run in runs:
            found = said.get(run["run_id"], [])
            wanted = [kind for kind, status in ENDS.items() if status == run["status"]]
            if run["run_id"] in over:
                wanted = []
            if run["status"] in ("queued", "running") or found == wanted:
                continue
            shown = {"run": run["run_id"], "status": run["status"], "events": found, "attempts": run["attempts"]}
            yield Violation("turn_ends_once", name, {**shown, "error": str(run["error"])[:200]})


def cancelling_holds(evidence: Evidence) -> Iterator[Violation]:
    """A turn whose cancelling was confirmed stays cancelled."""
    for one in evidence.record.conversations.values():
        runs = {run["run_id"]: run for run in evidence.runs.get(one.session_id, ())}
        for turn in one.turns:
            run = runs.get(turn.run_id)
            if turn.cancel_confirmed and run is not None and run["status"] != "cancelled":
                yield Violation("cancelling_holds", one.session_id, {"run": turn.run_id, "status": run["status"]})


def request_is_one_turn(evidence: Evidence) -> Iterator[Violation]:
    """A request that was sent twice, also at the same moment, is one turn."""
    for name, runs in evidence.runs.items():
        over = taken_over(runs)
        count = Counter(run["request_id"] for run in runs if run["run_id"] not in over)
        for request_id, times in count.items():
            if request_id and times > 1:
                yield Violation("request_is_one_turn", name, {"request": request_id, "turns": times})


def one_turn_at_a_time(evidence: Evidence) -> Iterator[Violation]:
    """The turns of a conversation don't overlap: one ends, or waits, before the next one begins."""
    for name, events in evidence.events.items():
        over = taken_over(evidence.runs.get(name, ()))
        current: str | None = None
        for event in events:
            run_id = over.get(event["run_id"], event["run_id"])
            begins, ends = event["type"] == "planning_start", event["type"] in (*ENDS, "workflow_interrupted")
            if begins and current not in (None, run_id):
                yield Violation("one_turn_at_a_time", name, {"seq": event["seq"], "run": run_id, "during": current})
            if not begins and not ends and current not in (None, run_id):
                shown = {"seq": event["seq"], "type": event["type"], "run": run_id, "during": current}
                yield Violation("one_turn_at_a_time", name, shown)
            if begins:
                current = run_id
            elif ends and current == run_id:
                current = None


def one_open_question(evidence: Evidence) -> Iterator[Violation]:
    """A conversation waits for one answer at most, and no other turn begins over an open question."""
    sent = {
        turn.run_id
        for one in evidence.record.conversations.values()
        for turns in one.answers.values()
        for turn in turns
    }
    for name, runs in evidence.runs.items():
        waiting = [run["run_id"] for run in runs if run["status"] == "interrupted"]
        if len(waiting) > 1:
            yield Violation("one_open_question", name, {"waiting": waiting})
        over = taken_over(runs)
        begun: set[str | None] = set()
        asked: str | None = None
        for event in evidence.events.get(name, ()):
            run_id = over.get(event["run_id"], event["run_id"])
            if event["type"] == "planning_start":
                begun.add(run_id)
                if asked not in (None, run_id):
                    yield Violation("one_open_question", name, {"seq": event["seq"], "run": run_id, "over": asked})
            # Rolled back, an answer's row can't tell what it went on with: what was sent can, or its not having begun.
            answers = run_id in sent or (run_id not in begun and event["type"] != "cancelled")
            if event["type"] == "workflow_interrupted":
                asked = run_id
            elif asked == run_id or answers:
                asked = None


def answer_is_taken_once(evidence: Evidence) -> Iterator[Violation]:
    """An answer sent several times at once is taken once: one run goes on with it."""
    for one in evidence.record.conversations.values():
        for interrupt_id, turns in one.answers.items():
            if len({turn.run_id for turn in turns}) > 1:
                shown = {"interrupt": interrupt_id, "runs": sorted({turn.run_id for turn in turns})}
                yield Violation("answer_is_taken_once", one.session_id, shown)


def turns_keep_their_order(evidence: Evidence) -> Iterator[Violation]:
    """Of two turns, the one that was accepted before the other was sent is run first."""
    for one in evidence.record.conversations.values():
        begun: dict[str, int] = {}
        for event in evidence.events.get(one.session_id, ()):
            if event["type"] == "planning_start":
                begun.setdefault(event["run_id"], event["seq"])
        asked = sorted(
            (turn for turn in one.turns if turn.kind == "question" and turn.run_id in begun),
            key=lambda turn: turn.call.answered_at,
        )
        for earlier, later in combinations(asked, 2):
            if earlier.call.answered_at < later.call.sent_at and begun[earlier.run_id] > begun[later.run_id]:
                yield Violation("turns_keep_their_order", one.session_id, {"first": earlier.text, "second": later.text})


def messages_are_stored_once(evidence: Evidence) -> Iterator[Violation]:
    """What was accepted is a message once; a completed turn has one answer, after its question."""
    for name in evidence.sessions:
        found = evidence.messages.get(name, ())
        shown = _doubled(found)
        if shown:
            yield Violation("messages_are_stored_once", name, shown)
    for one in evidence.record.conversations.values():
        if one.session_id not in evidence.sessions:
            continue
        found = evidence.messages.get(one.session_id, ())
        runs = {run["run_id"]: run for run in evidence.runs.get(one.session_id, ())}
        said = {row["content"] for row in found if row["role"] == "user"}
        answered = {row["run_id"] for row in found if row["role"] == "assistant"}
        for turn in one.turns:
            run = runs.get(turn.run_id)
            if run is None:
                continue
            if turn.text and turn.text not in said:
                yield Violation("messages_are_stored_once", one.session_id, {"lost": turn.text, "run": turn.run_id})
            if turn.kind == "question" and run["status"] == "completed" and turn.run_id not in answered:
                yield Violation(
                    "messages_are_stored_once", one.session_id, {"unanswered": turn.text, "run": turn.run_id}
                )


def _doubled(messages: Sequence[Row]) -> Mapping[str, Any]:
    said = Counter(row["content"] for row in messages if row["role"] == "user")
    answered = Counter(row["run_id"] for row in messages if row["role"] == "assistant" and row["run_id"])
    twice = [text for text, times in said.items() if times > 1] + [run for run, times in answered.items() if times > 1]
    return {"twice": twice} if twice else {}


def messages_keep_their_order(evidence: Evidence) -> Iterator[Violation]:
    """Messages are in the order in which they were accepted, and an answer comes after its question."""
    for one in evidence.record.conversations.values():
        found = evidence.messages.get(one.session_id, ())
        place = {row["content"]: at for at, row in reversed(list(enumerate(found))) if row["role"] == "user"}
        asked = sorted(
            (turn for turn in one.turns if turn.text in place and turn.kind == "question"),
            key=lambda turn: turn.call.answered_at,
        )
        for earlier, later in combinations(asked, 2):
            if earlier.call.answered_at < later.call.sent_at and place[earlier.text or ""] > place[later.text or ""]:
                shown = {"first": earlier.text, "second": later.text}
                yield Violation("messages_keep_their_order", one.session_id, shown)
        questions = {turn.run_id: turn.text for turn in asked}
        for at, row in enumerate(found):
            if row["role"] == "assistant" and place.get(questions.get(row["run_id"]) or "", -1) > at:
                yield Violation("messages_keep_their_order", one.session_id, {"answered first": row["run_id"]})


PROMISES = (
    turn_is_kept,
    turn_ends,
    turn_ends_once,
    cancelling_holds,
    request_is_one_turn,
    one_turn_at_a_time,
    one_open_question,
    answer_is_taken_once,
    turns_keep_their_order,
    messages_are_stored_once,
    messages_keep_their_order,
)
