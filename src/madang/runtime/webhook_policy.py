"""Whom a server may call when a run is over, and with what it signs that."""

from dataclasses import dataclass


@dataclass(frozen=True)
class WebhookPolicy:
    """Without hosts or without a secret nobody is called."""

    hosts: frozenset[str] = frozenset()
    secret: str = ""
