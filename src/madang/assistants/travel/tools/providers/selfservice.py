"""A client for a self-service travel API: OAuth client credentials, JSON offers, retries, errors as ours."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from madang.errors import ConfigurationError, InvalidInput, QuotaExceeded, ServiceUnavailable

logger = logging.getLogger(__name__)

Sleep = Callable[[float], Awaitable[None]]
_RETRIED = frozenset({429, 500, 502, 503, 504})
_LONGEST_WAIT = 20.0
_EARLY = 30.0


@dataclass(frozen=True)
class SelfServiceKeys:
    """The key pair and where the API lives."""

    client_id: str
    client_secret: str = field(repr=False)
    base_url: str = "https://test.api.amadeus.com"


class SelfServiceApi:
    """GET with a bearer token that is fetched once and renewed when it expires."""

    def __init__(
        self,
        keys: SelfServiceKeys,
        client: httpx.AsyncClient,
        *,
        retries: int = 2,
        timeout: float = 8.0,
        sleep: Sleep = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._keys, self._client = keys, client
        self._retries, self._timeout, self._sleep, self._clock = retries, timeout, sleep, clock
        self._token: tuple[str, float] | None = None
        self._lock = asyncio.Lock()

    async def get(self, path: str, params: Mapping[str, str | int]) -> dict[str, Any]:
        """The JSON object at that path.

        Raises QuotaExceeded, ServiceUnavailable, ConfigurationError (refused key) or InvalidInput (refused request).
        """
        for fresh in (False, True):
            token = await self._bearer(fresh)
            headers = {"Authorization": f"Bearer {token}"}
            response = await self._send("GET", path, params=dict(params), headers=headers)
            if response.status_code != httpx.codes.UNAUTHORIZED:
                return _object(_checked(response, path))
        raise ConfigurationError("여행 API가 키를 거절했습니다", path=path)

    async def _bearer(self, fresh: bool) -> str:
        async with self._lock:
            if fresh or self._token is None or self._clock() >= self._token[1]:
                form = {
                    "grant_type": "client_credentials",
                    "client_id": self._keys.client_id,
                    "client_secret": self._keys.client_secret,
                }
                response = await self._send("POST", "/v1/security/oauth2/token", data=form)
                if response.status_code in (400, 401, 403):
                    raise ConfigurationError("여행 API가 키를 거절했습니다")
                body = _object(_checked(response, "token"))
                lasts = float(body.get("expires_in", 0)) - _EARLY
                self._token = (str(body.get("access_token", "")), self._clock() + lasts)
            return self._token[0]

    async def _send(self, method: str, path: str, **options: Any) -> httpx.Response:
        url = self._keys.base_url.rstrip("/") + path
        for attempt in range(self._retries + 1):
            last = attempt == self._retries
            try:
                response = await self._client.request(method, url, timeout=self._timeout, **options)
            except httpx.TransportError as error:
                if last:
                    raise ServiceUnavailable("여행 API에 연결할 수 없습니다", path=path) from error
                await self._wait(attempt, None, path)
                continue
            if response.status_code not in _RETRIED or last:
                return response
            await self._wait(attempt, response.headers.get("Retry-After"), path)
        raise ServiceUnavailable("여행 API에 연결할 수 없습니다", path=path)

    async def _wait(self, attempt: int, retry_after: str | None, path: str) -> None:
        seconds = float(retry_after) if retry_after and retry_after.isdigit() else 0.5 * 2**attempt
        logger.info("travel api retried", extra={"path": path, "attempt": attempt, "seconds": seconds})
        await self._sleep(min(seconds, _LONGEST_WAIT))


def _checked(response: httpx.Response, path: str) -> httpx.Response:
    status = response.status_code
    if status == httpx.codes.TOO_MANY_REQUESTS:
        raise QuotaExceeded("여행 API 사용량을 다 썼습니다", path=path)
    if status >= 500:
        raise ServiceUnavailable("여행 API가 응답하지 못했습니다", path=path, status=status)
    if status >= 400:
        raise InvalidInput("여행 API가 요청을 거절했습니다", path=path, status=status, detail=response.text[:300])
    return response


def _object(response: httpx.Response) -> dict[str, Any]:
    try:
        body = response.json()
    except ValueError as error:
        raise ServiceUnavailable("여행 API의 답을 읽을 수 없습니다") from error
    if not isinstance(body, dict):
        raise ServiceUnavailable("여행 API의 답을 읽을 수 없습니다")
    return body
