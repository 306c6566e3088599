"""Credentials of what stays open: sockets and event streams end soon after a key is revoked or a token expires."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from starlette.requests import HTTPConnection

from madang.errors import MadangError, Unauthenticated
from madang.server.identity import Identities, Identity, credential_of

logger = logging.getLogger(__name__)
PATIENCE = 5.0
End = Callable[[], Awaitable[None]]


class Rechecks:
    """What is open in this process, by credential: each credential is checked once a round, however many use it."""

    def __init__(self, identities: Identities, every: float) -> None:
        self._identities = identities
        self._every = every
        self._open: dict[str, set[End]] = defaultdict(set)
        self._known: dict[str, Identity] = {}

    @contextmanager
    def watching(self, connection: HTTPConnection, end: End) -> Iterator[None]:
        """While this is open, `end` is awaited if the connection's credential isn't valid any more, or another's."""
        try:
            credential = credential_of(connection.headers, required=self._identities.required)
        except Unauthenticated:
            credential = None
        if credential is None or self._identities.foreign:
            yield
            return
        self._open[credential].add(end)
        try:
            yield
        finally:
            self._open[credential].discard(end)
            if not self._open[credential]:
                del self._open[credential]
                self._known.pop(credential, None)

    async def check(self) -> int:
        """One round; how many were ended."""
        ended = 0
        for credential in list(self._open):
            if not await self._still_good(credential):
                ending = [asyncio.ensure_future(end()) for end in self._open.get(credential, ())]
                if ending:
                    # A client that doesn't read must not keep the others open.
                    await asyncio.wait(ending, timeout=PATIENCE)
                ended += len(ending)
        return ended

    async def _still_good(self, credential: str) -> bool:
        try:
            identity = await self._identities.of(credential)
        except Unauthenticated:
            return False
        except MadangError:
            # The database or the key set can't be asked now: that says nothing about the credential.
            return True
        return self._known.setdefault(credential, identity) == identity

    async def keep_on(self) -> None:
        """Check from time to time."""
        while True:
            await asyncio.sleep(self._every)
            try:
                if ended := await self.check():
                    logger.info("credentials are not valid any more", extra={"count": ended})
            except Exception:
                # Whatever it was, the next round must take place.
                logger.exception("credentials could not be checked")
