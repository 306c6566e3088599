"""AES-GCM envelopes with key ids, associated data and rotation. Never gives plaintext that isn't authentic.

Text form `mdg1:<key id>:<base64 of nonce and ciphertext>`; byte form the same, with a length before the key id.
The key id and the caller's associated data (the row's identity, the field) are authenticated with the text.
"""

import base64
import binascii
import hashlib
import hmac
import json
import os
import re
from dataclasses import dataclass, field
from typing import Any, Self

from madang.errors import ConfigurationError, DecryptionFailed

_VERSION = b"mdg1"
_PREFIX = "mdg1:"
_NONCE = 12
_TAG = 16
_KEY_ID = re.compile(r"[A-Za-z0-9_.\-]{1,32}")


def generate_key() -> str:
    """A new random key, in base64, for `Keyring.parse`."""
    return base64.b64encode(os.urandom(32)).decode()


@dataclass(frozen=True)
class Keyring:
    """Keys by id. The first is the current one and seals; all can open."""

    keys: dict[str, bytes] = field(repr=False)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Keys from `id:base64key,older:base64key`. Raises `ConfigurationError`, which never shows a key."""
        keys: dict[str, bytes] = {}
        for number, entry in enumerate(text.split(","), 1):
            key_id, _, encoded = entry.strip().partition(":")
            if not _KEY_ID.fullmatch(key_id) or key_id in keys:
                raise ConfigurationError(f"encryption key {number}: it needs an id of its own, as in id:base64key")
            keys[key_id] = _decode_key(encoded.strip(), key_id)
        return cls(keys)

    @property
    def current(self) -> str:
        """The id of the key that seals."""
        return next(iter(self.keys))

    def seal(self, data: bytes, aad: bytes) -> bytes:
        """`data` encrypted with the current key."""
        key_id = self.current.encode()
        return _VERSION + bytes([len(key_id)]) + key_id + self._encrypt(data, aad)

    def open(self, sealed: bytes, aad: bytes) -> bytes:
        """What was sealed. Raises `DecryptionFailed` for another key, other `aad`, or a changed or cut text."""
        key_id, body = _take_apart(sealed)
        return self._decrypt(key_id, body, aad)

    def mac(self, data: bytes) -> bytes:
        """A fingerprint of content that tells nothing about it without the keys.

        Made with the oldest key, so that it stays the same when a newer one is put in front.
        """
        oldest = next(reversed(self.keys.values()))
        derived = hmac.digest(oldest, b"madang address", hashlib.sha256)
        return hmac.digest(derived, data, hashlib.sha256)

    def _encrypt(self, data: bytes, aad: bytes) -> bytes:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        nonce = os.urandom(_NONCE)
        return nonce + AESGCM(self.keys[self.current]).encrypt(nonce, data, _bound(self.current, aad))

    def _decrypt(self, key_id: str, body: bytes, aad: bytes) -> bytes:
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        key = self.keys.get(key_id)
        if key is None:
            raise DecryptionFailed(f"there is no encryption key {key_id!r}", key_id=key_id)
        if len(body) < _NONCE + _TAG:
            raise DecryptionFailed("the encrypted data is cut short", key_id=key_id)
        try:
            return AESGCM(key).decrypt(body[:_NONCE], body[_NONCE:], _bound(key_id, aad))
        except InvalidTag:
            raise DecryptionFailed("the key is wrong or the encrypted data was changed", key_id=key_id) from None


def encrypt(value: Any, keyring: Keyring, aad: bytes) -> str:
    """Any JSON value as an envelope. Raises `TypeError` or `ValueError` for what JSON can't hold."""
    data = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    return f"{_PREFIX}{keyring.current}:{base64.b64encode(keyring._encrypt(data, aad)).decode()}"


def decrypt(envelope: str, keyring: Keyring, aad: bytes) -> Any:
    """The value in an envelope. Raises `DecryptionFailed` for anything but exactly what `encrypt` made."""
    key_id, body = _split(envelope)
    return json.loads(keyring._decrypt(key_id, body, aad))


def is_encrypted(value: Any) -> bool:
    """Whether it looks like an envelope."""
    return isinstance(value, str) and value.startswith(_PREFIX)


def _bound(key_id: str, aad: bytes) -> bytes:
    return _VERSION + b":" + key_id.encode() + b":" + aad


def _split(envelope: Any) -> tuple[str, bytes]:
    parts = envelope.split(":", 2) if is_encrypted(envelope) else []
    if len(parts) != 3:
        raise DecryptionFailed("this is not encrypted data")
    try:
        return parts[1], base64.b64decode(parts[2], validate=True)
    except (binascii.Error, ValueError):
        raise DecryptionFailed("the encrypted data is damaged", key_id=parts[1]) from None


def _take_apart(sealed: bytes) -> tuple[str, bytes]:
    start = len(_VERSION) + 1
    if not sealed.startswith(_VERSION) or len(sealed) < start or len(sealed) < start + sealed[start - 1]:
        raise DecryptionFailed("this is not encrypted data")
    end = start + sealed[start - 1]
    return sealed[start:end].decode("ascii", "replace"), sealed[end:]


def _decode_key(encoded: str, key_id: str) -> bytes:
    try:
        key = base64.b64decode(encoded.replace("-", "+").replace("_", "/") + "=" * (-len(encoded) % 4), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) not in (16, 24, 32):
        raise ConfigurationError(f"encryption key {key_id!r} is not 16, 24 or 32 bytes in base64")
    return key
