"""Promises on the state: readable, the same everywhere, and what its turn says."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from bench.nemesis.assistant import reported
from bench.nemesis.evidence import Evidence, Start, Violation


def state_is_readable(evidence: Evidence) -> Iterator[Violation]:
    """Every server can read every conversation's state, and they read the same."""
    for name, views in evidence.views.items():
        bad = [view for view in views if view.status != 200]
        if bad:
            yield Violation("state_is_readable", name, {"status": bad[0].status, "said": str(bad[0].state)[:300]})
        elif any(view.state != views[0].state for view in views):
            yield Violation("state_is_readable", name, {"servers": "disagree"})


def state_follows_from_its_turn(evidence: Evidence) -> Iterator[Violation]:
    """After a completed turn the state holds what running it undisturbed gives."""
    for name, views in evidence.views.items():
        for view in views[:1]:
            wrong = _unlike_replay(view.state) if view.status == 200 else None
            if wrong:
                yield Violation("state_follows_from_its_turn", name, wrong)


def _unlike_replay(state: Mapping[str, Any]) -> dict[str, Any] | None:
    ids = Counter(message.get("id") for message in state.get("messages") or ())
    twice = [name for name, times in ids.items() if times > 1]
    if twice:
        return {"messages twice": twice[:3]}
    done = {step["agent"] for step in state.get("execution_steps") or () if step["status"] == "completed"}
    topic = str(state.get("topic") or "")
    # An edit whose run was cancelled, or came too late, leaves what was made of the topic before.
    if "reporter" in done and state.get("report") != reported(topic) and "edit" not in topic.split():
        return {"topic": topic, "report": state.get("report")}
    return None


def finished_steps_stay_finished(evidence: Evidence) -> Iterator[Violation]:
    """A step that a client was told is completed doesn't run again in that turn."""
    started: dict[tuple[str, str, str], list[Start]] = defaultdict(list)
    for start in evidence.starts:
        started[start.session_id, start.agent, start.topic].append(start)
    for one in evidence.record.conversations.values():
        texts = {turn.run_id: turn.text for turn in one.turns if turn.kind == "question"}
        told: dict[tuple[str, str], float] = {}
        for seq, frame in sorted(one.heard.items()):
            for step in frame.get("execution_steps") or ():
                if step["status"] == "completed":
                    told.setdefault((frame["request_id"], step["agent"]), one.heard_at[seq])
        runs = {run["request_id"]: run["run_id"] for run in evidence.runs.get(one.session_id, ())}
        for (request_id, agent), at in told.items():
            topic = texts.get(runs.get(request_id, ""))
            again = [start for start in started.get((one.session_id, agent, topic or ""), ()) if start.at > at]
            if again:
                shown = {"request": request_id, "step": agent, "topic": topic, "later": again[0].at - at}
                yield Violation("finished_steps_stay_finished", one.session_id, shown)


PROMISES = (state_is_readable, state_follows_from_its_turn, finished_steps_stay_finished)
