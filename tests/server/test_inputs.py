"""What was understood, on the table: shown, set and cleared without a message."""

import pytest

from madang.graph.inputs import TASK
from tests.support.serving import Site, both
from tests.support.trip_assistant import statuses

API = "/api/v1"


async def test_an_assistant_says_what_it_can_be_told(site: Site) -> None:
    shown = (await site.http.get(f"{API}/assistants/trip")).json()
    assert list(shown["inputs"]["properties"]) == [TASK, "city", "nights", "budget"]
    assert (await site.http.get(f"{API}/assistants/nobody")).status_code == 404


@both
async def test_a_trip_by_the_form_alone(site: Site) -> None:
    where = f"{API}/sessions/{await site.session()}/inputs"
    assert [one["value"] for one in (await site.http.get(where)).json()] == [None, None, None]
    answer = await site.http.patch(f"{where}?wait=true", json={"city": "오사카", "nights": 3, "task": "plan"})
    assert answer.status_code == 200, answer.text
    assert answer.json()["response"]["answer"].startswith("합계")
    assert [one["text"] for one in (await site.http.get(where)).json()] == ["오사카", "3박", ""]
    started = await site.http.patch(where, json={"budget": 700})
    assert started.status_code == 202
    outcome = await site.runtime.outcome(started.json()["run_id"])
    assert statuses(outcome["state"])["hotel"] == "kept"
    assert outcome["state"]["budget"] == 700


@both
async def test_all_or_nothing_and_each_bad_one_is_named(site: Site) -> None:
    where = f"{API}/sessions/{await site.session()}/inputs"
    refused = await site.http.patch(where, json={"city": "오사카", "nights": 99, "planet": 1})
    assert refused.status_code == 422
    assert {problem["field"] for problem in refused.json()["problems"]} == {"nights", "planet"}
    assert [one["value"] for one in (await site.http.get(where)).json()] == [None, None, None]


async def test_a_preview_says_what_would_run_and_changes_nothing(site: Site) -> None:
    where = f"{API}/sessions/{await site.session()}/inputs"
    await site.http.patch(f"{where}?wait=true", json={"city": "오사카", "nights": 3})
    shown = (await site.http.patch(f"{where}?preview=true", json={"nights": 4})).json()
    assert [one["agent"] for one in shown["kept"]] == ["flight"]
    assert shown["estimated_cost"] is None
    assert sorted(one["agent"] for one in shown["steps"]) == ["hotel", "itinerary", "money"]
    assert [one["value"] for one in (await site.http.get(where)).json()] == ["오사카", 3, None]


@pytest.mark.parametrize(
    ("query", "header", "title"),
    [
        ("", None, "도시"),
        ("", "*", "도시"),
        ("", "fr-FR, fr;q=0.9", "도시"),
        ("", "en-GB,en;q=0.9,ko;q=0.8", "City"),
        ("", "en;q=0.2, ko-KR;q=0.7", "도시"),
        ("", "en;q=0, de", "도시"),
        ("", "en;q=much;;,,=", "도시"),
        ("?language=en", "ko", "City"),
        ("?language=ko", "en", "도시"),
    ],
)
async def test_titles_are_in_the_language_that_is_asked_for(
    site: Site, query: str, header: str | None, title: str
) -> None:
    headers = {} if header is None else {"Accept-Language": header}
    shown = (await site.http.get(f"{API}/assistants/trip{query}", headers=headers)).raise_for_status().json()
    assert shown["inputs"]["properties"]["city"]["title"] == title
    listed = (await site.http.get(f"{API}/assistants{query}", headers=headers)).raise_for_status().json()
    assert [one["title"] for one in listed if one["name"] == "trip"] == [shown["title"]]
    where = f"{API}/sessions/{await site.session()}/inputs"
    known = (await site.http.get(f"{where}{query}", headers=headers)).raise_for_status().json()
    assert [one["title"] for one in known if one["field"] == "city"] == [title]


async def test_a_language_that_is_not_known_is_refused_by_name(site: Site) -> None:
    assert (await site.http.get(f"{API}/assistants/trip?language=xx")).status_code == 422


async def test_in_english_values_steps_and_what_is_wrong_are_english_too(site: Site) -> None:
    where, english = f"{API}/sessions/{await site.session()}/inputs", {"Accept-Language": "en"}
    asked = {"city": "오사카", "nights": 3, "budget": 2_000_000}
    (await site.http.patch(f"{where}?wait=true", json=asked, headers=english)).raise_for_status()
    shown = (await site.http.get(where, headers=english)).json()
    assert [one["text"] for one in shown] == ["오사카", "3", "2,000,000 won"]
    refused = await site.http.patch(where, json={"nights": 99}, headers=english)
    assert [(one["reason"], one["allowed"]) for one in refused.json()["problems"]] == [("is out of range", "1 ~ 14")]
    details = (await site.http.get(f"{API}/assistants/trip?language=en")).json()
    assert details["step_titles"] == {"예산": "Budget"}
    previewed = (await site.http.patch(f"{where}?preview=true", json={"nights": 4}, headers=english)).json()
    named = {one["agent"]: (one["task"], one["reason"]) for one in previewed["steps"]}
    assert named["money"][0] == "Budget"
    assert "Nights" in named["hotel"][1]
