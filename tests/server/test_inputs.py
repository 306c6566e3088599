"""What was understood, on the table: shown, set and cleared without a message."""

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
