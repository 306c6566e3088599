"""How the server behaves at its edge; made from the settings by `bootstrap`."""

import ipaddress
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class TokenOptions:
    """Whose tokens (JWT) are accepted. `keys` is the address or the file of a key set (JWKS)."""

    issuer: str
    audience: str
    keys: str
    user_claim: str = "sub"
    company_claim: str = "company_id"


@dataclass(frozen=True)
class ServerOptions:
    """Defaults are those of a server on loopback: no credentials needed, one implicit local user."""

    credentials_required: bool = False
    # LangGraph's `Auth` and an application of the user's own, from a `langgraph.json`.
    auth: Any = None
    http_app: Any = None
    tokens: TokenOptions | None = None
    origins: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]", "::1")
    requests_per_minute: int = 600
    max_request_bytes: int = 1 << 20
    max_file_bytes: int = 32 << 20
    max_frame_bytes: int = 1 << 20
    heartbeat: float = 15.0
    resume_grace: float = 0.5
    recheck: float = 10.0
    rehearse: bool = False
    # How many turns that others have accepted it runs at once; 0: none.
    concurrency: int = 0
    # Whom it may call when a run is over, and with what it signs that.
    webhook_hosts: tuple[str, ...] = ()
    webhook_secret: str = ""
    undo_seconds: float = 30.0
    # How long a request that waits for a turn still waits once the server has been told to end.
    grace: float = 5.0


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server on `host`."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
