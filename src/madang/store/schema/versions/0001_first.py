"""All tables of the first release.

The five tables of the seeds have the seeds' columns and keys; `session_id` ties everything to `chat_sessions`.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

BYTES = sa.LargeBinary()
JSON = postgresql.JSONB().with_variant(sa.Text(), "sqlite")
TIME = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")
BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
EMPTY_JSON = sa.text("'{}'")
NOW = sa.text("CURRENT_TIMESTAMP")


def upgrade() -> None:
    _people()
    _conversations()
    _checkpoints()
    _runs()
    _results()
    if op.get_bind().dialect.name == "postgresql":
        _keep_packed_rows_inline()


def downgrade() -> None:
    raise NotImplementedError("the first revision has nothing to go back to")


def _now() -> sa.TextClause:
    if op.get_bind().dialect.name == "sqlite":
        return sa.text("(strftime('%Y-%m-%dT%H:%M:%f000+00:00', 'now'))")
    return NOW


def _session(*, primary_key: bool = False) -> sa.Column[str]:
    return sa.Column(
        "session_id",
        sa.Text(),
        sa.ForeignKey("chat_sessions.session_id", ondelete="CASCADE"),
        primary_key=primary_key,
        nullable=False,
    )


def _people() -> None:
    op.create_table(
        "users",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=True),
        sa.Column("name", sa.Text(), nullable=False, unique=True),
        sa.Column("company_id", sa.Text(), nullable=False, server_default="sample"),
        sa.Column("role", sa.Text(), nullable=False, server_default="user"),
        sa.Column("metadata", JSON, nullable=False, server_default=EMPTY_JSON),
        sa.Column("created_at", TIME, nullable=False, server_default=_now()),
        sa.Column("revoked_at", TIME),
    )
    op.create_table(
        "api_keys",
        sa.Column("key_id", sa.Text(), primary_key=True),
        sa.Column("user_id", sa.Integer(), sa.ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
        sa.Column("name", sa.Text(), nullable=False, server_default=""),
        sa.Column("key_hash", sa.Text(), nullable=False, unique=True),
        sa.Column("scopes", JSON, nullable=False, server_default=sa.text("'[]'")),
        sa.Column("created_at", TIME, nullable=False, server_default=_now()),
        sa.Column("last_used_at", TIME),
        sa.Column("expires_at", TIME),
        sa.Column("revoked_at", TIME),
    )
    op.create_table(
        "memories",
        sa.Column("namespace", sa.Text(), primary_key=True),
        sa.Column("key", sa.Text(), primary_key=True),
        sa.Column("user_id", sa.Text(), index=True),
        sa.Column("value", JSON, nullable=False),
        sa.Column("embedding", BYTES),
        sa.Column("created_at", TIME, nullable=False, server_default=_now()),
        sa.Column("updated_at", TIME, nullable=False, server_default=_now()),
        sa.Column("expires_at", TIME),
    )


def _conversations() -> None:
    op.create_table(
        "chat_sessions",
        sa.Column("session_id", sa.Text(), primary_key=True),
        sa.Column("user_id", sa.Integer(), sa.ForeignKey("users.id", ondelete="SET NULL")),
        sa.Column("assistant", sa.Text()),
        sa.Column("title", sa.Text()),
        sa.Column("message_count", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("last_message", sa.Text()),
        sa.Column("parent_session_id", sa.Text()),
        sa.Column("status", sa.Text(), nullable=False, server_default="idle"),
        sa.Column("metadata", JSON, nullable=False, server_default=EMPTY_JSON),
        sa.Column("last_seq", BIG, nullable=False, server_default="0"),
        sa.Column("created_at", TIME, nullable=False, server_default=_now()),
        sa.Column("updated_at", TIME, nullable=False, server_default=_now()),
    )
    op.create_index("chat_sessions_listing", "chat_sessions", ["user_id", "assistant", "updated_at", "session_id"])
    op.create_index("chat_sessions_recent", "chat_sessions", ["updated_at", "session_id"])
    op.create_table(
        "chat_messages",
        sa.Column("id", BIG, primary_key=True, autoincrement=True),
        _session(),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("structured_data", JSON),
        sa.Column("request_id", sa.Text()),
        sa.Column("run_id", sa.Text()),
        sa.Column("created_at", TIME, nullable=False, server_default=_now()),
    )
    op.create_index("chat_messages_by_session", "chat_messages", ["session_id", "id"])


def _checkpoints() -> None:
    op.create_table(
        "checkpoints",
        _session(primary_key=True),
        sa.Column("checkpoint_ns", sa.Text(), primary_key=True, server_default=""),
        sa.Column("checkpoint_id", sa.Text(), primary_key=True),
        sa.Column("parent_checkpoint_id", sa.Text()),
        sa.Column("type", sa.Text()),
        sa.Column("checkpoint", JSON, nullable=False),
        sa.Column("metadata", JSON, nullable=False, server_default=EMPTY_JSON),
        sa.Column("packed", BYTES),
        sqlite_with_rowid=False,
    )
    run_id = "json_extract(metadata, '$.run_id')" if op.get_bind().dialect.name == "sqlite" else "(metadata->>'run_id')"
    op.execute(f"CREATE INDEX checkpoints_by_run ON checkpoints ({run_id}) WHERE {run_id} IS NOT NULL")
    op.create_table(
        "checkpoint_blobs",
        _session(primary_key=True),
        sa.Column("checkpoint_ns", sa.Text(), primary_key=True, server_default=""),
        sa.Column("channel", sa.Text(), primary_key=True),
        sa.Column("version", sa.Text(), primary_key=True),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("blob", BYTES),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "checkpoint_writes",
        _session(primary_key=True),
        sa.Column("checkpoint_ns", sa.Text(), primary_key=True, server_default=""),
        sa.Column("checkpoint_id", sa.Text(), primary_key=True),
        sa.Column("task_id", sa.Text(), primary_key=True),
        sa.Column("idx", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("type", sa.Text()),
        sa.Column("blob", BYTES),
        sa.Column("task_path", sa.Text(), nullable=False, server_default=""),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "chunks",
        _session(primary_key=True),
        sa.Column("address", BYTES, primary_key=True),
        sa.Column("data", BYTES, nullable=False),
    )


def _runs() -> None:
    op.create_table(
        "runs",
        sa.Column("run_id", sa.Text(), primary_key=True),
        _session(),
        sa.Column("assistant", sa.Text()),
        sa.Column("status", sa.Text(), nullable=False, server_default="queued"),
        sa.Column("input", JSON),
        sa.Column("request_id", sa.Text()),
        sa.Column("kwargs", JSON, nullable=False, server_default=EMPTY_JSON),
        sa.Column("metadata", JSON, nullable=False, server_default=EMPTY_JSON),
        sa.Column("multitask_strategy", sa.Text()),
        sa.Column("owner_host", sa.Text()),
        sa.Column("owner_pid", sa.Integer()),
        sa.Column("owner_id", sa.Text()),
        sa.Column("lease_until", TIME),
        sa.Column("fence", BIG, nullable=False, server_default="0"),
        sa.Column("attempts", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("error", JSON),
        sa.Column("result", JSON),
        sa.Column("usage", JSON),
        sa.Column("created_at", TIME, nullable=False, server_default=_now()),
        sa.Column("updated_at", TIME, nullable=False, server_default=_now()),
        sa.Column("started_at", TIME),
        sa.Column("ended_at", TIME),
    )
    op.create_index("runs_by_session", "runs", ["session_id", "created_at"])
    op.create_index(
        "runs_open",
        "runs",
        ["status", "lease_until"],
        postgresql_where=sa.text("status IN ('queued', 'running')"),
        sqlite_where=sa.text("status IN ('queued', 'running')"),
    )
    op.create_table(
        "run_events",
        _session(primary_key=True),
        sa.Column("seq", BIG, primary_key=True, autoincrement=False),
        sa.Column("run_id", sa.Text()),
        sa.Column("key", sa.Text()),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("frame", JSON, nullable=False),
        sa.Column("created_at", TIME, nullable=False, server_default=_now()),
        sa.UniqueConstraint("session_id", "run_id", "key", name="run_events_once"),
        sqlite_with_rowid=False,
    )


def _results() -> None:
    op.create_table(
        "documents",
        sa.Column("document_id", sa.Text(), primary_key=True),
        _session(),
        sa.Column("run_id", sa.Text()),
        sa.Column("step_id", sa.Text()),
        sa.Column("assistant", sa.Text()),
        sa.Column("kind", sa.Text()),
        sa.Column("title", sa.Text()),
        sa.Column("content", JSON, nullable=False),
        sa.Column("metadata", JSON, nullable=False, server_default=EMPTY_JSON),
        sa.Column("created_at", TIME, nullable=False, server_default=_now()),
        sa.Column("updated_at", TIME, nullable=False, server_default=_now()),
    )
    op.create_index("documents_by_session", "documents", ["session_id", "created_at"])
    op.create_table(
        "blobs",
        _session(primary_key=True),
        sa.Column("blob_id", sa.Text(), primary_key=True),
        sa.Column("media_type", sa.Text()),
        sa.Column("size", BIG, nullable=False),
        sa.Column("summary", JSON),
        sa.Column("data", BYTES, nullable=False),
        sa.Column("created_at", TIME, nullable=False, server_default=_now()),
    )


def _keep_packed_rows_inline() -> None:
    """Our bytes are compressed already, and a row of a few kB costs less in its page than beside it."""
    for table, column in (
        ("chunks", "data"),
        ("checkpoint_blobs", "blob"),
        ("checkpoint_writes", "blob"),
        ("checkpoints", "packed"),
        ("blobs", "data"),
    ):
        op.execute(f"ALTER TABLE {table} ALTER COLUMN {column} SET STORAGE EXTERNAL")
        op.execute(f"ALTER TABLE {table} SET (toast_tuple_target = 8160)")
    for table in ("checkpoints", "checkpoint_writes", "chunks"):
        # Their keys grow with time, so there is nothing to leave room for.
        op.execute(f"ALTER INDEX {table}_pkey SET (fillfactor = 100)")
