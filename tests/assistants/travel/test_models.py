"""With a model: it may read what the rules could not and word the opening; it decides no figure."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from madang.llm.testing import Request, ScriptedReply, ScriptedServer, answer, refusal, status, truncated
from tests.support.trips import OSAKA, Traveller


def readings(*rows: tuple[str, str, str]) -> str:
    return json.dumps({"readings": [{"slot": s, "value": v, "quote": q} for s, v, q in rows]}, ensure_ascii=False)


@asynccontextmanager
async def scripted(choose: Any) -> AsyncIterator[tuple[ScriptedServer, Traveller]]:
    """A traveller whose assistant has a scripted model."""
    with ScriptedServer(choose) as server:
        models = server.models()
        try:
            yield server, Traveller(models=models)
        finally:
            await models.aclose()


def script(slots: str, opening: str | None = None) -> Any:
    """Replies by which of the two call points asks."""

    def choose(request: Request) -> ScriptedReply:
        asked = json.dumps(request, ensure_ascii=False)
        if "말귀" in asked:
            return answer(slots)
        return answer(opening) if opening is not None else status(500)

    return choose


async def test_a_model_fills_what_the_rules_left_unread() -> None:
    said = "먹다 쓰러질 오사카 3박4일 둘이 200만원"
    async with scripted(script(readings(("travel_style", "맛집", "먹다 쓰러질")), "좋아요.")) as (_server, talk):
        state = await talk.say(said)
    assert "맛집" in state["travel_style"]
    assert state["final_plans"]
    assert state["usage"]["llm"]


@pytest.mark.parametrize(
    "row",
    [
        ("num_people", "4", "넷이서 가요"),
        ("travel_style", "우주유영", "오사카"),
        ("destination", "나니아", "오사카"),
        ("duration", "7", "3박4일"),
        ("budget", "9000000", "200만원"),
    ],
)
async def test_a_reading_that_does_not_hold_changes_nothing(row: tuple[str, str, str]) -> None:
    plain = await Traveller().say(OSAKA)
    async with scripted(script(readings(row))) as (_server, talk):
        state = await talk.say(OSAKA)
    names = ("destination", "duration", "budget", "num_people", "travel_style")
    assert {name: state[name] for name in names} == {name: plain[name] for name in names}


async def test_a_reading_out_of_range_is_refused_by_name() -> None:
    said = "오사카 스무 날 밤 둘이 200만원 맛집"
    async with scripted(script(readings(("duration", "20", "스무 날 밤")))) as (_server, talk):
        state = await talk.say(said)
    assert state["duration"] is None
    assert state["response"]["structured_data"]["problems"][0]["field"] == "duration"
    assert state["destination"] == "오사카"


async def test_a_sentence_with_an_invented_figure_is_dropped() -> None:
    plain = await Traveller().say(OSAKA)
    total = f"{plain['recommendation']['total']:,}원"
    opening = f"오사카 여행은 표준 플랜 총 {total}(추정)이 좋아요. 지금 예약하면 123,456원을 더 아낍니다."
    async with scripted(script(readings(), opening)) as (_server, talk):
        state = await talk.say(OSAKA)
    first = state["response"]["answer"].split("###")[0]
    assert total in first
    assert "123,456" not in state["response"]["answer"]


@pytest.mark.parametrize(
    "reply", [status(500), refusal(), truncated('{"readings"'), answer("무슨 말인지 모르겠어요")], ids=str
)
async def test_a_failing_model_leaves_the_answer_as_good_as_without(reply: ScriptedReply) -> None:
    plain = await Traveller().say(OSAKA)

    def always(request: Request) -> ScriptedReply:
        asked = json.dumps(request, ensure_ascii=False)
        return reply if "말귀" in asked else status(503)

    async with scripted(always) as (_server, talk):
        state = await talk.say(OSAKA)
    assert state["response"]["answer"] == plain["response"]["answer"]
    assert {note["point"] for note in state["fallbacks"]} == {"travel.slots", "travel.opening"}


async def test_a_model_is_not_asked_about_a_follow_up_that_the_rules_read() -> None:
    async with scripted(script(readings())) as (server, talk):
        await talk.say(OSAKA)
        before = len(server.requests)
        await talk.say("플랜 차이가 뭐야")
        assert len(server.requests) == before
