"""Every public reader of `madang.text` works in proportion to the length of its text; counted, never timed."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from datetime import date

import pytest

import madang.text
from madang.text import clauses, features, normalise, numbers
from madang.text.cues import cue_kinds, find_cues
from madang.text.dates import find_comparisons, find_dates, find_periods
from madang.text.english import find_english_dates
from madang.text.laws import find_laws
from madang.text.message import Message
from madang.text.money import find_money
from madang.text.morphemes import bigrams, content_words
from madang.text.places import Gazetteer, find_regions
from tests.support.work import Work, counted

TODAY = date(2026, 3, 11)
# Four times the text is four times the work of a linear reader and sixteen times that of a quadratic one.
MOST = 6
NATURAL = (
    "안녕하세요, 작년 3월 5일에 보증금 5천에 월 60으로 2년 계약했는데요. "
    '주인이 "다음 달 20일까지 3% 올려 달라"고 합니다!\n'
    "오후 3시부터 5시 사이에 강남역 근처 84㎡ 아파트 두 군데를 보려고 해요, 어른 둘이랑 26개월 아기 하나예요.\n"
    "1. 대출은 1억 2,500만 원, 연 4.2%로 30년\n2. 주택임대차보호법 제7조 제1항이 맞나요?\n"
    "leaving from Daegu on March 3rd for five nights, about $2,000 or 1.5 million won. 그거 말고 송파로 바꿔 주세요~\n"
)
UNITS = [
    "1", "1,", "1.", "천", "일이삼", "3월 5일부터 ", "3시 ", "2년 1개월 ", "마이너스 ", "10/2",
    "가", " ", "\n", '"', "'가나다라", "「",
    "보증금 5천에 ", "둘이랑 ", "전월 대비 지난주 ", "그거 말고 송파 ", "민법 7조 ", "20에서 ", "한 개 ", "(", "http://",
    "- 항목\n", "a ", "수지 ", "3~", "만 원 ",
]  # fmt: skip
NAMES = Gazetteer({"오사카": 1, "교토": 2, "송파구": 3, "삼성바이오로직스": 4})


def _read(text: str) -> Message:
    return Message.read(text, TODAY, context="housing")


def _clauses(text: str) -> object:
    message = _read(text)
    return message.clauses, message.sentences, message.quotes


def _features(text: str) -> object:
    message = _read(text)
    tokens = features.tokens_of(message)
    return features.role_features(message, tokens), features.clause_features(message)


READERS: dict[str, Callable[[str], object]] = {
    "find_dates": lambda text: find_dates(text, TODAY),
    "find_periods": lambda text: find_periods(text, TODAY),
    "find_english_dates": lambda text: find_english_dates(text, TODAY),
    "find_money": lambda text: find_money(text, "housing"),
    "find_money in travel": lambda text: find_money(text, "travel"),
    "find_regions": find_regions,
    "find_regions without typos": lambda text: find_regions(text, typos=False),
    "find_laws": find_laws,
    "find_cues": find_cues,
    "cue_kinds": cue_kinds,
    "find_comparisons": find_comparisons,
    "Gazetteer.find": NAMES.find,
    "parse_number": numbers.parse_number,
    "fold": normalise.fold,
    "normalise": normalise.normalise,
    "squeeze": normalise.squeeze,
    "to_jamo": normalise.to_jamo,
    "bigrams": bigrams,
    "sentences_of": clauses.sentences_of,
    "quotes_of": clauses.quotes_of,
    "Message.read": _read,
}
WITH_MORPHEMES: dict[str, Callable[[str], object]] = {
    "clauses_of": _clauses,
    "features": _features,
    "content_words": content_words,
}


def _finders() -> dict[str, Callable[[str], object]]:
    """Every `find_…` that takes a text alone, whatever module it is in."""
    found: dict[str, Callable[[str], object]] = {}
    for item in pkgutil.iter_modules(madang.text.__path__):
        module = importlib.import_module(f"madang.text.{item.name}")
        for name, function in vars(module).items():
            if name.startswith("find_") and inspect.isfunction(function) and function.__module__ == module.__name__:
                found[name] = function
    return found


ALONE = {name: find for name, find in _finders().items() if list(inspect.signature(find).parameters) == ["text"]}


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    return counted(monkeypatch)


def _grows(work: Work, read: Callable[[str], object], unit: str, size: int) -> float:
    short, long = ((unit * (length // len(unit) + 1))[:length] for length in (size, 4 * size))
    read(unit)  # what is loaded once is loaded
    return work.of(read, long) / max(work.of(read, short), size)


def test_every_finder_is_measured() -> None:
    taken = {name.split()[0] for name in READERS} | set(ALONE) | {"find_korean_font"}
    assert set(_finders()) <= taken


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", sorted({**ALONE, **READERS}))
def test_a_reader_works_in_proportion_to_its_text(work: Work, name: str) -> None:
    read, size = {**ALONE, **READERS}[name], 150 if name == "Message.read" else 600
    grown = {unit: _grows(work, read, unit, size) for unit in UNITS}
    grown["natural"] = _grows(work, read, NATURAL, 5 * size)
    assert {unit: growth for unit, growth in grown.items() if growth > MOST} == {}


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("unit", [NATURAL, "1"])
def test_a_message_of_a_hundred_thousand_characters_is_read_in_proportion(work: Work, unit: str) -> None:
    assert _grows(work, _read, unit, 25_000) <= MOST


@pytest.mark.parametrize("name", WITH_MORPHEMES)
@pytest.mark.parametrize("unit", [NATURAL, '"', "있고 없고 "])
def test_clauses_and_features_work_in_proportion(work: Work, name: str, unit: str) -> None:
    assert _grows(work, WITH_MORPHEMES[name], unit, 1_500) <= MOST
