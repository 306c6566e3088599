"""Narrow questions: found by their letters, their words and what the words mean; the packaged ones are well made."""

import re
import tomllib
from pathlib import Path

import pytest

from madang.errors import UnreadableData
from madang.search import faq
from madang.search.faq import Asked, Faq, Question, learn, load_questions, ways_hash

ASSISTANTS = ("homes", "travel", "works")


def question(key: str, *ask: str, topic: str = "", text: str = "") -> Question:
    return Question(id=key, ask=ask, answer=f"{key}의 답이에요.", as_of="2026-11-19", topic=topic, text=text)


def packaged(assistant: str) -> tuple[Question, ...]:
    return load_questions(f"madang.assistants.{assistant}.data")


@pytest.fixture(scope="module")
def few() -> Faq:
    """A few questions beside the packaged ones of works, so that rarities and vectors are real."""
    own = [
        question("leak", "천장에서 물이 새면 누가 고치나요?", "윗집에서 물이 떨어져요", topic="repair"),
        question("fee", "복비는 누가 내나요?", "중개수수료를 제가 내야 하나요?"),
        question("pet", "강아지를 키워도 되나요?", "반려견을 몰래 키우면 쫓겨나나요?", text="(이름)께 여쭙니다."),
    ]
    questions = (*own, *packaged("works"))
    return Faq(questions, learn(questions))


def best(found: Faq, text: str) -> str:
    return found.near(Asked(text, text), only=lambda one: one.id in {"leak", "fee", "pet"})[0].question.id


def test_a_question_is_found_in_its_own_words(few: Faq) -> None:
    near = few.near(Asked("복비는 누가 내나요?", "복비는 누가 내나요?"))
    assert near[0].question.id == "fee"
    assert near[0].score >= faq.SURE


def test_a_question_is_found_in_other_words_by_what_they_mean(few: Faq) -> None:
    assert best(few, "위층 누수로 벽지가 다 젖었는데 수리는 누구 몫이죠") == "leak"
    assert best(few, "고양이 기르는 거 임대인이 알면 내보내나요") == "pet"


def test_what_is_about_nothing_of_it_is_not_near(few: Faq) -> None:
    assert few.near(Asked("오늘 점심 뭐 먹지", "오늘 점심 뭐 먹지"))[0].score < faq.NEAR


def test_a_topic_that_the_message_is_about_counts(few: Faq) -> None:
    asked = Asked("이건 누가 해야 해요?", "이건 누가 해야 해요?")
    plain = {one.question.id: one.score for one in few.near(asked, None, len(few.questions))}
    told = {one.question.id: one.score for one in few.near(asked, {"repair": 0.5}, len(few.questions))}
    assert told["leak"] == pytest.approx(plain["leak"] + faq.TOPIC * 0.5, abs=0.002)
    assert told["fee"] == plain["fee"]


def test_only_what_is_looked_for_is_found(few: Faq) -> None:
    near = few.near(
        Asked("", "집주인에게 보낼 글 써줘"), None, 2, lambda one: one.id in {"pet", "fee"} and bool(one.text)
    )
    assert [one.question.id for one in near] == ["pet"]


def test_nothing_is_near_an_empty_message(few: Faq) -> None:
    assert few.near(Asked("", " ")) == []


def test_learning_the_same_questions_gives_the_same_bytes(few: Faq) -> None:
    some = few.questions[:60]
    assert learn(some) == learn(some)


@pytest.mark.parametrize("assistant", ASSISTANTS)
def test_what_was_learnt_is_of_these_questions(assistant: str) -> None:
    """Raises if the questions moved on: `make readers`."""
    package = f"madang.assistants.{assistant}.data"
    assert Faq.packaged(package).questions == packaged(assistant)


@pytest.mark.parametrize("assistant", ASSISTANTS)
def test_every_question_is_asked_once_and_answered(assistant: str) -> None:
    questions = packaged(assistant)
    shown = [one.ask[0] for one in questions]
    assert len(questions) > 200
    assert sorted({one for one in shown if shown.count(one) > 1}) == []
    named = re.compile(r"\S.* 제\d+조(?:의\d+)?(?:제\d+항)?(?:제\d+호)?$")
    assert [(one.id, law) for one in questions for law in one.law if not named.match(law)] == []
    assert [one.id for one in questions if len(one.ask) < 2] == []


def test_topics_are_those_of_the_assistant() -> None:
    from madang.assistants.homes.data.situation_base import load_situations
    from madang.assistants.travel.data.facts import topics
    from madang.assistants.works.tools.guide import topics as guide

    known = {
        "homes": {one.id for one in load_situations()},
        "travel": set(topics()),
        "works": {one.id for one in guide()},
    }
    odd = {name: {one.topic for one in packaged(name)} - known[name] - {""} for name in ASSISTANTS}
    assert odd == {name: set() for name in ASSISTANTS}


def test_a_file_that_is_wrong_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "odd_questions" / "faq"
    folder.mkdir(parents=True)
    (tmp_path / "odd_questions" / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    entry = 'as_of = "2026-11-19"\n[[question]]\nask = ["되나요?", "돼요?"]\nanswer = "네."\n'
    (folder / "fine.toml").write_text(entry, encoding="utf-8")
    assert [one.id for one in load_questions("odd_questions")] == ["fine-1"]
    for wrong in ("ask = []", 'answer = " "', "anwser = 1"):
        assert tomllib.loads(entry)
        (folder / "wrong.toml").write_text(f'as_of = "2026-11-19"\n[[question]]\n{wrong}\n', encoding="utf-8")
        with pytest.raises(UnreadableData, match=r"faq/wrong\.toml"):
            load_questions("odd_questions")


def test_a_question_changed_is_another(few: Faq) -> None:
    changed = (*few.questions[:-1], question("new", "다른 물음인가요?", "이건 다르죠"))
    assert ways_hash(changed) != ways_hash(few.questions)
    assert Faq(changed, b"").version != few.version
