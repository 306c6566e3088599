"""What the providers share: one HTTP client with a key, a timeout, retries with backoff, and named errors."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import httpx

from madang.errors import AccessDenied, ConfigurationError, MadangError, QuotaExceeded, ServiceUnavailable

log = logging.getLogger(__name__)

Sleep = Callable[[float], Awaitable[None]]
_RETRIED = frozenset({429, 500, 502, 503, 504})
_ENCODED = re.compile(r"%[0-9A-Fa-f]{2}")
_QUERY = re.compile(r"\?\S*")
MAX_PAGES = 100


@dataclass(frozen=True, kw_only=True)
class ProviderSettings:
    """Where a service is and how patient to be. Without a key the provider is off."""

    base_url: str
    key: str | None = None
    timeout: float = 10.0
    retries: int = 2
    backoff: float = 0.5

    def __repr__(self) -> str:
        return f"ProviderSettings(base_url={self.base_url!r}, key={'set' if self.key else None})"


class ProviderClient:
    """GET requests to one service. Its errors and logs never hold the key."""

    def __init__(
        self,
        name: str,
        settings: ProviderSettings,
        *,
        sleep: Sleep = asyncio.sleep,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.name = name
        self._settings = settings
        self._sleep = sleep
        self._transport = transport
        self._shared: ContextVar[httpx.AsyncClient | None] = ContextVar("shared", default=None)
        requests = logging.getLogger("httpx")
        if _without_query not in requests.filters:
            requests.addFilter(_without_query)

    @property
    def key(self) -> str:
        """The key, decoded if it was given as it stands in an address. Raises `ConfigurationError` without one."""
        if not self._settings.key:
            raise ConfigurationError(f"{self.name}의 인증키가 설정되지 않아 쓸 수 없습니다")
        key = self._settings.key.strip()
        return unquote(key) if _ENCODED.search(key) else key

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        """Requests made inside share their connections: opening one costs more than most answers."""
        async with self._client() as client:
            token = self._shared.set(client)
            try:
                yield
            finally:
                self._shared.reset(token)

    async def get(self, path: str, params: Mapping[str, str | int]) -> str:
        """The body of a successful answer, after retries of timeouts and of 429 and 5xx.

        Raises `QuotaExceeded` for 429, `AccessDenied` for 401 and 403, `ServiceUnavailable` for whatever else can't
        be answered.
        """
        shared = self._shared.get()
        if shared is not None:
            return await self._asked(shared, path, params)
        async with self._client() as client:
            return await self._asked(client, path, params)

    def _client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(timeout=self._settings.timeout, transport=self._transport)

    async def _asked(self, client: httpx.AsyncClient, path: str, params: Mapping[str, str | int]) -> str:
        url = self._settings.base_url.rstrip("/") + "/" + path.lstrip("/")
        last: MadangError | None = None
        for attempt in range(self._settings.retries + 1):
            if attempt:
                await self._sleep(self._settings.backoff * 2 ** (attempt - 1))
            try:
                response = await client.get(url, params=dict(params))
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                log.info("provider not reached", extra={"provider": self.name, "error": type(error).__name__})
                last = ServiceUnavailable(f"{self.name}에 연결할 수 없습니다 ({type(error).__name__})")
                continue
            if response.status_code == httpx.codes.OK:
                return response.text
            last = self._status_error(response.status_code)
            if response.status_code not in _RETRIED:
                break
        raise last or ServiceUnavailable(f"{self.name}에서 답을 받지 못했습니다")

    def _status_error(self, status: int) -> MadangError:
        if status == httpx.codes.TOO_MANY_REQUESTS:
            return QuotaExceeded(f"{self.name}의 호출 한도를 넘었습니다", status=status)
        if status in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
            return AccessDenied(f"{self.name}이(가) 인증키를 거절했습니다 (HTTP {status})", status=status)
        return ServiceUnavailable(f"{self.name}이(가) HTTP {status}로 답했습니다", status=status)

    def xml(self, body: str) -> ET.Element:
        """The root of an XML answer. Raises `ServiceUnavailable` for anything else, entities included."""
        if "<!DOCTYPE" in body or "<!ENTITY" in body:
            raise ServiceUnavailable(f"{self.name}의 답에 허용되지 않는 XML 선언이 있습니다")
        try:
            return ET.fromstring(body.strip())
        except ET.ParseError as error:
            raise ServiceUnavailable(f"{self.name}의 답을 읽을 수 없습니다") from error


class ProviderApi:
    """What one service offers, asked through its client."""

    def __init__(self, client: ProviderClient) -> None:
        self._client = client

    def connected(self) -> AbstractAsyncContextManager[None]:
        """Requests made inside share their connections."""
        return self._client.connected()


def text_of(element: ET.Element, name: str) -> str:
    """The text of a child, empty if there is none."""
    return (element.findtext(name) or "").strip()


def _without_query(record: logging.LogRecord) -> bool:
    """httpx logs whole addresses; the keys of these services stand in the query."""
    record.msg, record.args = _QUERY.sub("?…", record.getMessage()), ()
    return True
