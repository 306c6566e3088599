"""Every public method of the installed client works with every parameter, or is clearly not offered."""

import httpx
import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from tests.support.sdk_surface import CHECKS, NOT_OFFERED, World, methods, run_check
from tests.support.served import ROOT
from tests.support.serving import Site


@pytest.fixture
def sdk_db(db_url: str) -> str:
    return db_url


def test_every_method_has_an_entry() -> None:
    assert set(methods()) == set(CHECKS) | set(NOT_OFFERED)
    assert not set(CHECKS) & set(NOT_OFFERED)


def test_every_method_is_in_the_document() -> None:
    document = (ROOT / "docs" / "sdk.md").read_text(encoding="utf-8")
    rows = [row for row in document.partition("## Every method")[2].splitlines() if row.startswith("| `")]
    named: set[str] = set()
    for row in rows:
        first = row.split("|")[1]
        part = first.split("`")[1].partition(".")[0]
        named |= {f"{part}.{one.rpartition('.')[2]}" for one in first.split("`")[1::2]}
    assert named == set(methods())


@pytest.mark.parametrize("method", sorted(CHECKS))
async def test_it_works_with_every_parameter(client: LangGraphClient, sdk_site: Site, method: str) -> None:
    world = World(client, sdk_site)
    await run_check(world, method)
    assert methods()[method] - world.used[method] == set()


@pytest.mark.parametrize("method", sorted(NOT_OFFERED))
async def test_it_is_clearly_not_offered(client: LangGraphClient, sdk_site: Site, method: str) -> None:
    with pytest.raises(httpx.HTTPStatusError) as refused:
        await NOT_OFFERED[method](World(client, sdk_site))
    assert refused.value.response.status_code == 501
    assert "not offered" in str(refused.value) + refused.value.response.text


async def test_headers_and_parameters_are_passed_on(sdk_site: Site) -> None:
    key = await sdk_site.user("alice")
    async with get_client(url=sdk_site.address, api_key=None) as client:
        made = await client.threads.create(headers=key, params={"any": "thing"})
        assert await client.threads.count() == 0
        assert (await client.threads.get(made["thread_id"], headers=key))["status"] == "idle"
