"""A web source for retrieval: Naver's search API, off unless its keys are set."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypedDict

import httpx

from madang.errors import ServiceUnavailable

URL = "https://openapi.naver.com/v1/search/webkr.json"


class WebPage(TypedDict):
    title: str
    text: str
    link: str


@dataclass(frozen=True)
class NaverSearch:
    """Raises `ServiceUnavailable` when the service doesn't answer as it should."""

    client_id: str
    client_secret: str
    url: str = URL
    timeout: float = 5.0

    def search(self, query: str, limit: int) -> list[WebPage]:
        """Up to `limit` pages that can be opened."""
        headers = {"X-Naver-Client-Id": self.client_id, "X-Naver-Client-Secret": self.client_secret}
        try:
            reply = httpx.get(
                self.url, params={"query": query[:200], "display": limit}, headers=headers, timeout=self.timeout
            )
            reply.raise_for_status()
            items = reply.json()["items"]
        except (httpx.HTTPError, KeyError, ValueError) as error:
            raise ServiceUnavailable(f"웹 검색이 응답하지 않습니다: {type(error).__name__}") from error
        return [
            {"title": _bare(i.get("title")), "text": _bare(i.get("description")), "link": str(i["link"])}
            for i in items
            if i.get("link")
        ]


def from_environment(environ: Mapping[str, str]) -> NaverSearch | None:
    """The web source, if `MADANG_NAVER_CLIENT_ID` and `MADANG_NAVER_CLIENT_SECRET` are set."""
    key, secret = environ.get("MADANG_NAVER_CLIENT_ID"), environ.get("MADANG_NAVER_CLIENT_SECRET")
    return NaverSearch(key, secret, environ.get("MADANG_NAVER_URL", URL)) if key and secret else None


def _bare(text: Any) -> str:
    return re.sub(r"<[^<>]+>", "", str(text or ""))
