"""Promises on conversations and on the servers themselves."""

from collections.abc import Iterator
from typing import Any

from bench.nemesis.evidence import Evidence, Violation
from bench.nemesis.record import Call

# What each operation may be answered with, besides 503 while the database is away, and a lost connection.
ALLOWED = {
    "create": {201, 409},
    "ask": {200, 202, 404, 409},
    "cancel": {200, 404, 409},
    "fork": {201, 404, 409},
    "edit": {200, 202, 404, 409},
    "rename": {200, 404},
    "delete": {204, 404, 409},
    "state": {200, 404},
    "answer": {200, 404, 409},
    "wait": {200, 404, 409},
}
# Faults that never keep a server from its database.
ONLY_RESTARTS = {"roll", "terminate"}


def conversation_is_kept(evidence: Evidence) -> Iterator[Violation]:
    """A conversation whose making was confirmed is there until somebody deletes it."""
    for one in evidence.record.conversations.values():
        if one.deleted == "no" and one.session_id not in evidence.sessions:
            yield Violation("conversation_is_kept", one.session_id, {})


def deletion_is_final(evidence: Evidence) -> Iterator[Violation]:
    """Nothing of a deleted conversation is left, and no late write brings it back."""
    for one in evidence.record.conversations.values():
        if one.deleted != "yes":
            continue
        kept: dict[str, Any] = {
            "session": one.session_id in evidence.sessions,
            "runs": len(evidence.runs.get(one.session_id, ())),
            "events": len(evidence.events.get(one.session_id, ())),
            "messages": len(evidence.messages.get(one.session_id, ())),
            **evidence.left_over.get(one.session_id, {}),
        }
        if any(kept.values()):
            yield Violation("deletion_is_final", one.session_id, {"left": {k: n for k, n in kept.items() if n}})


def title_is_kept(evidence: Evidence) -> Iterator[Violation]:
    """A conversation has the title that was confirmed last."""
    for one in evidence.record.conversations.values():
        stored = evidence.sessions.get(one.session_id)
        # One that was given no title is named by the server.
        if stored is not None and stored["title"] not in one.titles and None not in one.titles:
            yield Violation("title_is_kept", one.session_id, {"title": stored["title"], "confirmed": one.titles})


def fork_is_whole(evidence: Evidence) -> Iterator[Violation]:
    """A fork has the state and the messages of its parent, or isn't there."""
    for session in evidence.sessions.values():
        parent = session["parent_session_id"]
        if parent is None or session.get("status") == "importing":
            continue
        name = session["session_id"]
        begun = [row["content"] for row in evidence.messages.get(parent, ())]
        copied = [row["content"] for row in evidence.messages.get(name, ()) if row["run_id"] is None]
        views = evidence.views.get(name, ())
        if copied and not any(view.state.get("messages") for view in views):
            yield Violation("fork_is_whole", name, {"parent": parent, "messages": len(copied), "state": "empty"})
        elif parent in evidence.sessions and (foreign := _foreign(evidence, parent, set(copied) - set(begun))):
            yield Violation("fork_is_whole", name, {"parent": parent, "foreign": foreign})
        elif not copied and any(view.state.get("messages") for view in views) and not evidence.runs.get(name):
            yield Violation("fork_is_whole", name, {"parent": parent, "messages": 0, "state": "there"})


def _foreign(evidence: Evidence, parent: str, copied: set[str]) -> list[str]:
    """What was never said in the parent. What was said there and rolled back since may be in a fork."""
    known = evidence.record.conversations.get(parent)
    tokens = known.tokens if known is not None else set()
    return sorted(text for text in copied if not any(token in text for token in tokens))


def requests_are_answered(evidence: Evidence) -> Iterator[Violation]:
    """A valid request is done, or answered with 409 for a race or 503 while the database is away: never 422 or 500."""
    unavailable = set() if set(evidence.record.faults) <= ONLY_RESTARTS else {503}
    for call in evidence.record.calls:
        if call.status is not None and call.status not in ALLOWED[call.operation] | unavailable:
            yield Violation("requests_are_answered", call.session_id, _shown(call))


def waiting_gives_the_state(evidence: Evidence) -> Iterator[Violation]:
    """Who waits for a turn as the LangGraph SDK does gets its state, or a lost connection: never an empty answer."""
    for call in evidence.record.calls:
        if call.operation == "wait" and call.status == 200 and not isinstance(call.body, dict):
            yield Violation("waiting_gives_the_state", call.session_id, _shown(call))


def _shown(call: Call) -> dict[str, Any]:
    return {"operation": call.operation, "status": call.status, "body": str(call.body)[:300]}


def servers_stay_up(evidence: Evidence) -> Iterator[Violation]:
    """A server ends when it is told to, within its grace, and never by itself."""
    for said in evidence.record.exits:
        yield Violation("servers_stay_up", "", {"said": said[:300]})
    if evidence.record.slow_ends:
        yield Violation("servers_stay_up", "", {"slow to end": evidence.record.slow_ends})


def database_is_sound(evidence: Evidence) -> Iterator[Violation]:
    """`madang db check` finds nothing to mend."""
    for problem in evidence.repairs:
        where = str(problem.get("where", ""))
        yield Violation("database_is_sound", where if where in evidence.sessions else "", {"problem": dict(problem)})


PROMISES = (
    conversation_is_kept,
    deletion_is_final,
    title_is_kept,
    fork_is_whole,
    requests_are_answered,
    waiting_gives_the_state,
    servers_stay_up,
    database_is_sound,
)
