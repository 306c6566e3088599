"""Keys for tests: AES-GCM as the product uses it, with a key from a word."""

import hashlib
import hmac
import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from madang.errors import DecryptionFailed


class TestKeyring:
    """Seals with one key."""

    __test__ = False

    def __init__(self, word: str = "a key") -> None:
        self.current = "test"
        self._key = hashlib.sha256(word.encode()).digest()

    def seal(self, data: bytes, associated: bytes) -> bytes:
        nonce = os.urandom(12)
        return nonce + AESGCM(self._key).encrypt(nonce, data, associated)

    def open(self, data: bytes, associated: bytes) -> bytes:
        try:
            return AESGCM(self._key).decrypt(data[:12], data[12:], associated)
        except InvalidTag as error:
            raise DecryptionFailed from error

    def mac(self, data: bytes) -> bytes:
        return hmac.new(self._key, data, "sha256").digest()
