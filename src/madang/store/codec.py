"""Bytes as they are stored: compressed against a dictionary, then sealed if there is a key.

The first byte says how to read the rest, so that settings may change without rewriting what is stored.
"""

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import blake2b
from threading import get_ident
from typing import Protocol

import zstandard

from madang.errors import DecryptionFailed, InvalidInput, UnreadableData

RAW, PLAIN, STATIC, OWN, SEALED = range(5)
ADDRESS_SIZE = 16
QUICK = 3
SMALL_DICTIONARY = 65536
LARGE = 65536
READY = 32
"""Compressors kept ready, of the sessions last used: one takes a hundred times the memory of a short session."""
COMPRESSOR, DECOMPRESSOR = 1200 << 10, 200 << 10
LARGEST = 64 << 20
"""More bytes are never stored in one row, so more are never unpacked from one."""
_LEAST = 48
_MARK = b"\x00dict"
_ID = 3

# Part of the format: a change here makes stored bytes unreadable.
_STATIC = (
    b"\x95\xa9__start__\xae__pregel_tasks\xaebranch:to:\xa9langgraph.types\xa4Send"
    b"\x94\xbclangchain_core.messages.tool\xabToolMessage\x8a\xa7content\xb1additional_kwargs\x80\xb1response_metadata"
    b"\x80\xa4type\xa4tool\xa4name\xc0\xa2id\xc0\xactool_call_id\xa8artifact\xc0\xa6status\xa7success"
    b"\x94\xbelangchain_core.messages.system\xadSystemMessage\x86\xa7content"
    b"\x94\xb9langchain_core.messages.ai\xa9AIMessage\x8b\xa7content\xb1additional_kwargs\x80\xb1response_metadata\x80"
    b"\xa4type\xa2ai\xa4name\xc0\xa2id\xa7example\xc2\xaatool_calls\x90\xb2invalid_tool_calls\x90\xaeusage_metadata\xc0"
    b"\xb3model_validate_json"
    b"\x94\xbclangchain_core.messages.human\xacHumanMessage\x87\xa7content\xb1additional_kwargs\x80"
    b"\xb1response_metadata\x80\xa4type\xa5human\xa4name\xc0\xa2id\xa7example\xc2\xb3model_validate_json"
)


class Keyring(Protocol):
    """Keys for what is stored. Newer keys may be added; older ones still open what they sealed."""

    @property
    def current(self) -> str:
        """The id of the key that seals."""

    def seal(self, data: bytes, associated: bytes, /) -> bytes:
        """Encrypts and authenticates `data` together with `associated`."""

    def open(self, data: bytes, associated: bytes, /) -> bytes:
        """The opposite. Raises `DecryptionFailed`."""

    def mac(self, data: bytes, /) -> bytes:
        """A keyed hash of at least 16 bytes."""


@dataclass(frozen=True)
class Dictionary:
    """Typical content of one session, which makes what resembles it small."""

    content: bytes = field(repr=False)
    own: bool = True

    @cached_property
    def address(self) -> bytes:
        return _MARK + blake2b(self.content, digest_size=12).digest()

    @cached_property
    def header(self) -> bytes:
        return bytes([OWN]) + self.address[len(_MARK) :][:_ID] if self.own else bytes([STATIC])

    @property
    def weight(self) -> int:
        """Bytes that it takes in memory, without what is made ready to compress with it."""
        return 2 * len(self.content)

    def compress(self, data: bytes) -> bytes:
        return _compressor(self, get_ident()).compress(data)

    def decompress(self, data: bytes) -> bytes:
        return inflate(data, _decompressor(self, get_ident()))


@lru_cache(maxsize=READY)
def _compressor(dictionary: Dictionary, _thread: int) -> zstandard.ZstdCompressor:
    # A session that has a dictionary is a long one, where bytes count; a short one is about time.
    chosen = _thorough(len(dictionary.content)) if dictionary.own else _quick(len(dictionary.content))
    prepared = _prepared(dictionary)
    prepared.precompute_compress(compression_params=chosen)
    return zstandard.ZstdCompressor(compression_params=chosen, dict_data=prepared)


def _quick(size: int) -> zstandard.ZstdCompressionParameters:
    return zstandard.ZstdCompressionParameters.from_level(QUICK, dict_size=size, write_dict_id=False)


def _thorough(size: int) -> zstandard.ZstdCompressionParameters:
    """As small as level 10 makes a conversation, in 0.4 of its time: lazy matching, deeper into smaller tables."""
    tables = {"hash_log": 16, "chain_log": 16} if size <= SMALL_DICTIONARY else {"hash_log": 18, "chain_log": 17}
    return zstandard.ZstdCompressionParameters(
        window_log=18,
        search_log=4,
        min_match=5,
        target_length=16,
        strategy=zstandard.STRATEGY_LAZY,
        write_content_size=True,
        write_dict_id=False,
        **tables,
    )


