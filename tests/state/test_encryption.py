"""Encryption: exact back with the right key and data, a clear error and no plaintext otherwise."""

import base64
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madang.errors import ConfigurationError, DecryptionFailed
from madang.state.encryption import Keyring, decrypt, encrypt, generate_key
from tests.support.strategies import json_values

NEW, OLD = (base64.b64encode(letter * 32).decode() for letter in (b"n", b"o"))
RING = Keyring.parse(f"new:{NEW}, old:{OLD}")
OLD_RING = Keyring.parse(f"old:{OLD}")


@given(json_values(), st.binary(max_size=20))
def test_any_value_comes_back(value: Any, aad: bytes) -> None:
    assert decrypt(encrypt(value, RING, aad), RING, aad) == value


@given(st.binary(), st.binary(max_size=20))
def test_any_bytes_come_back(data: bytes, aad: bytes) -> None:
    assert RING.open(RING.seal(data, aad), aad) == data


@given(st.data())
def test_a_changed_byte_is_noticed(data: st.DataObject) -> None:
    sealed = bytearray(RING.seal("주민번호".encode(), b"row 1"))
    position = data.draw(st.integers(0, len(sealed) - 1))
    sealed[position] ^= data.draw(st.integers(1, 255))
    with pytest.raises(DecryptionFailed):
        RING.open(bytes(sealed), b"row 1")


@given(st.data())
def test_a_cut_text_is_noticed(data: st.DataObject) -> None:
    sealed, envelope = RING.seal(b"secret", b""), encrypt("secret", RING, b"")
    with pytest.raises(DecryptionFailed):
        RING.open(sealed[: data.draw(st.integers(0, len(sealed) - 1))], b"")
    with pytest.raises(DecryptionFailed):
        decrypt(envelope[: data.draw(st.integers(0, len(envelope) - 1))], RING, b"")


def test_wrong_key_missing_key_and_other_data() -> None:
    envelope = encrypt({"phone": "010"}, OLD_RING, b"row 1")
    for ring, aad in (
        (Keyring.parse(f"old:{NEW}"), b"row 1"),
        (Keyring.parse(f"new:{NEW}"), b"row 1"),
        (RING, b"row 2"),
        (Keyring.parse(f"other:{OLD}"), b"row 1"),
    ):
        with pytest.raises(DecryptionFailed) as caught:
            decrypt(envelope, ring, aad)
        assert "phone" not in str(caught.value)
    renamed = envelope.replace("mdg1:old:", "mdg1:copy:")
    with pytest.raises(DecryptionFailed):
        decrypt(renamed, Keyring.parse(f"copy:{OLD}"), b"row 1")


@pytest.mark.parametrize(
    "text", ["", "plain text", "mdg1:", "mdg1:new", "mdg1:new:!!!", "mdg1:new:AAAA", "mdg2:new:AAAA"]
)
def test_what_is_no_envelope(text: str) -> None:
    with pytest.raises(DecryptionFailed):
        decrypt(text, RING, b"")


def test_rotation() -> None:
    """What an old key sealed is opened beside a new one; what is sealed now needs the new one only."""
    assert decrypt(encrypt([1], OLD_RING, b"a"), RING, b"a") == [1]
    assert RING.open(OLD_RING.seal(b"x", b"a"), b"a") == b"x"
    assert decrypt(encrypt([1], RING, b"a"), Keyring.parse(f"new:{NEW}"), b"a") == [1]
    assert Keyring.parse(f"new:{NEW}").open(RING.seal(b"x", b"a"), b"a") == b"x"


def test_the_same_text_is_never_sealed_alike() -> None:
    assert encrypt("a", RING, b"") != encrypt("a", RING, b"")


def test_a_generated_key_is_a_new_one() -> None:
    assert generate_key() != generate_key()
    assert Keyring.parse(f"a:{generate_key()}").current == "a"


def test_fingerprints_depend_on_the_oldest_key_only() -> None:
    assert RING.mac(b"a") == RING.mac(b"a") != RING.mac(b"b")
    assert RING.mac(b"a") == OLD_RING.mac(b"a")
    assert RING.mac(b"a") != Keyring.parse(f"new:{NEW}").mac(b"a")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "id",
        "id:",
        ":" + NEW,
        f"a:{NEW},a:{OLD}",
        "id:abc",
        f"a b:{NEW}",
        "id:" + base64.b64encode(b"x" * 31).decode(),
    ],
)
def test_keys_that_can_not_work(text: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        Keyring.parse(text)
    assert NEW not in str(caught.value)


def test_a_keyring_does_not_show_its_keys() -> None:
    assert NEW not in repr(RING)
    assert repr(RING.keys["new"]) not in repr(RING)
