"""How a turn looks in a terminal."""

from io import StringIO
from typing import Any

from rich.console import Console

from madang.cli.display import LiveTurn, laid_out, shortened
from madang.cli.turns import spent

STEP = {"step_id": "step_0", "task": "시세 분석", "status": "completed", "progress_percentage": 100}


def drawn(*frames: dict[str, Any]) -> str:
    """What is on the screen when the turn is over."""
    screen = Console(file=StringIO(), width=60)
    with LiveTurn(screen) as live:
        for frame in frames:
            live.show(frame)
    assert isinstance(screen.file, StringIO)
    return screen.file.getvalue()


def test_a_failure_is_shown_beside_the_steps() -> None:
    text = drawn(
        {"type": "plan_ready", "execution_steps": [STEP]},
        {"type": "error", "error": "x", "message": "자료가 없습니다."},
    )
    assert "시세 분석" in text
    assert "자료가 없습니다." in text


def test_what_was_said_while_planning_goes_when_the_answer_is_there() -> None:
    planning = {"type": "planning_start", "message": "계획을 세우고 있습니다."}
    assert "계획을 세우고" in drawn(planning)
    answered = drawn(planning, {"type": "response", "answer": "몇 박 며칠인가요?"})
    assert answered.split() == ["몇", "박", "며칠인가요?"]


def test_an_answer_that_begins_again_is_not_doubled() -> None:
    token = {"type": "token", "restart": False}
    text = drawn({**token, "text": "네, 반만"}, {**token, "text": "네, 됩니다.", "restart": True})
    assert text.split() == ["네,", "됩니다."]


def test_a_line_below_a_list_is_no_part_of_its_last_item() -> None:
    screen = Console(file=StringIO(), width=60)
    screen.print(laid_out("- 하나\n- 둘\n**셋째** 이야기\n함께 볼 것: 넷"))
    assert isinstance(screen.file, StringIO)
    lines = [line.strip() for line in screen.file.getvalue().splitlines() if line.strip()]
    assert lines == ["• 하나", "• 둘", "셋째 이야기 함께 볼 것: 넷"]


def test_a_long_text_in_one_line() -> None:
    assert shortened("가 나\n다") == "가 나 다"
    assert shortened("가" * 50, 10) == "가" * 9 + "…"


def test_what_models_cost_is_said_in_a_line() -> None:
    counters = {"calls": 2, "prompt_tokens": 3000, "completion_tokens": 200, "cost_nano_usd": 12_300_000}
    known = {"state": {"usage": {"llm": {"understand": {"openai:gpt": counters}}}}}
    assert spent(known) == "모델 2번, 토큰 3,200개, $0.0123\n"
    unknown = {"state": {"usage": {"llm": {"answer": {"mine": {"calls": 1, "unpriced_calls": 1}}}}}}
    assert spent(unknown) == "모델 1번, 토큰 0개, 요금 모름\n"
    assert spent({"state": None}) == ""
