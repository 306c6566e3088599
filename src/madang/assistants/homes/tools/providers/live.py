"""What the live services share: a time to answer in, what they answered kept for a while, and outages told."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Any, ClassVar, Generic, TypeVar

from madang.assistants.homes.tools.providers.cache import LiveCache
from madang.assistants.homes.tools.providers.client import ProviderApi
from madang.assistants.homes.tools.providers.outages import Outages
from madang.errors import MadangError, ServiceUnavailable

log = logging.getLogger(__name__)
Provider = TypeVar("Provider", bound=ProviderApi)


class LiveService(Generic[Provider]):
    """Asks one provider within a time and keeps what it answers, under keys that begin with `prefix`."""

    prefix: ClassVar[str]
    budget: ClassVar[float]
    services: ClassVar[tuple[str, ...]]

    def __init__(
        self,
        provider: Provider,
        cache: LiveCache,
        *,
        budget: float | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._provider = provider
        self._cache = cache
        self._budget = self.budget if budget is None else budget
        self._outages = {name: Outages(name, clock) for name in self.services}

    @property
    def version(self) -> str:
        """Changes with what is kept, and when a service may be asked again."""
        without = "".join(f"{name} {outages.version} " for name, outages in self._outages.items() if outages.version)
        return f"{self._cache.version(self.prefix)}{without}"

    @asynccontextmanager
    async def _in_time(self, services: Iterable[str]) -> AsyncIterator[None]:
        """What is asked inside ends with the budget; services that are late by then count as out for a while."""
        try:
            async with asyncio.timeout(self._budget), self._provider.connected():
                yield
        except TimeoutError:
            for name in services:
                self._outages[name].note(ServiceUnavailable(f"{self._budget:g}초 안에 답을 다 받지 못했습니다"))

    async def _keep(self, service: str, key: str, fetch: Callable[[], Awaitable[Any]], seconds: float) -> None:
        """Fetch what isn't kept yet, unless its service is out. A failure is noted, never raised; None isn't kept."""
        if self._cache.get(key) is not None or self._outages[service].current is not None:
            return
        try:
            found = await fetch()
        except MadangError as error:
            log.info("live data not fetched", extra={"key": key, "error": error.code})
            self._outages[service].note(error)
            return
        if found is not None:
            self._cache.put(key, found, seconds)
