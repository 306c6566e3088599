"""What is found is scored by how much of the question it holds; outside pages only if a key is set."""

import json
from pathlib import Path

import pytest

from madang.assistants.works.data.rules import load_rules
from madang.assistants.works.tools.retrieval import MIN_SCORE, Library, likeness, merge
from madang.assistants.works.tools.web_search import NaverSearch, from_environment
from madang.errors import ServiceUnavailable
from tests.support.company import TODAY, rows, warehouse_at
from tests.support.live_services import served

PAGES = {
    "items": [
        {"title": "<b>공정경쟁규약</b> 개정", "description": "강연료 기준", "link": "https://example.org/1"},
        {"title": "날씨", "description": "맑음", "link": "https://example.org/2"},
        {"title": "주소가 없는 쪽", "description": ""},
    ]
}


def test_likeness_is_the_share_of_the_question_that_the_text_holds() -> None:
    assert likeness("방문 기록", "한빛의원 방문 기록") == 1.0
    assert 0 < likeness("방문 기록 찾아줘", "한빛의원 방문 기록") < 1
    assert likeness("", "한빛의원") == 0.0


def test_visits_are_found_with_the_latest_first(tmp_path: Path) -> None:
    visited = {v["customer_id"] for v in rows()["visits"]}
    customer = next(c["customer"] for c in rows()["customers"] if c["customer_id"] in visited)
    found = Library(warehouse_at(tmp_path), load_rules()).search(f"{customer} 방문 기록", "sample", TODAY)
    days = [hit["as_of"] for hit in found["internal_db"]]
    assert days == sorted(days, reverse=True)
    assert days
    assert merge(found)[0]["kind"] == "visit"


def test_a_wide_search_finds_no_rule_that_is_hardly_alike(tmp_path: Path) -> None:
    library = Library(warehouse_at(tmp_path), load_rules())
    asked = "방문 건수가 월말에 몰려 있는 사람이 있는지도 봐주실 수 있나요? 의심하는 게 아니라 기록을 보려는 겁니다."
    found = library.search(asked, "sample", TODAY, wide=True)["vector_db"]
    assert all(hit["kind"] != "rule" or hit["score"] >= MIN_SCORE for hit in found)


def test_outside_pages_are_read_without_markup_and_scored(tmp_path: Path) -> None:
    with served() as service:
        service.reply = lambda _path, _query: (200, json.dumps(PAGES))
        library = Library(warehouse_at(tmp_path), load_rules(), web=NaverSearch("id", "secret", service.url))
        pages = library.search("공정경쟁규약 강연료", "sample", TODAY)["web"]
    assert [page["title"] for page in pages] == ["공정경쟁규약 개정", "날씨"]
    assert pages[0]["score"] > pages[1]["score"]
    assert library.sources[-1] == "web"


def test_a_web_service_that_fails_is_named(tmp_path: Path) -> None:
    with served() as service:
        service.reply = lambda _path, _query: (500, "")
        with pytest.raises(ServiceUnavailable, match="웹 검색"):
            NaverSearch("id", "secret", service.url).search("규약", 3)


def test_without_a_key_there_is_no_web_source() -> None:
    assert from_environment({"MADANG_NAVER_CLIENT_ID": "id"}) is None
