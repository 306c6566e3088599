"""`StateSecurityManager`: sensitive fields hidden for logs, encrypted for keeping, at every depth."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from madang.errors import ConfigurationError, DecryptionFailed
from madang.state.encryption import Keyring, decrypt, encrypt, is_encrypted
from madang.state.plain import json_safe
from madang.state.redaction import redact


class StateSecurityManager:
    """Works on the fields named in `SENSITIVE_FIELDS`, or those given. Encryption needs a keyring."""

    SENSITIVE_FIELDS = ["user_id", "api_keys", "passwords", "personal_info", "financial_data"]

    def __init__(self, keyring: Keyring | None = None, sensitive_fields: Collection[str] | None = None) -> None:
        self._keyring = keyring
        self._fields = frozenset(self.SENSITIVE_FIELDS if sensitive_fields is None else sensitive_fields)

    def sanitize_state_for_logging(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """A copy that may be logged: sensitive fields and personal numbers in any text are masked."""
        redacted: dict[str, Any] = redact(dict(state), fields=self._fields)
        return redacted

    def encrypt_sensitive_fields(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """A copy with each sensitive value (but null) in an envelope bound to its field's name.

        Raises `ConfigurationError` without a keyring, `InvalidState` for a value that has no JSON form.
        """
        keyring = self._required()
        return _each(state, self._fields, lambda name, value: encrypt(json_safe(value), keyring, _aad(name)))

    def decrypt_sensitive_fields(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """The reverse. Raises `DecryptionFailed` if a sensitive value isn't an authentic envelope of that field."""
        keyring = self._required()

        def opened(name: str, value: Any) -> Any:
            if not is_encrypted(value):
                raise DecryptionFailed(f"field {name!r} is not encrypted", field=name)
            return decrypt(value, keyring, _aad(name))

        return _each(state, self._fields, opened)

    def _required(self) -> Keyring:
        if self._keyring is None:
            raise ConfigurationError("no encryption key is configured (MADANG_ENCRYPTION_KEYS)")
        return self._keyring


Change = Callable[[str, Any], Any]


def _each(entries: Mapping[str, Any], names: frozenset[str], change: Change) -> dict[str, Any]:
    """A copy with `change` made to every value, at any depth, that stands under one of `names`."""
    return {
        key: change(key, value) if key in names and value is not None else _inside(value, names, change)
        for key, value in entries.items()
    }


def _inside(value: Any, names: frozenset[str], change: Change) -> Any:
    if isinstance(value, Mapping):
        return _each(value, names, change)
    return [_inside(item, names, change) for item in value] if isinstance(value, list) else value


def _aad(name: str) -> bytes:
    return b"state field " + name.encode()