@lru_cache(maxsize=READY)
def _decompressor(dictionary: Dictionary, _thread: int) -> zstandard.ZstdDecompressor:
    return zstandard.ZstdDecompressor(dict_data=_prepared(dictionary))


def _prepared(dictionary: Dictionary) -> zstandard.ZstdCompressionDict:
    return zstandard.ZstdCompressionDict(dictionary.content, dict_type=zstandard.DICT_TYPE_RAWCONTENT)


def ready_bytes() -> int:
    """About how many bytes the compressors take that are ready in this process."""
    return _compressor.cache_info().currsize * COMPRESSOR + _decompressor.cache_info().currsize * DECOMPRESSOR


BUILT_IN = Dictionary(_STATIC, own=False)


def is_dictionary(address: bytes) -> bool:
    return len(address) != ADDRESS_SIZE and address.startswith(_MARK)


def mirror(address: bytes) -> bytes:
    """Where a dictionary's second copy is: much depends on it, so one damaged row must not lose it."""
    return address + b"'"


def dictionary_range() -> tuple[bytes, bytes]:
    """The addresses between which a session's dictionaries are."""
    return _MARK, _MARK[:-1] + bytes([_MARK[-1] + 1])


def address_of(data: bytes, keyring: Keyring | None) -> bytes:
    """Where content is stored: a hash of it, keyed if there is a key, so that it tells nothing about the content."""
    if keyring is not None:
        return keyring.mac(data)[:ADDRESS_SIZE]
    return blake2b(data, digest_size=ADDRESS_SIZE).digest()


def inflate(data: bytes, decompressor: zstandard.ZstdDecompressor | None = None) -> bytes:
    """Unpacks one frame. Raises `UnreadableData` before it makes room for more than `LARGEST` bytes, or for damage."""
    try:
        size = zstandard.get_frame_parameters(data).content_size
        if size > LARGEST:
            known = "an unknown number of" if size == zstandard.CONTENTSIZE_UNKNOWN else size
            raise UnreadableData(f"stored bytes would unpack to {known} bytes, more than {LARGEST}")
        return (decompressor or zstandard.ZstdDecompressor()).decompress(data)
    except zstandard.ZstdError as error:
        raise UnreadableData(f"stored bytes are damaged: {error}") from error


def check_size(data: bytes) -> bytes:
    """`data` if it may be stored in one row. Raises `InvalidInput`."""
    if len(data) > LARGEST:
        raise InvalidInput(f"a value of {len(data)} bytes can't be stored in one piece: at most {LARGEST}")
    return data


def compress(data: bytes, dictionary: Dictionary | None) -> bytes:
    """As small as it gets. Raises `InvalidInput` for more than `LARGEST` bytes."""
    check_size(data)
    if len(data) < _LEAST:
        return b"\x00" + data
    if len(data) > LARGE:
        header, body = bytes([PLAIN]), zstandard.ZstdCompressor(level=3).compress(data)
    else:
        used = dictionary or BUILT_IN
        header, body = used.header, used.compress(data)
    return header + body if len(header) + len(body) <= len(data) else b"\x00" + data


def decompress(data: bytes, dictionaries: dict[bytes, Dictionary]) -> bytes:
    """The opposite of `compress`. Raises `UnreadableData`; `KeyError` for a dictionary that isn't loaded."""
    if not data:
        raise UnreadableData("stored bytes are missing")
    kind = data[0]
    if kind == RAW:
        return bytes(data[1:])
    if kind == PLAIN:
        return inflate(data[1:])
    if kind == STATIC:
        return BUILT_IN.decompress(data[1:])
    if kind == OWN:
        return dictionaries[bytes(data[: 1 + _ID])].decompress(data[1 + _ID :])
    raise UnreadableData(f"stored bytes are damaged or from a newer Madang (kind {kind})")


def is_genuine(stored: bytes, content: bytes, address: bytes) -> bool:
    """Whether content is what its address says. A sealed row was authenticated together with its address."""
    return stored[:1] == bytes([SEALED]) or address_of(content, None) == address


def seal(data: bytes, identity: bytes, keyring: Keyring | None) -> bytes:
    """Encrypts for one row; `identity` names the row, so that it can't be moved to another."""
    return data if keyring is None else bytes([SEALED]) + keyring.seal(data, identity)


def unseal(data: bytes, identity: bytes, keyring: Keyring | None) -> bytes:
    """The opposite of `seal`. Raises `DecryptionFailed`; with a key also for what isn't sealed."""
    sealed = bool(data) and data[0] == SEALED
    if keyring is None:
        if sealed:
            raise DecryptionFailed("the data is encrypted and no key is configured (MADANG_ENCRYPTION_KEYS)")
        return data
    if not sealed:
        raise DecryptionFailed("a stored row is not encrypted, as everything in this database is")
    return keyring.open(bytes(data[1:]), identity)
