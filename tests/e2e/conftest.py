"""What the page's tests with our own assistants share: they take long to load, so one server does for all of them."""

from collections.abc import Iterator

import httpx
import pytest

from tests.support.served import served


@pytest.fixture(scope="session")
def assistants(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with all of ours, on a fixed day."""
    with served(tmp_path_factory.mktemp("assistants"), None, MADANG_TODAY="2026-11-16") as found:
        # What they load with the first question is loaded before anyone waits for an answer.
        with httpx.Client(base_url=f"{found}/api/v1", timeout=300) as client:
            for one in client.get("/assistants").raise_for_status().json():
                begun = client.post("/sessions", json={"assistant": one["name"]}).raise_for_status().json()
                where = f"/sessions/{begun['session_id']}"
                client.post(f"{where}/messages?wait=true", json={"query": one["examples"][0]}).raise_for_status()
                client.delete(where).raise_for_status()
        yield found
