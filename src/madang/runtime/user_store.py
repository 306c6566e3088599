"""A user's own part of the long-term store, as a LangGraph store: nothing in it names another user's."""

from collections.abc import Iterable
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    validate_op_namespace,
)

from madang.store.memory_filters import namespace_matches

ROOT = "store"
MOST = 100_000


class UserStore(BaseStore):
    """`store` under one owner's prefix. Namespaces are given and shown without it."""

    supports_ttl = True

    def __init__(self, store: BaseStore, owner: str) -> None:
        self._store = store
        self._prefix = (ROOT, owner)
        self.ttl_config = store.ttl_config

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        given = list(ops)
        return self._shown(given, self._store.batch(self._scoped(given)))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        given = list(ops)
        return self._shown(given, await self._store.abatch(self._scoped(given)))

    def _scoped(self, ops: list[Op]) -> list[Op]:
        return [self._scope(op) for op in ops]

    def _scope(self, op: Op) -> Op:
        validate_op_namespace(op)
        if isinstance(op, GetOp | PutOp):
            return op._replace(namespace=(*self._prefix, *op.namespace))
        if isinstance(op, SearchOp):
            return op._replace(namespace_prefix=(*self._prefix, *op.namespace_prefix))
        # Conditions and paging are applied to what is shown: a suffix must not reach into the prefix.
        return ListNamespacesOp(match_conditions=(MatchCondition("prefix", self._prefix),), limit=MOST)

    def _shown(self, ops: list[Op], results: list[Result]) -> list[Result]:
        return [self._show(op, result) for op, result in zip(ops, results, strict=True)]

    def _show(self, op: Op, result: Any) -> Any:
        if isinstance(op, ListNamespacesOp):
            return list_namespaces([space[len(self._prefix) :] for space in result], op)
        if isinstance(result, list):
            return [self._bare(item) for item in result]
        return self._bare(result) if isinstance(result, Item) else result

    def _bare(self, item: Item) -> Item:
        fields: dict[str, Any] = {name: getattr(item, name) for name in ("value", "key", "created_at", "updated_at")}
        fields["namespace"] = item.namespace[len(self._prefix) :]
        return SearchItem(**fields, score=item.score) if isinstance(item, SearchItem) else Item(**fields)


def list_namespaces(namespaces: list[tuple[str, ...]], op: ListNamespacesOp) -> list[tuple[str, ...]]:
    """The namespaces that an operation asks for."""
    kept = [space for space in namespaces if all(namespace_matches(c, space) for c in op.match_conditions or ())]
    cut = {space[: op.max_depth] if op.max_depth is not None else space for space in kept}
    return sorted(cut)[op.offset : op.offset + op.limit]
