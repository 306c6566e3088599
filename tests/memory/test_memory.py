"""What is remembered, for whom, and how much of it is loaded."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langgraph.store.memory import InMemoryStore

from madang.errors import InvalidInput
from madang.memory import SessionMemory, owner_of
from madang.store.database import Database
from madang.store.memories import Memories
from madang.text import morphemes


@pytest.fixture
async def memory(db_url: str) -> AsyncIterator[SessionMemory]:
    db = await Database.open(db_url)
    yield SessionMemory(Memories(db), "1")
    await db.close()


def turn(request_id: str, query: str, answer: str = "답입니다.", **more: Any) -> dict[str, Any]:
    return {"request_id": request_id, "assistant": "homes", "query": query, "answer": answer, "intent": "x", **more}


async def test_a_question_without_hangul_needs_no_analyser(
    memory: SessionMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes half a gigabyte and seconds, and is an extra."""
    monkeypatch.setattr(morphemes, "content_words", None)
    await memory.remember("first", turn("r1", "Flights to Osaka", "Osaka: three a day."))
    await memory.remember("other", turn("r2", "Weather", "Fine."))
    assert "Osaka" in str(await memory.load("second", "osaka in May?"))


async def test_recalling_never_loads_the_analyser(memory: SessionMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would hold up every request of the process: a minute on a busy machine."""
    monkeypatch.setattr(morphemes, "_shared", [])
    monkeypatch.setattr(morphemes, "_kiwi", None)
    for i, topic in enumerate(("상가 권리금", "오사카 여행", "대출 금리", "취득세", "전세 보증금")):
        await memory.remember(f"s{i}", turn(f"r{i}", f"{topic} 질문", f"{topic} 답변"))
    loaded = (await memory.load("now", "상가의 권리금을 못 받았어요"))["loaded_memories"]
    assert [one["session_id"] for one in loaded] == ["s4", "s3", "s2", "s0"]


async def test_an_earlier_conversation_is_loaded_in_a_later_one(memory: SessionMemory) -> None:
    await memory.remember("first", turn("r1", "마포 전세 시세 알려줘", "마포 84㎡ 전세는 6억 안팎입니다. 더 있어요."))
    loaded = await memory.load("second", "전세")
    [found] = loaded["loaded_memories"]
    assert found["session_id"] == "first"
    assert found["turns"][0]["query"] == "마포 전세 시세 알려줘"
    assert loaded["memory_load_time"]
    same = await memory.load("first", "전세")
    assert same["loaded_memories"] == []


async def test_a_turn_is_remembered_once(memory: SessionMemory) -> None:
    for _ in range(3):
        await memory.remember("s", turn("r1", "질문"))
    [record] = (await memory.view())["sessions"]
    assert len(record["turns"]) == 1


async def test_recent_sessions_word_for_word_older_ones_summarised_by_relevance(memory: SessionMemory) -> None:
    topics = ["대출 금리", "오사카 여행", "상가 권리금", "전세 보증금 반환", "취득세 계산", "월세 전환"]
    for i, topic in enumerate(topics):
        await memory.remember(f"s{i}", turn(f"r{i}", f"{topic} 질문", f"{topic} 답변입니다. 자세한 설명."))
    loaded = (await memory.load("now", "상가 권리금을 못 받았어요"))["loaded_memories"]
    assert [m["session_id"] for m in loaded[:3]] == ["s5", "s4", "s3"]
    assert all("turns" in m for m in loaded[:3])
    older = [m["session_id"] for m in loaded[3:]]
    assert older[0] == "s2"
    assert all("turns" not in m for m in loaded[3:])


async def test_the_token_budget_holds() -> None:
    memory = SessionMemory(InMemoryStore(), "1", budget=200)
    for i in range(6):
        await memory.remember(f"s{i}", turn(f"r{i}", "질문 " * 30, "답변 " * 100))
    loaded = (await memory.load("now", "질문"))["loaded_memories"]
    assert sum(len(str(m["summary"])) + len(str(m.get("turns", ""))) for m in loaded) <= 400


async def test_long_conversations_fold_into_a_summary(memory: SessionMemory) -> None:
    for i in range(12):
        await memory.remember("s", turn(f"r{i}", f"{i}번째 질문", f"{i}번째 답. 나머지."))
    [record] = (await memory.view())["sessions"]
    assert [t["query"] for t in record["turns"]] == [f"{i}번째 질문" for i in range(7, 12)]
    assert record["summary"][0] == "0번째 질문 → 0번째 답."


async def test_numbers_that_identify_a_person_are_not_remembered(memory: SessionMemory) -> None:
    await memory.remember("s", turn("r", "제 번호는 010-1234-5678, 주민번호 900101-1234567이에요"))
    assert "1234567" not in str(await memory.view())
    assert "5678" not in str(await memory.view())


async def test_preferences_are_learnt_and_what_the_user_says_wins(memory: SessionMemory) -> None:
    await memory.remember("s", turn("r1", "q", preferences={"region": "마포구", "style": []}))
    assert await memory.preferences() == {"region": "마포구"}
    await memory.set_preferences({"region": "송파구", "language": "ko"})
    await memory.remember("s", turn("r2", "q", preferences={"region": "강남구", "origin": "김포"}))
    assert await memory.preferences() == {"region": "송파구", "language": "ko", "origin": "김포"}
    await memory.set_preferences({"region": None})
    assert "region" not in await memory.preferences()


@pytest.mark.parametrize("bad", [{"x": float("nan")}, {"x": object()}])
async def test_preferences_that_can_not_be_kept_are_refused(memory: SessionMemory, bad: dict[str, Any]) -> None:
    await memory.set_preferences({"region": "마포구"})
    with pytest.raises(InvalidInput):
        await memory.set_preferences(bad)
    assert await memory.preferences() == {"region": "마포구"}


async def test_a_user_can_forget_one_conversation_or_all(memory: SessionMemory) -> None:
    for i in range(3):
        await memory.remember(f"s{i}", turn(f"r{i}", "q", preferences={"region": "마포구"}))
    assert await memory.forget("s1") == 1
    assert {r["session_id"] for r in (await memory.view())["sessions"]} == {"s0", "s2"}
    assert await memory.forget() == 2
    assert await memory.view() == {"sessions": [], "preferences": {}}


async def test_without_an_owner_nothing_is_kept() -> None:
    memory = SessionMemory(InMemoryStore(), None)
    await memory.remember("s", turn("r", "q"))
    assert (await memory.load("t", "q"))["loaded_memories"] == []


async def test_with_an_embedding_model_meaning_decides() -> None:
    async def embed(texts: Sequence[str]) -> list[list[float]]:
        return [[1.0, 0.0] if "여행" in text or "비행기" in text else [0.0, 1.0] for text in texts]

    memory = SessionMemory(InMemoryStore(), "1", embed=embed, recent=0)
    await memory.remember("a", turn("r1", "오사카 여행"))
    await memory.remember("b", turn("r2", "전세 대출"))
    loaded = (await memory.load("now", "비행기 표"))["loaded_memories"]
    assert [m["session_id"] for m in loaded] == ["a"]


words = st.sampled_from(["전세", "월세", "대출", "마포", "오사카", "보증금", "비밀"])
owners = st.builds(
    owner_of, st.none() | st.integers(1, 12), st.sampled_from(["sample", "kim", "kim.co", "1", "@", "김"])
)
said = st.tuples(owners, st.integers(0, 3), st.lists(words, min_size=1, max_size=4))


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(said, max_size=12), owners)
async def test_memory_of_one_owner_never_reaches_another(turns: list[tuple[str, int, list[str]]], asking: str) -> None:
    store = InMemoryStore()
    for i, (owner, session, text) in enumerate(turns):
        mark = f"[{owner}]"
        memory = SessionMemory(store, owner)
        await memory.remember(f"s{session}", turn(f"r{i}", f"{mark} {' '.join(text)}", preferences={"p": mark}))
    loaded = str(await SessionMemory(store, asking).load("now", "전세 월세 대출"))
    assert not any(f"[{owner}]" in loaded for owner, _, _ in turns if owner != asking)


@given(st.lists(st.tuples(st.none() | st.integers(1, 99), st.text(min_size=1)), unique=True))
def test_owners_are_all_different_and_labels_of_namespaces(pairs: list[tuple[int | None, str]]) -> None:
    labels = [owner_of(user, company) for user, company in pairs]
    assert len(set(labels)) == len(labels)
    assert not any("." in label or not label for label in labels)
