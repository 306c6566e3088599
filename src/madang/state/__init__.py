"""The state layer, pure and without I/O. Names are loaded when they are first used."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from madang.state.clock import now_iso as now_iso
    from madang.state.diff import Diff as Diff
    from madang.state.encryption import Keyring as Keyring
    from madang.state.fields import SENSITIVE as SENSITIVE
    from madang.state.fields import Range as Range
    from madang.state.fields import Turn as Turn
    from madang.state.fields import field_specs as field_specs
    from madang.state.history import StateInspector as StateInspector
    from madang.state.history import field_history as field_history
    from madang.state.migrations import Migrations as Migrations
    from madang.state.monitor import StateMonitor as StateMonitor
    from madang.state.monitor import log_state_change as log_state_change
    from madang.state.optimizer import StateOptimizer as StateOptimizer
    from madang.state.paths import get_path as get_path
    from madang.state.paths import set_path as set_path
    from madang.state.redaction import redact as redact
    from madang.state.redaction import redact_text as redact_text
    from madang.state.security import StateSecurityManager as StateSecurityManager
    from madang.state.size import compress_messages as compress_messages
    from madang.state.size import measure as measure
    from madang.state.size import offload as offload
    from madang.state.size import restore as restore
    from madang.state.steps import ExecutionStepState as ExecutionStepState
    from madang.state.transition import StateTransition as StateTransition
    from madang.state.validation import require_valid as require_valid
    from madang.state.validation import validate_update as validate_update

_HOMES = {
    # Declaring a state
    "ExecutionStepState": "steps",
    "Range": "fields",
    "SENSITIVE": "fields",
    "Turn": "fields",
    "field_specs": "fields",
    # Checking and comparing
    "Diff": "diff",
    "field_history": "history",
    "get_path": "paths",
    "require_valid": "validation",
    "set_path": "paths",
    "validate_update": "validation",
    # Keeping it safe, small and readable
    "Keyring": "encryption",
    "Migrations": "migrations",
    "compress_messages": "size",
    "measure": "size",
    "now_iso": "clock",
    "offload": "size",
    "redact": "redaction",
    "redact_text": "redaction",
    "restore": "size",
    # The seeds' names
    "StateInspector": "history",
    "StateMonitor": "monitor",
    "StateOptimizer": "optimizer",
    "StateSecurityManager": "security",
    "StateTransition": "transition",
    "log_state_change": "monitor",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
