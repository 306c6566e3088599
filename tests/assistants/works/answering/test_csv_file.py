"""Taking away the table that is shown: an export is a reading, not a write."""

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from madang.assistants.works.answering.csv_file import as_csv
from madang.assistants.works.state.agents import Column
from madang.assistants.works.understanding.export_requests import wants_export, without_export
from madang.assistants.works.understanding.refusals import wants_write
from tests.support.layout import glued
from tests.support.works import Talk

EXPORTS = (
    "csv로 내려줘",
    "CSV로 내려받고 싶어",
    "엑셀로 뽑아줘",
    "엑셀 파일로 줘",
    "이거 엑셀로 다운로드",
    "표를 csv 파일로 내보내줘",
    "엑셀로 저장해줘",
    "방금 매출 표 엑셀로 내려줘",
    "스프레드시트로 받을 수 있어?",
    "데이터 csv로 추출해줘",
    "엑셀로",
    "이 자료 파일로 다운받게 해줘",
    "xlsx로 변환해 주세요",
    "엑셀 다운",
    "표로 내려받기",
    "매출 데이터 엑셀로 내려주세요",
)
WRITES = (
    "엑셀로 올린 매출로 바꿔줘",
    "이 엑셀 데이터를 실적에 반영해줘",
    "csv 파일로 매출 데이터 덮어써줘",
    "목표 10% 내려줘",
    "단가 좀 내려줘",
    "엑셀에 있는 거래처 데이터 등록해줘",
    "엑셀로 뽑고 원본 데이터는 삭제해줘",
    "매출 데이터를 csv로 갈아줘",
)


@pytest.fixture(name="talk")
def _talk(tmp_path: Path) -> Talk:
    return Talk(tmp_path)


@pytest.mark.parametrize("text", EXPORTS)
def test_an_export_is_no_write(text: str) -> None:
    assert wants_export(text)
    assert not wants_write(text)


@pytest.mark.parametrize("text", WRITES)
def test_a_write_stays_one_whatever_file_it_names(text: str) -> None:
    assert wants_write(text)
    assert not wants_export(text)


@pytest.mark.parametrize(
    "text", ["지난달 지점별 매출 표로 보여줘", "매출 그래프로 보여줘", "방문보고서 파일로 만들어줘"]
)
def test_showing_a_table_or_writing_a_paper_is_no_export(text: str) -> None:
    assert not wants_export(text)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("지난달 매출 상위 10개 거래처 엑셀로 뽑아줘", "지난달 매출 상위 10개 거래처"),
        ("지금까지 올해 월별 매출 csv로 내려줘", "지금까지 올해 월별 매출"),
        ("엑셀로 지난달 지점별 매출 뽑아줘", "지난달 지점별 매출 뽑아줘"),
        ("엑셀로 지난달 지점별 매출 좀 내려 주세요", "지난달 지점별 매출 좀"),
        ("이 결과 엑셀로", ""),
        ("위 표 csv 파일로 주세요", ""),
        ("이거 엑셀 파일로 좀 내려줄 수 있어?", ""),
        ("결과 엑셀로 다운로드", ""),
    ],
)
def test_the_question_in_a_wish_for_a_file(text: str, asked: str) -> None:
    assert wants_export(text)
    assert without_export(text) == asked


def rows_of(state: dict[str, Any]) -> list[list[str]]:
    [file] = state["response"]["structured_data"]["files"]
    assert file["filename"].endswith(".csv")
    assert file["media_type"] == "text/csv"
    assert file["content"].startswith("\ufeff"), "a spreadsheet reads Korean only with the mark"
    return list(csv.reader(io.StringIO(file["content"].removeprefix("\ufeff"))))


@pytest.mark.parametrize("text", ["csv로 내려줘", "엑셀로 뽑아줘", "방금 매출 표 엑셀로 내려줘"])
async def test_the_table_that_was_shown_becomes_a_file(talk: Talk, text: str) -> None:
    shown = await talk.say("지난달 지점별 매출 알려줘")
    state = await talk.say(text)
    section = next(s for s in shown["response"]["structured_data"]["sections"] if s["type"] == "analysis")
    head, *body = rows_of(state)
    assert head == [f"{c['label']}({c['unit']})" if c["unit"] else c["label"] for c in section["columns"]]
    assert len(body) == len(section["rows"])
    assert float(body[0][1]) == pytest.approx(section["rows"][0]["sales_amount"])
    assert state["query_analyzer_state"]["semantic_query"] == shown["query_analyzer_state"]["semantic_query"]
    assert "CSV" in state["response"]["answer"]
    assert not glued(state["response"]["answer"])


async def test_a_question_asked_as_a_file_is_computed_and_given_as_one(talk: Talk) -> None:
    state = await talk.say("지난달 제품별 매출 엑셀로 내려줘")
    assert state["query_analyzer_state"]["semantic_query"]["dimensions"] == ["product"]
    assert len(rows_of(state)) > 20, "all the rows, not only those the answer shows"


async def test_an_exported_table_can_be_asked_about_further(talk: Talk) -> None:
    await talk.say("지난달 지점별 매출 알려줘")
    await talk.say("엑셀로 뽑아줘")
    state = await talk.say("상위 3개만")
    assert state["query_analyzer_state"]["semantic_query"]["limit"] == 3
    assert "files" not in state["response"]["structured_data"]


async def test_with_nothing_to_export_it_is_said_what_to_ask_first(talk: Talk) -> None:
    state = await talk.say("csv로 내려줘")
    assert state["response"]["type"] == "clarification"
    assert "내려받을 표" in state["response"]["answer"]
    assert "바꾸거나 지우는" not in state["response"]["answer"]


def test_a_formula_in_a_name_stays_text() -> None:
    columns: list[Column] = [
        {"name": "rep", "label": "담당자", "unit": ""},
        {"name": "sales_amount", "label": "매출", "unit": "원"},
    ]
    text = as_csv(columns, [{"rep": "=HYPERLINK(1)", "sales_amount": -5}])
    assert list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))[1] == ["'=HYPERLINK(1)", "-5"]


async def test_the_file_is_kept_with_the_conversation(talk: Talk) -> None:
    kept: list[dict[str, Any]] = []

    async def save(document: dict[str, Any]) -> str:
        kept.append(document)
        return "doc-1"

    talk.save_document = save
    await talk.say("지난달 지점별 매출 알려줘")
    state = await talk.say("csv로 내려줘")
    assert state["response"]["structured_data"]["document"]["document_id"] == "doc-1"
    assert {"csv", "md", "html"} <= set(kept[0]["files"])
    assert kept[0]["markdown"].startswith("# 지점별 매출")
