"""What the copies of a saver share (LangGraph copies savers shallowly): database, caches, the queue of writes."""

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, TypeVar

from langgraph.checkpoint.serde.base import SerializerProtocol

from madang.errors import UnreadableData
from madang.store import codec
from madang.store.codec import Dictionary
from madang.store.database import Database
from madang.store.flusher import Flusher
from madang.store.saver.caches import Head, Recent, SessionState, ShapeKey
from madang.store.saver.events import CommitEvent, Listener
from madang.store.saver.frames import VersionClock
from madang.store.saver.messages import Frozen, freeze
from madang.store.saver.pasts import Followed, OnTheWay
from madang.store.saver.recipes import load
from madang.store.saver.rows import Batch, ChunkRow, Shelf, keys_of
from madang.store.saver.shapes import Shape

logger = logging.getLogger(__name__)
T = TypeVar("T")

MEMORY = 48 << 20
SESSION_MEMORY = 16 << 20
HEADS, SHAPES, PASTS = 8 << 20, 12 << 20, 8 << 20
_PACKED = 16
_EXTENSIONS = (0xC7, 0xC8, 0xC9)
_MESSAGES = b"langchain_core.messages."


class MissingDictionary(UnreadableData):
    """Bytes that need a dictionary which isn't known here; another process may have made it meanwhile."""


class Core:
    """Rows in, rows out, for any number of sessions at once."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.keyring: codec.Keyring | None = database.keyring
        self.shelf = _shelf(database)
        self.flusher = Flusher(
            self.shelf.save, lanes=self.shelf.lanes, keys=keys_of, save_at_once=self.shelf.save_at_once
        )
        self.clock = VersionClock()
        self.heads: Recent[tuple[str, str], Head] = Recent(HEADS)
        self.shapes: Recent[ShapeKey, Shape] = Recent(SHAPES)
        self.pasts: Recent[ShapeKey, Any] = Recent(PASTS)
        self.on_the_way = OnTheWay()
        self.listeners: list[Listener] = []
        self._sessions: Recent[str, SessionState] = Recent(MEMORY)

    def sizes(self) -> dict[str, int]:
        """Bytes in each cache, as they are estimated for its limit."""
        return {
            "sessions": self._sessions.total,
            "heads": self.heads.total,
            "shapes": self.shapes.total,
            "histories": self.pasts.total,
            "compressors": codec.ready_bytes(),
        }

    def address(self, raw: bytes) -> bytes:
        return codec.address_of(raw, self.keyring)

    async def state(self, session_id: str) -> SessionState:
        """What is known of a session; its dictionaries are read the first time."""
        state = self._sessions.get(session_id)
        if state is not None and state.weighed > SESSION_MEMORY and not state.making:
            state = state.renewed()
            self.weigh(session_id, state)
        if state is not None:
            return state
        state = SessionState()
        for dictionary in _dictionaries(session_id, await self.shelf.dictionaries(session_id), self.keyring):
            state.adopt(dictionary)
        other = self._sessions.get(session_id)
        if other is not None:
            return other
        self._sessions.put(session_id, state, state.weight)
        return state

    def begin(self, session_id: str) -> None:
        """A session without a checkpoint has no dictionaries to read."""
        if self._sessions.get(session_id) is None:
            state = SessionState()
            self._sessions.put(session_id, state, state.weight)

    async def informed(self, session_id: str, call: Callable[[], Awaitable[T]]) -> T:
        """Runs what reads, once more if it met bytes that another process stored with a dictionary of its own.

        Raises `UnreadableData` for what is nested too deeply to be followed.
        """
        try:
            try:
                return await call()
            except MissingDictionary:
                if not await self._learn(session_id, await self.state(session_id)):
                    raise
            return await call()
        except RecursionError as error:
            raise UnreadableData(
                f"session {session_id}: a value is nested too deeply", session_id=session_id
            ) from error

    async def _learn(self, session_id: str, state: SessionState) -> bool:
        stored = _dictionaries(session_id, await self.shelf.dictionaries(session_id), self.keyring)
        fresh = [dictionary for dictionary in stored if dictionary.header not in state.dictionaries]
        for dictionary in fresh:
            state.adopt(dictionary)
        return bool(fresh)

    def followed(self, session_id: str, checkpoint_ns: str, checkpoint_id: str) -> Followed:
        """What is followed of a checkpoint that is the newest or is about to be."""
        head = self.heads.get((session_id, checkpoint_ns))
        if head is not None and head.checkpoint_id == checkpoint_id:
            return head.followed
        if head is not None and checkpoint_id < head.checkpoint_id:
            return Followed()
        channels = head.followed.channels if head is not None else ()
        return self.on_the_way.of((session_id, checkpoint_ns, checkpoint_id), channels)

    def weigh(self, session_id: str, state: SessionState) -> None:
        """Lets the caches forget others if this session has grown."""
        weight = state.weight
        if state.weighed == weight and self._sessions.get(session_id) is state:
            return
        state.weighed = weight
        self._sessions.put(session_id, state, weight)

    def forget(self, session_ids: Iterable[str]) -> None:
        """Drops all that is cached of sessions that were changed in place."""
        for session_id in session_ids:
            self._sessions.drop(session_id)
        self.heads.clear()
        self.shapes.clear()
        self.pasts.clear()

    def protect(self, state: SessionState, raw: bytes, *identity: str | bytes) -> bytes:
        """Bytes as they are stored in the row that `identity` names."""
        packed = codec.compress(raw, state.current)
        return packed if self.keyring is None else codec.seal(packed, row_identity(identity), self.keyring)

    def reveal(self, state: SessionState, data: bytes, *identity: str | bytes) -> bytes:
        """The opposite of `protect`. Raises `UnreadableData` or `DecryptionFailed`."""
        opened = codec.unseal(data, row_identity(identity), self.keyring)
        try:
            return codec.decompress(opened, state.dictionaries)
        except KeyError:
            raise MissingDictionary("the dictionary that these bytes need is missing") from None

    def chunk_row(self, state: SessionState, session_id: str, address: bytes, raw: bytes) -> ChunkRow:
        """A chunk as it is stored. A superstep's writes and its checkpoint hold the same ones: packed once."""
        data = state.packed.get(address)
        if data is None:
            data = self.protect(state, raw, session_id, address)
            if len(state.packed) >= _PACKED:
                state.packed.clear()
            state.packed[address] = data
        return ChunkRow(session_id, address, data)

    def remember(self, state: SessionState, serde: SerializerProtocol, address: bytes, raw: bytes) -> None:
        """Keeps content ready; a message in the form that is copied quickly."""
        if address not in state.chunks:
            state.keep(address, _ready(serde, raw) or raw, raw)

    async def read_chunks(
        self, state: SessionState, serde: SerializerProtocol, session_id: str, addresses: Iterable[bytes]
    ) -> set[bytes]:
        """Makes content available in `state.chunks`; returns the addresses that are missing or damaged."""
        missing = [address for address in dict.fromkeys(addresses) if address not in state.chunks]
        if not missing:
            return set()
        found = await self.shelf.chunks(session_id, missing)
        bad: set[bytes] = set()
        for address in missing:
            try:
                raw = await self._content(state, session_id, address, found[address])
            except (KeyError, UnreadableData):
                bad.add(address)
                continue
            if not codec.is_genuine(found[address], raw, address):
                bad.add(address)
                continue
            self.remember(state, serde, address, raw)
        self.weigh(session_id, state)
        return bad

    async def _content(self, state: SessionState, session_id: str, address: bytes, data: bytes) -> bytes:
        try:
            return self.reveal(state, data, session_id, address)
        except MissingDictionary:
            if not await self._learn(session_id, state):
                raise
        return self.reveal(state, data, session_id, address)

    async def store(self, state: SessionState, batch: Batch) -> None:
        """Commits a batch, with a new dictionary if it is time for one. Raises `Fenced`, `Stale`, …"""
        dictionary = state.next_dictionary()
        if dictionary is None:
            await self.flusher.store(batch)
            return
        state.making = True
        try:
            batch.chunks += self._dictionary_rows(batch.session_id, dictionary)
            await self.flusher.store(batch)
            state.adopt(dictionary)
        finally:
            state.making = False

    def _dictionary_rows(self, session_id: str, dictionary: Dictionary) -> list[ChunkRow]:
        packed = codec.compress(dictionary.content, None)
        address = dictionary.address
        return [
            ChunkRow(session_id, place, codec.seal(packed, row_identity((session_id, place)), self.keyring))
            for place in (address, codec.mirror(address))
        ]

    async def announce(self, event: CommitEvent) -> None:
        """Tells the listeners. What is committed stays so: a listener's failure is logged, not raised."""
        for listener in list(self.listeners):
            try:
                told = listener(event)
                if inspect.isawaitable(told):
                    await told
            except asyncio.CancelledError:
                raise
            except Exception:
                logger.exception("a commit listener failed", extra={"session_id": event.session_id})


