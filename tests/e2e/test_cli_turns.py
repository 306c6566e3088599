"""`madang ask`, `chat` and `state` as a user runs them: real processes over a real file."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

MADANG = Path(sys.executable).parent / "madang"
TODAY = "2026-11-16"
# Each process has a limit of its own; eight of them in a row took 120 s at a load of twelve a core.
pytestmark = pytest.mark.timeout(400)


def run(folder: Path, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [MADANG, *words], cwd=folder, input=given, capture_output=True, text=True, check=False, timeout=110
    )


def ask(folder: Path, text: str, *options: str) -> dict[str, Any]:
    done = run(folder, "ask", "travel", text, "--json", "--today", TODAY, *options)
    assert done.returncode == 0, done.stderr
    outcome: dict[str, Any] = json.loads(done.stdout)
    return outcome


@pytest.fixture(scope="module")
def trip(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A folder with one planned trip in it."""
    folder = tmp_path_factory.mktemp("trip")
    return folder, ask(folder, "오사카 3박4일 둘이 250만원, 맛집이랑 관광 위주로")


def test_ask_prints_one_object(trip: tuple[Path, dict[str, Any]]) -> None:
    _folder, outcome = trip
    assert set(outcome) == {"session_id", "request_id", "assistant", "status", "response", "state", "events"}
    assert (outcome["assistant"], outcome["status"]) == ("travel", "completed")
    state = outcome["state"]
    assert (state["destination"], state["duration"], state["budget"], state["num_people"]) == (
        "오사카",
        3,
        2_500_000,
        2,
    )
    assert len(state["flight_options"]) == 3
    assert [plan["total"] for plan in state["final_plans"]] == [
        sum(item["amount"] for item in plan["items"]) for plan in state["final_plans"]
    ]
    assert state["messages"][0]["role"] == "assistant"
    assert outcome["events"][-1]["type"] == "response"


def test_a_later_call_goes_on_with_the_conversation(trip: tuple[Path, dict[str, Any]]) -> None:
    folder, first = trip
    later = ask(folder, "아니 4박으로", "--session", first["session_id"])
    assert later["state"]["duration"] == 4
    assert later["state"]["destination"] == "오사카"
    assert later["events"][0]["seq"] == first["events"][-1]["seq"] + 1


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["ask", "nowhere", "안녕"], 2, "not one of"),
        (["ask", "travel", "  "], 2, "empty"),
        (["ask", "travel", "안녕", "--today", "어제"], 2, "not a date"),
        (["ask", "travel", "안녕", "--session", "없는-대화"], 1, "no session"),
        (["ask", "travel", "안녕", "--db", "mysql://x"], 2, "database URL"),
        (["ask"], 2, "Missing argument"),
        (["state", "show", "없는-대화"], 1, "no session"),
        (["bench", "없는것"], 2, "no suite"),
    ],
)
def test_bad_input_is_one_clear_line(tmp_path: Path, words: list[str], status: int, said: str) -> None:
    done = run(tmp_path, *words)
    assert done.returncode == status, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_state_show_history_diff_field_fork_edit(trip: tuple[Path, dict[str, Any]]) -> None:
    folder, outcome = trip
    session = outcome["session_id"]

    def state(*words: str) -> Any:
        done = run(folder, "state", *words, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    assert state("show", session)["destination"] == "오사카"
    history = state("history", session)
    assert history[-1]["source"] == "input"
    changes = state("diff", session, history[-1]["checkpoint_id"])
    assert "destination" in changes["added"]
    field = state("field", session, "flight_options")
    assert field["source"]["agent"] == "flight_expert"
    assert field["history"][-1]["kind"] in ("added", "changed")
    fork = state("fork", session)
    assert fork["parent_session_id"] == session
    edited = state("edit", fork["session_id"], "budget=3000000")
    assert edited["state"]["budget"] == 3_000_000
    ran = {s["agent"] for s in edited["state"]["execution_steps"] if s["status"] == "completed"}
    assert ran == {"budget_manager", "coordinator"}
    assert state("show", session)["budget"] != 3_000_000
    refused = run(folder, "state", "edit", session, "num_people=많이")
    assert refused.returncode == 2
    assert "num_people" in refused.stderr


def test_chat_shows_the_answer_and_ends_with_the_input(tmp_path: Path) -> None:
    done = run(tmp_path, "chat", "travel", "--today", TODAY, given="오사카\n3박4일\n")
    assert done.returncode == 0, done.stderr
    assert "몇 박 며칠" in done.stdout
    assert "3박" in done.stdout
