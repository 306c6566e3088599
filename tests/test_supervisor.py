"""`TeamBasedSupervisor` of the seeds, over the real runtime and the real homes assistant."""

from pathlib import Path
from typing import Any

from madang import TeamBasedSupervisor
from madang.settings import Settings


async def test_a_query_is_streamed_to_the_callback(tmp_path: Path) -> None:
    seen: list[tuple[str, dict[str, Any]]] = []

    async def progress(event: str, data: dict[str, Any]) -> None:
        seen.append((event, data))

    async with TeamBasedSupervisor(Settings(data_dir=tmp_path)) as supervisor:
        response = await supervisor.process_query_streaming(
            query="전세금 5% 인상 가능해?", session_id="ws_abc123", user_id=None, progress_callback=progress
        )
        again = await supervisor.process_query_streaming("안녕", "ws_abc123")
    names = [name for name, _ in seen]
    assert [name for i, name in enumerate(names) if i == 0 or names[i - 1] != name] == [
        "planning_start",
        "plan_ready",
        "execution_start",
        "todo_updated",
        "token",
        "response",
    ]
    plan = dict(seen)["plan_ready"]
    assert plan["intent"] == "legal_consult"
    assert plan["execution_steps"][0]["task"] == "법률 정보 검색"
    assert seen[-1][1]["type"] == "answer"
    assert response["type"] == "answer"
    assert "주택임대차보호법 제7조" in response["structured_data"]["metadata"]["sources"]
    assert again["type"] == "guidance"
