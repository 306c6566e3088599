"""Promises on the event log and on those who listen to it."""

import json
from collections.abc import Iterator

from bench.nemesis.evidence import Evidence, Violation
from bench.nemesis.record import TOKEN


def log_has_no_gap(evidence: Evidence) -> Iterator[Violation]:
    """A conversation's events are numbered 1, 2, 3 … without a gap; each frame is its row's."""
    for name, session in evidence.sessions.items():
        events = evidence.events.get(name, ())
        numbers = [event["seq"] for event in events]
        if numbers != list(range(1, len(numbers) + 1)) or session["last_seq"] != len(numbers):
            missing = sorted(set(range(1, max(numbers, default=0) + 1)) - set(numbers))
            shown = {"events": len(numbers), "last_seq": session["last_seq"], "missing": missing[:5]}
            yield Violation("log_has_no_gap", name, shown)
        for event in events:
            if (event["frame"]["seq"], event["frame"]["session_id"]) != (event["seq"], name):
                yield Violation("log_has_no_gap", name, {"seq": event["seq"], "frame": event["frame"]["seq"]})


def counts_are_right(evidence: Evidence) -> Iterator[Violation]:
    """A conversation counts its messages rightly."""
    for name, session in evidence.sessions.items():
        found = len(evidence.messages.get(name, ()))
        if session["message_count"] != found:
            yield Violation("counts_are_right", name, {"counted": session["message_count"], "found": found})


def sockets_hear_the_log(evidence: Evidence) -> Iterator[Violation]:
    """A client that reconnects with the last number it saw hears every event of the log, once and unchanged."""
    for one in evidence.record.conversations.values():
        if one.session_id not in evidence.sessions:
            continue
        logged = {event["seq"]: event["frame"] for event in evidence.events.get(one.session_id, ())}
        if one.unlike:
            yield Violation("sockets_hear_the_log", one.session_id, {"told differently": one.unlike[0]})
        missed = sorted(set(logged) - set(one.heard))
        invented = sorted(set(one.heard) - set(logged))
        changed = [seq for seq, frame in one.heard.items() if seq in logged and logged[seq] != frame]
        if missed or invented or changed:
            shown = {"missed": missed[:5], "not logged": invented[:5], "changed": changed[:5]}
            yield Violation("sockets_hear_the_log", one.session_id, shown)


def nothing_of_others(evidence: Evidence) -> Iterator[Violation]:
    """No word of one conversation is in another's events or messages."""
    for one in evidence.record.conversations.values():
        known = one.tokens | set(TOKEN.findall(one.session_id))
        parent = (evidence.sessions.get(one.session_id) or {}).get("parent_session_id")
        known |= set(TOKEN.findall(parent or ""))
        for event in evidence.events.get(one.session_id, ()):
            foreign = set(TOKEN.findall(json.dumps(event["frame"], ensure_ascii=False))) - known
            if foreign:
                yield Violation("nothing_of_others", one.session_id, {"seq": event["seq"], "words": sorted(foreign)})
        for row in evidence.messages.get(one.session_id, ()):
            foreign = set(TOKEN.findall(row["content"] or "")) - known
            if foreign:
                yield Violation("nothing_of_others", one.session_id, {"message": row["id"], "words": sorted(foreign)})


def steps_only_advance(evidence: Evidence) -> Iterator[Violation]:
    """Within a turn a step never goes back from an end to work, as far as anybody is told."""
    for name, events in evidence.events.items():
        ended: dict[tuple[str, str], tuple[str, int]] = {}
        told: set[str] = set()
        for event in events:
            for step in event["frame"].get("execution_steps") or ():
                key = (event["run_id"], step["step_id"])
                before = ended.get(key)
                if before is not None and step["status"] != before[0] and key[0] not in told:
                    told.add(key[0])
                    shown = {"run": key[0], "step": step["agent"], "was": before, "is": step["status"]}
                    yield Violation("steps_only_advance", name, {**shown, "seq": event["seq"]})
                elif step["status"] in ("completed", "failed", "skipped"):
                    ended.setdefault(key, (step["status"], event["seq"]))


PROMISES = (log_has_no_gap, counts_are_right, sockets_hear_the_log, nothing_of_others, steps_only_advance)
