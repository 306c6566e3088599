"""The nemesis's checks find what they are for: each promise holds for a sound history and is seen to be broken."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from bench.nemesis.assistant import answer_to, reported
from bench.nemesis.evidence import Evidence, Start, View
from bench.nemesis.promises import PROMISES, broken
from bench.nemesis.record import Call, Conversation, Record, Turn

NAME, TOPIC, RUN, REQUEST = "c0-T000001", "T000002", "run-1", "request-T000002"


def steps(status: str) -> list[dict[str, Any]]:
    return [{"step_id": "step_0", "agent": "reporter", "status": status}]


def sound() -> Evidence:
    """One conversation with one turn, completed, heard by its client."""
    frames = [
        {"type": "planning_start", "seq": 1, "session_id": NAME, "request_id": REQUEST},
        {
            "type": "todo_updated",
            "seq": 2,
            "session_id": NAME,
            "request_id": REQUEST,
            "execution_steps": steps("completed"),
        },
        {"type": "response", "seq": 3, "session_id": NAME, "request_id": REQUEST, "answer": TOPIC},
    ]
    asked = Call("ask", NAME, 8000, 202, {}, sent_at=1.0, answered_at=2.0)
    known = Conversation(NAME, {TOPIC}, [Turn(RUN, REQUEST, "question", asked, TOPIC)], titles=["kept"])
    for frame in frames:
        known.hear(dict(frame), 10.0)
    record = Record([asked], {NAME: known})
    state = {
        "topic": TOPIC,
        "report": reported(TOPIC),
        "execution_steps": steps("completed"),
        "messages": [{"id": "q"}],
    }
    return Evidence(
        record,
        sessions={
            NAME: {
                "session_id": NAME,
                "title": "kept",
                "parent_session_id": None,
                "last_seq": 3,
                "message_count": 2,
            }
        },
        runs={NAME: [run_row()]},
        events={NAME: [{"seq": f["seq"], "run_id": RUN, "type": f["type"], "frame": f} for f in frames]},
        messages={
            NAME: [
                {"id": 1, "role": "user", "content": TOPIC, "run_id": RUN},
                {"id": 2, "role": "assistant", "content": answer_to(TOPIC, reported(TOPIC)), "run_id": RUN},
            ]
        },
        views={NAME: [View(8000, 200, state), View(8001, 200, copy.deepcopy(state))]},
        starts=[Start(5.0, "1", NAME, "reporter", TOPIC)],
    )


def run_row(**changes: Any) -> dict[str, Any]:
    row: dict[str, Any] = {"run_id": RUN, "request_id": REQUEST, "status": "completed", "attempts": 1, "error": None}
    return {**row, "continues": None, "lease_until": None, **changes}


def event(run_id: str, kind: str, seq: int = 0, **fields: Any) -> dict[str, Any]:
    return {"seq": seq, "run_id": run_id, "type": kind, "frame": {"seq": seq, "session_id": NAME, **fields}}


def only(evidence: Evidence) -> Any:
    return evidence.record.conversations[NAME]


def forgotten(evidence: Any) -> None:
    evidence.sessions.clear()


def came_back(evidence: Evidence) -> None:
    only(evidence).deleted = "yes"


def renamed(evidence: Any) -> None:
    evidence.sessions[NAME]["title"] = None


def half_forked(evidence: Any) -> None:
    evidence.sessions["fork"] = {**evidence.sessions[NAME], "session_id": "fork", "parent_session_id": NAME}
    evidence.messages["fork"] = [{"id": 9, "role": "user", "content": TOPIC, "run_id": None}]
    evidence.views["fork"] = [View(8000, 200, {})]


def refused(evidence: Evidence) -> None:
    evidence.record.calls.append(Call("cancel", NAME, 8000, 422))


def told_nothing(evidence: Evidence) -> None:
    evidence.record.calls.append(Call("wait", NAME, 8000, 200, None))


def ended_by_itself(evidence: Evidence) -> None:
    evidence.record.exits.append("IllegalTransition")


def to_mend(evidence: Evidence) -> None:
    evidence.repairs = [{"kind": "orphan"}]


def turn_lost(evidence: Any) -> None:
    evidence.runs[NAME] = []


def lies_still(evidence: Any) -> None:
    evidence.runs[NAME] = [run_row(status="queued")]


def says_otherwise(evidence: Any) -> None:
    evidence.runs[NAME] = [run_row(status="cancelled")]


def went_on(evidence: Evidence) -> None:
    only(evidence).turns[0].cancel_confirmed = True


def twice(evidence: Any) -> None:
    evidence.runs[NAME].append(run_row(run_id="run-2"))


def another_begins(at: int, run_id: str = "run-2") -> Callable[[Any], None]:
    def change(evidence: Any) -> None:
        evidence.events[NAME].insert(at, event(run_id, "planning_start"))

    return change


def begun_over_a_question(evidence: Any) -> None:
    evidence.events[NAME].insert(2, event(RUN, "workflow_interrupted"))
    another_begins(3)(evidence)


def answered_twice(evidence: Evidence) -> None:
    call = Call("answer", NAME, 8000, 200)
    only(evidence).answers["i"] = [Turn("a", None, "answer", call), Turn("b", None, "answer", call)]


def later_first(evidence: Any) -> None:
    another_begins(3)(evidence)
    evidence.events[NAME][0]["seq"], evidence.events[NAME][3]["seq"] = 9, 4
    call = Call("ask", NAME, 8000, 202, sent_at=3.0, answered_at=4.0)
    only(evidence).turns.append(Turn("run-2", "r2", "question", call, "T000003"))
    evidence.messages[NAME].insert(0, {"id": 0, "role": "user", "content": "T000003", "run_id": "run-2"})


def said_twice(evidence: Any) -> None:
    evidence.messages[NAME].append(dict(evidence.messages[NAME][0]))


def gap(evidence: Any) -> None:
    del evidence.events[NAME][1]


def miscounted(evidence: Any) -> None:
    evidence.sessions[NAME]["message_count"] = 7


def misheard(evidence: Evidence) -> None:
    del only(evidence).heard[2]


def of_others(evidence: Any) -> None:
    evidence.events[NAME][2]["frame"]["answer"] = "T000009"


def went_back(evidence: Any) -> None:
    evidence.events[NAME].insert(2, event(RUN, "todo_updated", 3, execution_steps=steps("in_progress")))


def unreadable(evidence: Any) -> None:
    evidence.views[NAME][1] = View(8001, 500, {})


def lost_a_field(evidence: Any) -> None:
    for view in evidence.views[NAME]:
        view.state["report"] = None


def ran_again(evidence: Any) -> None:
    evidence.starts.append(Start(11.0, "2", NAME, "reporter", TOPIC))


BREAKS: dict[str, Callable[[Any], None]] = {
    "conversation_is_kept": forgotten,
    "deletion_is_final": came_back,
    "title_is_kept": renamed,
    "fork_is_whole": half_forked,
    "requests_are_answered": refused,
    "waiting_gives_the_state": told_nothing,
    "servers_stay_up": ended_by_itself,
    "database_is_sound": to_mend,
    "turn_is_kept": turn_lost,
    "turn_ends": lies_still,
    "turn_ends_once": says_otherwise,
    "cancelling_holds": went_on,
    "request_is_one_turn": twice,
    "one_turn_at_a_time": another_begins(1),
    "one_open_question": begun_over_a_question,
    "answer_is_taken_once": answered_twice,
    "turns_keep_their_order": later_first,
    "messages_are_stored_once": said_twice,
    "messages_keep_their_order": later_first,
    "log_has_no_gap": gap,
    "counts_are_right": miscounted,
    "sockets_hear_the_log": misheard,
    "nothing_of_others": of_others,
    "steps_only_advance": went_back,
    "state_is_readable": unreadable,
    "state_follows_from_its_turn": lost_a_field,
    "finished_steps_stay_finished": ran_again,
}


@pytest.mark.parametrize(("fault", "found"), [("roll", 1), ("database_restart", 0)])
def test_a_restart_of_the_server_alone_makes_nothing_unavailable(fault: str, found: int) -> None:
    evidence = sound()
    evidence.record.faults.append(fault)
    evidence.record.calls.append(Call("ask", NAME, 8000, 503))
    assert len(broken(evidence)) == found


def test_a_sound_history_breaks_no_promise() -> None:
    assert broken(sound()) == []


def test_a_copy_of_a_conversation_may_do_the_same_work() -> None:
    evidence = sound()
    evidence.starts = [*evidence.starts, Start(11.0, "2", "a copy", "reporter", TOPIC)]
    assert broken(evidence) == []


def test_every_promise_can_be_seen_to_be_broken() -> None:
    assert set(BREAKS) == {promise.__name__ for promise in PROMISES}


@pytest.mark.parametrize("promise", list(BREAKS))
def test_a_broken_promise_is_found(promise: str) -> None:
    evidence = sound()
    BREAKS[promise](evidence)
    assert promise in {violation.promise for violation in broken(evidence)}
