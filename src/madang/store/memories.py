"""Long-term memory: LangGraph's `BaseStore` over the `memories` table, searched by filter and, if asked, by meaning."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from typing import Any, cast

from langgraph.store.base import (
    BaseStore,
    GetOp,
    IndexConfig,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
    ensure_embeddings,
    get_text_at_path,
    tokenize_path,
    validate_op_namespace,
)

from madang.errors import ConfigurationError
from madang.store.codec import Keyring
from madang.store.columns import check_text, from_json, now, timestamp, to_json
from madang.store.database import Database, Reader, Row, Transaction
from madang.store.memory_filters import matches, namespace_matches
from madang.store.sealing import seal, unseal

SEPARATOR = "."


class Memories(BaseStore):
    """Items by namespace and key. Reads of one batch see what was there before its writes.

    With `index` they are found by meaning too; raises `ConfigurationError` if numpy isn't installed for that.
    """

    supports_ttl = True

    def __init__(self, db: Database, *, index: IndexConfig | None = None, ttl: TTLConfig | None = None) -> None:
        if index and find_spec("numpy") is None:
            raise ConfigurationError("memory by meaning needs: pip install numpy")
        self._db = db
        self._sql = db.queries("memories")
        self._keyring: Keyring | None = db.keyring
        self.ttl_config = ttl
        self._embeddings = ensure_embeddings(index["embed"]) if index else None
        self._fields = list(index.get("fields") or ["$"]) if index else []

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """The synchronous form, for other threads than the database's loop, where it raises."""
        given = list(ops)
        return self._db.run_sync(lambda: self.abatch(given))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        given = list(ops)
        for op in given:
            validate_op_namespace(op)
        return await self._db.run_here(lambda: self._run(given))

    async def sweep(self) -> int:
        """Delete what has expired; how many."""
        async with self._db.transaction() as tx:
            return await tx.execute(self._sql["sweep"], {"now": now()})

    async def _run(self, ops: Sequence[Op]) -> list[Result]:
        results: list[Result] = [None] * len(ops)
        touched: list[Row] = []
        async with self._db.reader() as reader:
            for place, op in enumerate(ops):
                if isinstance(op, GetOp):
                    results[place] = await self._get(reader, op, touched)
                elif isinstance(op, SearchOp):
                    results[place] = await self._search(reader, op, touched)
                elif isinstance(op, ListNamespacesOp):
                    results[place] = await self._list_namespaces(reader, op)
        # The last of several writes to one key is the one that counts.
        puts = {(op.namespace, op.key): op for op in ops if isinstance(op, PutOp)}
        rows = await self._rows_to_put(list(puts.values()))
        if rows or touched:
            async with self._db.transaction() as tx:
                await self._refresh(tx, touched)
                for query, params in rows:
                    await tx.execute(self._sql[query], params)
        return results

    async def _get(self, reader: Reader, op: GetOp, touched: list[Row]) -> Item | None:
        params = {"namespace": SEPARATOR.join(op.namespace), "key": op.key, "now": now()}
        rows = self._open(await reader.fetch(self._sql["get_memory"], params))
        if rows and op.refresh_ttl:
            touched.append(rows[0])
        return Item(**_fields_of(rows[0])) if rows else None

    async def _search(self, reader: Reader, op: SearchOp, touched: list[Row]) -> list[SearchItem]:
        prefix = SEPARATOR.join(op.namespace_prefix)
        params = {"prefix": prefix, "low": prefix + SEPARATOR, "high": prefix + chr(ord(SEPARATOR) + 1), "now": now()}
        rows = self._open(await reader.fetch(self._sql["under"], params))
        found = [row for row in rows if not op.filter or matches(from_json(row["value"], "value"), op.filter)]
        scored: list[tuple[Row, float | None]] = [(row, None) for row in found]
        if op.query and self._embeddings:
            scored = _by_likeness(await self._embeddings.aembed_query(op.query), found)
        page = scored[op.offset : op.offset + op.limit]
        if op.refresh_ttl:
            touched.extend(row for row, _ in page)
        return [SearchItem(**_fields_of(row), score=score) for row, score in page]

    async def _list_namespaces(self, reader: Reader, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        rows = await reader.fetch(self._sql["namespaces"], {"now": now()})
        namespaces = [tuple(row["namespace"].split(SEPARATOR)) for row in rows]
        kept = [n for n in namespaces if all(namespace_matches(c, n) for c in op.match_conditions or ())]
        if op.max_depth is not None:
            kept = [n[: op.max_depth] for n in kept]
        return sorted(set(kept))[op.offset : op.offset + op.limit]

    async def _rows_to_put(self, puts: Sequence[PutOp]) -> list[tuple[str, dict[str, Any]]]:
        vectors = await self._embed(puts)
        moment = datetime.now(UTC)
        rows: list[tuple[str, dict[str, Any]]] = []
        for op, embedding in zip(puts, vectors, strict=True):
            params: dict[str, Any] = {
                "namespace": SEPARATOR.join(op.namespace),
                "key": check_text(op.key, "key"),
                "now": timestamp(moment),
            }
            if op.value is None:
                rows.append(("delete_memory", params))
                continue
            ends = timestamp(moment + timedelta(minutes=op.ttl)) if op.ttl is not None else None
            params |= {
                "value": to_json(op.value, "value"),
                "embedding": embedding,
                "ttl": op.ttl,
                "expires_at": ends,
            }
            rows.append(("put_memory", seal(self._keyring, "memories", params)))
        return rows

    def _open(self, rows: Sequence[Row]) -> list[Row]:
        return [unseal(self._keyring, "memories", row) for row in rows]

    async def _embed(self, puts: Sequence[PutOp]) -> list[bytes | None]:
        texts = [self._texts(op) for op in puts]
        flat = [text for own in texts for text in own]
        if not flat or self._embeddings is None:
            return [None] * len(puts)
        vectors = iter(await self._embeddings.aembed_documents(flat))
        return [_pack([next(vectors) for _ in own]) if own else None for own in texts]

    def _texts(self, op: PutOp) -> list[str]:
        if self._embeddings is None or op.value is None or op.index is False:
            return []
        paths = self._fields if op.index is None else op.index
        # The whole value has no path: as one, `$` would be a field of that name.
        taken = [path if path == "$" else tokenize_path(path) for path in paths]
        return [text for path in taken for text in get_text_at_path(op.value, cast(Any, path))]

    async def _refresh(self, tx: Transaction, touched: Sequence[Row]) -> None:
        moment = datetime.now(UTC)
        for row in touched:
            if row["ttl_minutes"] is not None:
                ends = timestamp(moment + timedelta(minutes=row["ttl_minutes"]))
                params = {"namespace": row["namespace"], "key": row["key"], "expires_at": ends}
                await tx.execute(self._sql["refresh"], params)


def _fields_of(row: Row) -> dict[str, Any]:
    return {
        "value": from_json(row["value"], "value"),
        "key": row["key"],
        "namespace": tuple(row["namespace"].split(SEPARATOR)),
        "created_at": datetime.fromisoformat(row["created_at"]),
        "updated_at": datetime.fromisoformat(row["updated_at"]),
    }


def _pack(vectors: Sequence[Sequence[float]]) -> bytes:
    """Vectors of one item: how many, then their numbers."""
    import numpy as np

    return len(vectors).to_bytes(4, "little") + np.asarray(vectors, dtype="<f4").tobytes()


def _by_likeness(query: Sequence[float], rows: Sequence[Row]) -> list[tuple[Row, float | None]]:
    """Rows by the cosine of their nearest vector; those without a vector, or of another model, come last."""
    import numpy as np

    wanted = np.asarray(query, dtype="<f4")
    scored: list[tuple[Row, float | None]] = []
    for row in rows:
        score = None
        packed = bytes(row["embedding"] or b"")
        count = int.from_bytes(packed[:4], "little")
        if count and len(packed) - 4 == count * wanted.size * 4:
            vectors = np.frombuffer(packed[4:], dtype="<f4").reshape(count, -1)
            lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(wanted)
            score = float(np.max(np.divide(vectors @ wanted, lengths, out=np.zeros(count), where=lengths > 0)))
        scored.append((row, score))
    return sorted(scored, key=lambda pair: -2.0 if pair[1] is None else pair[1], reverse=True)
