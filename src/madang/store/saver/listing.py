"""The one query that is put together: pages of checkpoints by what the caller gave."""

from typing import Any

_COLUMNS = "session_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata, packed"


def listing(
    session_id: str | None,
    checkpoint_ns: str | None,
    *,
    checkpoint_id: str | None,
    before: str | None,
    after: tuple[str, str, str] | None,
    limit: int,
) -> tuple[str, dict[str, Any]]:
    """A page of checkpoints: by session and namespace, the newest first; it starts behind the row `after`."""
    params: dict[str, Any] = {"limit": limit}
    wanted = {"session_id": session_id, "checkpoint_ns": checkpoint_ns, "checkpoint_id": checkpoint_id}
    conditions = []
    for column, value in wanted.items():
        if value is not None:
            conditions.append(f"{column} = :{column}")
            params[column] = value
    if before is not None:
        conditions.append("checkpoint_id < :before")
        params["before"] = before
    if after is not None:
        params |= dict(zip(("after_session", "after_ns", "after_id"), after, strict=True))
        conditions.append(
            "(session_id > :after_session OR (session_id = :after_session AND (checkpoint_ns > :after_ns "
            "OR (checkpoint_ns = :after_ns AND checkpoint_id < :after_id))))"
        )
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    order = "ORDER BY session_id, checkpoint_ns, checkpoint_id DESC LIMIT :limit"
    return f"SELECT {_COLUMNS} FROM checkpoints {where} {order}", params  # noqa: S608
