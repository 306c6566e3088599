"""Versions of the travel state, and how an older one is brought up to date."""

from collections.abc import Mapping
from typing import Any

from madang.assistants.travel.state.travel_state import SCHEMA_VERSION
from madang.state.migrations import Migrations


def migrate_state_v1_to_v2(state_v1: Mapping[str, Any]) -> dict[str, Any]:
    """Version 2 adds `budget_flexibility`; what was already known of it is kept."""
    return {
        **state_v1,
        "budget_flexibility": state_v1.get("budget_flexibility") or "flexible",
        "schema_version": "2.0",
    }


MIGRATIONS = Migrations(SCHEMA_VERSION, {"1.0": (migrate_state_v1_to_v2, "2.0")})
