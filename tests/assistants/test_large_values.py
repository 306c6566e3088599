"""Results too large for the state are moved out of it: whatever the limit, the same is answered."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.homes import Talk as Tenant
from tests.support.shelf import Shelf
from tests.support.trips import Traveller
from tests.support.works import Talk as Worker

SETS = {"homes": "homes-dialogues.dev", "works": "works-dialogues.dev", "travel": "travel-slots.dev"}
USUAL, SMALL = 64_000, 1_000
OWN = {
    "homes": [
        ["전세금 5% 인상 가능해?", "마포구 84㎡ 아파트 전세 시세 알려줘", "그럼 대출은 얼마까지 돼?"],
        ["이 계약서 검토해줘. 제1조 보증금은 3천만원으로 한다. 제2조 임차인은 수리비를 모두 부담한다."],
    ],
    "works": [
        ["지난달 지점별 매출 알려줘", "왜 줄었어?", "표로 보여줘", "월간 영업보고서 만들어줘", "저장해줘"],
        ["거래처별 작년 매출", "그중 서울만", "상위 5개만"],
    ],
    "travel": [
        ["오사카 3박4일 둘이 200만원, 맛집이랑 관광 위주로", "아니 4박으로", "둘째 날 일정 알려줘", "비자 필요해?"],
    ],
}  # fmt: skip
PASSING = re.compile(r"/(?:1|64)000/|[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.+]+|\d+(?:\.\d+)?(?:초|ms)")


def conversations(name: str) -> list[list[str]]:
    path = Path(__file__).parents[2] / "bench" / "data" / f"{SETS[name]}.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return [[turn.get("user") or turn.get("say") for turn in row["turns"]] for row in rows]


def talker(name: str, folder: Path, limit: int, shelf: Shelf) -> Any:
    given: dict[str, Any] = {"blobs": shelf, "size_limit": limit}
    if name == "homes":
        return Tenant(**given)
    return Worker(folder / str(limit), **given) if name == "works" else Traveller(**given)


async def answers(talk: Any, texts: list[str]) -> list[str]:
    """What each turn said, with its data; without ids and times, which are others every time."""
    said = []
    for text in texts:
        state = await talk.say(text)
        response = state.get("response") or state.get("final_response") or {}
        asked = [i.value["question"] for i in state.get("__interrupt__") or ()]
        shown = {"answer": state["messages"][-1].content, "asked": asked, "failed": state.get("failures")}
        data = response.get("structured_data") if isinstance(response, dict) else None
        said.append(PASSING.sub("·", json.dumps({**shown, "data": data}, ensure_ascii=False, default=str)))
    return said


@pytest.mark.parametrize("name", list(SETS))
@pytest.mark.parametrize("seed", range(3))
async def test_the_same_is_answered_whatever_is_moved_out(name: str, seed: int, tmp_path: Path) -> None:
    for texts in [*random.Random(seed).sample(conversations(name), 3), *OWN[name][seed : seed + 1]]:
        usual, small = Shelf(), Shelf()
        wanted = await answers(talker(name, tmp_path, USUAL, usual), texts)
        got = await answers(talker(name, tmp_path, SMALL, small), texts)
        assert got == wanted
        assert not any("$blob" in answer for answer in got)
        assert len(small.kept) >= len(usual.kept)
