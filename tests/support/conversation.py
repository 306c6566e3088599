"""A conversation as `GET /sessions/{id}/conversation` gives it."""

from typing import Any

from tests.support.serving import Site

SESSIONS = "/api/v1/sessions"


async def conversation(site: Site, session: str, **query: Any) -> dict[str, Any]:
    answer = await site.http.get(f"{SESSIONS}/{session}/conversation", params=query)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def questions(found: dict[str, Any]) -> list[str | None]:
    return [turn["question"] and turn["question"]["content"] for turn in found["turns"]]
