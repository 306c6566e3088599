"""Webhooks: a call to an allowed host when a run is over. https, public addresses only, signed, tried again.

The call is owed before the run begins, so a crash loses none; a receiver knows a repeated one by its `run_id`.
"""

import asyncio
import hashlib
import hmac
import ipaddress
import logging
import socket
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import httpx

from madang.errors import InvalidInput, MadangError, NotFound
from madang.runtime import Runtime
from madang.runtime.served_graph import as_fields, find_served
from madang.runtime.state_json import dumps
from madang.runtime.webhook_policy import WebhookPolicy
from madang.server.sdk.shapes import run_shape
from madang.store.columns import timestamp
from madang.store.runs import Run
from madang.store.webhooks import Owed, Webhooks

logger = logging.getLogger(__name__)
EVERY = 5.0
TIMEOUT = 10.0
# Seconds until the next attempt; after the last one it is given up.
PAUSES = (10.0, 60.0, 300.0, 1800.0, 7200.0)
NEVER_BEGUN = timedelta(hours=1)
SIGNATURE = "X-Madang-Signature"

Resolve = Callable[[str, int], Awaitable[list[str]]]


def check_webhook(url: str | None, policy: WebhookPolicy) -> None:
    """Raises `InvalidInput` for an address that may not be called."""
    if url is None:
        return
    if not policy.hosts or not policy.secret:
        raise InvalidInput(
            "webhook: is not offered here; MADANG_WEBHOOK_HOSTS names the hosts and MADANG_SECRET_KEY signs the calls",
            field="webhook",
        )
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise InvalidInput("webhook: is not an address", field="webhook") from None
    if parts.scheme != "https" or not host or parts.username is not None or parts.password is not None:
        raise InvalidInput("webhook: should be https://host/…, without a user", field="webhook")
    if host.lower() not in policy.hosts:
        raise InvalidInput(f"webhook: {host} is not one of the hosts that may be called", field="webhook")


async def owing(runtime: Runtime, session_id: str, run_id: str, url: str, start: Awaitable[Run]) -> Run:
    """Start a run for which a call is owed from before it begins."""
    owed = Webhooks(runtime.db)
    await owed.add(run_id, session_id, url)
    try:
        run = await start
    except BaseException:
        await owed.remove(run_id, session_id)
        raise
    if run.run_id != run_id:
        await owed.move(run_id, session_id, run.run_id)
    return run


class Caller:
    """Makes the calls that are due."""

    def __init__(self, runtime: Runtime, policy: WebhookPolicy, client: httpx.AsyncClient | None = None) -> None:
        self._runtime, self._policy = runtime, policy
        self._owed = Webhooks(runtime.db)
        self._client = client
        self.resolve: Resolve = addresses

    async def call_due(self, *, at: datetime | None = None) -> int:
        """Make every call that is due; how many arrived."""
        moment, arrived = at or datetime.now(UTC), 0
        for owed in await self._owed.due(timestamp(moment)):
            if owed.run_status is None:
                if datetime.fromisoformat(owed.created_at) < moment - NEVER_BEGUN:
                    await self._owed.remove(owed.run_id, owed.session_id)
                continue
            pause = PAUSES[min(owed.attempts, len(PAUSES) - 1)]
            if await self._owed.take(owed, timestamp(moment + timedelta(seconds=pause))):
                arrived += await self._call(owed, moment)
        return arrived

    async def _call(self, owed: Owed, moment: datetime) -> bool:
        try:
            check_webhook(owed.url, self._policy)
            await self._post(owed.url, await self._body(owed, moment), moment)
        except NotFound:
            await self._owed.remove(owed.run_id, owed.session_id)
            return False
        except (httpx.HTTPError, OSError, MadangError) as error:
            told = str(error) or type(error).__name__
            last = owed.attempts + 1 >= len(PAUSES)
            logger.warning("a webhook failed", extra={"run_id": owed.run_id, "error": told, "given_up": last})
            await (self._owed.remove(owed.run_id, owed.session_id) if last else self._owed.failed(owed, told))
            return False
        await self._owed.remove(owed.run_id, owed.session_id)
        return True

    async def _body(self, owed: Owed, moment: datetime) -> bytes:
        run = await self._runtime.runs.get(owed.run_id, owed.session_id)
        served = find_served(self._runtime.served, run.assistant)
        values = as_fields((await served.snapshot(run.session_id)).values)
        body: dict[str, Any] = {
            **run_shape(run),
            "values": served.output(values),
            "error": served.failure_shown(run.error) if run.status == "failed" else None,
            "run_started_at": run.started_at,
            "run_ended_at": run.ended_at,
            "webhook_sent_at": timestamp(moment),
        }
        return dumps(body)

    async def _post(self, url: str, body: bytes, moment: datetime) -> None:
        """One attempt, at the address that was checked, whatever the name says a moment later."""
        parts = urlsplit(url)
        host, port = str(parts.hostname), parts.port or 443
        found = await self.resolve(host, port)
        if not found or not all(ipaddress.ip_address(one).is_global for one in found):
            raise InvalidInput(f"webhook: {host} is not at a public address")
        address = f"[{found[0]}]" if ":" in found[0] else found[0]
        path = parts.path or "/"
        target = f"https://{address}:{port}{path}" + (f"?{parts.query}" if parts.query else "")
        at = int(moment.timestamp())
        headers = {
            "Host": parts.netloc,
            "Content-Type": "application/json",
            SIGNATURE: f"t={at},v1={signature(self._policy.secret, at, body)}",
        }
        client = self._client or httpx.AsyncClient(timeout=TIMEOUT, follow_redirects=False, trust_env=False)
        try:
            answer = await client.post(target, content=body, headers=headers, extensions={"sni_hostname": host})
        finally:
            if self._client is None:
                await client.aclose()
        if not answer.is_success:
            raise OSError(f"answered {answer.status_code}")


def signature(secret: str, at: int, body: bytes) -> str:
    """What a receiver computes itself to know that a call is ours: HMAC-SHA256 of the time, a dot and the body."""
    return hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()


async def addresses(host: str, port: int) -> list[str]:
    """Where a name points now."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(one[4][0]) for one in found))