def row_identity(parts: Sequence[str | bytes]) -> bytes:
    """Names one row, without two rows ever having one name."""
    encoded = [part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass") for part in parts]
    return b"".join(len(part).to_bytes(4, "big") + part for part in encoded)


def _ready(serde: SerializerProtocol, raw: bytes) -> Frozen | None:
    # Anything else is decoded when it is asked for: plain data quickly, other types under the reader's own policy.
    if raw[0] not in _EXTENSIONS or _MESSAGES not in raw[:40]:
        return None
    try:
        return freeze(load(serde, raw), len(raw))
    except UnreadableData:
        return None


def _dictionaries(session_id: str, rows: list[tuple[bytes, bytes]], keyring: codec.Keyring | None) -> list[Dictionary]:
    """A session's dictionaries, oldest generation first: each is larger than the one before or as large."""
    found: dict[bytes, Dictionary] = {}
    for place, data in rows:
        try:
            content = codec.decompress(codec.unseal(data, row_identity((session_id, place)), keyring), {})
        except UnreadableData:
            continue
        dictionary = Dictionary(content)
        if place in (dictionary.address, codec.mirror(dictionary.address)):
            found[dictionary.address] = dictionary
    return sorted(found.values(), key=lambda dictionary: len(dictionary.content))


def _shelf(database: Database) -> Shelf:
    if database.dialect == "sqlite":
        from madang.store.database_sqlite import SqliteDatabase
        from madang.store.saver.shelf_sqlite import SqliteShelf

        assert isinstance(database, SqliteDatabase)
        return SqliteShelf(database)
    from madang.store.database_postgres import PostgresDatabase
    from madang.store.saver.shelf_postgres import PostgresShelf

    assert isinstance(database, PostgresDatabase)
    return PostgresShelf(database)
