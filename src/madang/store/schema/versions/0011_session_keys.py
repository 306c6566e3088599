"""Every table of sessions has the session first in its key and in what points to it, so that it can be distributed.

An id that stands alone in an address (a run, a document, a link) is looked up in an index of its own.
"""

from importlib import import_module

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

Pointer = tuple[tuple[str, ...], str, tuple[str, ...]]
SESSIONS: Pointer = ("session_id",), "chat_sessions", ("session_id",)
RUNS: Pointer = ("session_id", "run_id"), "runs", ("session_id", "run_id")
DOCUMENTS: Pointer = ("session_id", "document_id"), "documents", ("session_id", "document_id")
MESSAGES: Pointer = ("session_id", "message_id"), "chat_messages", ("session_id", "id")
# By table, parents first: its key behind the session's id, and what it points to.
TABLES: dict[str, tuple[tuple[str, ...], list[Pointer]]] = {
    "runs": (("run_id",), [SESSIONS]),
    "run_controls": (("run_id", "idx"), [RUNS]),
    "documents": (("document_id",), [SESSIONS]),
    "document_versions": (("document_id", "version"), [DOCUMENTS]),
    "document_files": (("document_id", "version", "format"), [DOCUMENTS]),
    "attachments": (("file_id",), [SESSIONS]),
    "feedback": (("message_id",), [SESSIONS, MESSAGES]),
    "shares": (("share_hash",), [SESSIONS]),
    "webhooks": (("run_id",), [SESSIONS]),
}
# These had no session of their own: it is their parent's.
CHILDREN = {
    "run_controls": ("runs", "run_id"),
    "document_versions": ("documents", "document_id"),
    "document_files": ("documents", "document_id"),
}
LOOKUPS = {
    "runs_by_id": ("runs", ["run_id", "session_id"]),
    "documents_by_id": ("documents", ["document_id", "session_id"]),
    "shares_by_hash": ("shares", ["share_hash", "session_id"]),
}


def upgrade() -> None:
    _change(forward=True)
    for name, (table, columns) in LOOKUPS.items():
        op.create_index(name, table, columns)
    if _postgres():
        saving = import_module("madang.store.schema.versions.0006_saving_function").SAVE
        op.get_bind().exec_driver_sql(saving.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION"))


def downgrade() -> None:
    for name, (table, _) in LOOKUPS.items():
        op.drop_index(name, table)
    _change(forward=False)


def _postgres() -> bool:
    return op.get_bind().dialect.name == "postgresql"


def _change(*, forward: bool) -> None:
    if forward or not _postgres():
        op.drop_index("chat_messages_by_session", "chat_messages")
    if _postgres():
        _alter(forward=forward)
    else:
        _rebuild(forward=forward)


def _key(table: str, *, forward: bool) -> tuple[str, ...]:
    return ("session_id", *TABLES[table][0]) if forward else TABLES[table][0]


def _pointers(table: str, *, forward: bool) -> list[Pointer]:
    pointers = TABLES[table][1]
    return pointers if forward else [(here[-1:], parent, there[-1:]) for here, parent, there in pointers]


def _alter(*, forward: bool) -> None:
    for child, (parent, name) in CHILDREN.items():
        if forward:
            op.add_column(child, sa.Column("session_id", sa.Text()))
            op.execute(f"UPDATE {child} c SET session_id = p.session_id FROM {parent} p WHERE p.{name} = c.{name}")  # noqa: S608
            op.alter_column(child, "session_id", nullable=False)
    inspector = sa.inspect(op.get_bind())
    # What points to a key goes before the key does.
    for table in TABLES:
        for found in inspector.get_foreign_keys(table):
            op.drop_constraint(str(found["name"]), table)
    messages = ["session_id", "id"] if forward else ["id"]
    for table, key in {"chat_messages": messages, **{one: _key(one, forward=forward) for one in TABLES}}.items():
        op.drop_constraint(f"{table}_pkey", table)
        op.create_primary_key(f"{table}_pkey", table, list(key))
    for table in TABLES:
        for here, parent, there in _pointers(table, forward=forward):
            name = f"{table}_{here[-1]}_fkey"
            op.create_foreign_key(name, table, parent, list(here), list(there), ondelete="CASCADE")
    if not forward:
        op.create_index("chat_messages_by_session", "chat_messages", ["session_id", "id"])
        for child in CHILDREN:
            op.drop_column(child, "session_id")


def _rebuild(*, forward: bool) -> None:
    """SQLite can't change a key. The old tables go last, children first, when nothing points to them any more."""
    # The id is the row's own number here, which also the index of words goes by: it stays the primary key.
    op.create_index("chat_messages_by_session", "chat_messages", ["session_id", "id"], unique=forward)
    bind = op.get_bind()
    old = {table: sa.Table(table, sa.MetaData(), autoload_with=bind, resolve_fks=False) for table in TABLES}
    indexes = {
        table: [row[0] for row in bind.exec_driver_sql(f"SELECT sql FROM sqlite_master WHERE type = 'index' "  # noqa: S608
                f"AND sql IS NOT NULL AND tbl_name = '{table}'")]
        for table in TABLES
    }  # fmt: skip
    for table, columns in old.items():
        for index in columns.indexes:
            op.drop_index(str(index.name), table)
        op.rename_table(table, f"old_{table}")
    for table, before in old.items():
        _create(table, before, forward=forward)
        parent, name = CHILDREN.get(table, ("", ""))
        names = [
            f"o.{column.name}" for column in before.columns if forward or not parent or column.name != "session_id"
        ]
        joined = ""
        if forward and parent:
            names, joined = ["p.session_id", *names], f" JOIN old_{parent} p ON p.{name} = o.{name}"
        into = ", ".join(one[2:] for one in names)
        op.execute(f"INSERT INTO {table} ({into}) SELECT {', '.join(names)} FROM old_{table} o{joined}")  # noqa: S608
    for table in reversed(TABLES):
        op.drop_table(f"old_{table}")
        for index in indexes[table]:
            op.execute(index)


def _create(table: str, before: sa.Table, *, forward: bool) -> None:
    columns = [
        sa.Column(one.name, one.type, nullable=one.nullable, server_default=_default(one))
        for one in before.columns
        if table not in CHILDREN or one.name != "session_id"
    ]
    if forward and table in CHILDREN:
        columns.insert(0, sa.Column("session_id", sa.Text(), nullable=False))
    pointers = [
        sa.ForeignKeyConstraint(here, [f"{parent}.{one}" for one in there], ondelete="CASCADE")
        for here, parent, there in _pointers(table, forward=forward)
    ]
    op.create_table(table, *columns, sa.PrimaryKeyConstraint(*_key(table, forward=forward)), *pointers)


def _default(column: "sa.Column[object]") -> sa.TextClause | None:
    if not isinstance(column.server_default, sa.DefaultClause):
        return None
    text = str(column.server_default.arg)
    return sa.text(f"({text})" if "(" in text and not text.startswith("(") else text)
