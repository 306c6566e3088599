"""What the providers share: one HTTP client with a key, a timeout, retries with backoff, and named errors."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from xml.etree import ElementTree as ET

import httpx

from madang.errors import ConfigurationError, QuotaExceeded, ServiceUnavailable

log = logging.getLogger(__name__)

Sleep = Callable[[float], Awaitable[None]]
_RETRIED = frozenset({429, 500, 502, 503, 504})
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
    """GET requests to one service. Its errors never hold the key."""

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

    @property
    def available(self) -> bool:
        """Whether a key is set."""
        return bool(self._settings.key)

    @property
    def key(self) -> str:
        """The key. Raises `ConfigurationError` without one."""
        if not self._settings.key:
            raise ConfigurationError(f"{self.name}의 인증키가 설정되지 않아 쓸 수 없습니다")
        return self._settings.key

    async def get(self, path: str, params: Mapping[str, str | int]) -> str:
        """The body of a successful answer, after retries of timeouts and of 429 and 5xx.

        Raises `QuotaExceeded` for 429, `ServiceUnavailable` for whatever else can't be answered.
        """
        url = self._settings.base_url.rstrip("/") + "/" + path.lstrip("/")
        last: Exception | None = None
        async with httpx.AsyncClient(timeout=self._settings.timeout, transport=self._transport) as client:
            for attempt in range(self._settings.retries + 1):
                if attempt:
                    await self._sleep(self._settings.backoff * 2 ** (attempt - 1))
                try:
                    response = await client.get(url, params=dict(params))
                except httpx.HTTPError as error:
                    log.warning("provider not reached", extra={"provider": self.name, "error": type(error).__name__})
                    last = ServiceUnavailable(f"{self.name}에 연결할 수 없습니다 ({type(error).__name__})")
                    continue
                if response.status_code == httpx.codes.OK:
                    return response.text
                last = self._status_error(response.status_code)
                if response.status_code not in _RETRIED:
                    break
        raise last or ServiceUnavailable(f"{self.name}에서 답을 받지 못했습니다")

    def _status_error(self, status: int) -> ServiceUnavailable:
        if status == httpx.codes.TOO_MANY_REQUESTS:
            return QuotaExceeded(f"{self.name}의 호출 한도를 넘었습니다", status=status)
        return ServiceUnavailable(f"{self.name}이(가) HTTP {status}로 답했습니다", status=status)

    def xml(self, body: str) -> ET.Element:
        """The root of an XML answer. Raises `ServiceUnavailable` for anything else, entities included."""
        if "<!DOCTYPE" in body or "<!ENTITY" in body:
            raise ServiceUnavailable(f"{self.name}의 답에 허용되지 않는 XML 선언이 있습니다")
        try:
            return ET.fromstring(body.strip())
        except ET.ParseError as error:
            raise ServiceUnavailable(f"{self.name}의 답을 읽을 수 없습니다") from error


def text_of(element: ET.Element, name: str) -> str:
    """The text of a child, empty if there is none."""
    return (element.findtext(name) or "").strip()
