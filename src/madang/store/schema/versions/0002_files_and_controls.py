"""Files of documents by version and format, control records of runs, one running run a session, lives of memories."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

JSON = postgresql.JSONB().with_variant(sa.Text(), "sqlite")
TIME = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")
RUNNING = sa.text("status = 'running'")


def upgrade() -> None:
    op.add_column("documents", sa.Column("user_id", sa.Integer()))
    op.add_column("documents", sa.Column("company_id", sa.Text()))
    op.add_column("documents", sa.Column("version", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("memories", sa.Column("ttl_minutes", sa.Float()))
    op.create_index("documents_by_user", "documents", ["user_id", "created_at"])
    op.create_index("documents_by_company", "documents", ["company_id", "created_at"])
    op.create_table(
        "document_versions",
        _document(),
        sa.Column("version", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("title", sa.Text()),
        sa.Column("content", JSON, nullable=False),
        sa.Column("metadata", JSON, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
    )
    op.create_table(
        "document_files",
        _document(),
        sa.Column("version", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("format", sa.Text(), primary_key=True),
        sa.Column("data", sa.LargeBinary(), nullable=False),
    )
    op.create_table(
        "run_controls",
        sa.Column("run_id", sa.Text(), sa.ForeignKey("runs.run_id", ondelete="CASCADE"), primary_key=True),
        sa.Column("idx", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("data", JSON, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
    )
    # Earlier versions kept a document's only version in its own row, and let several runs of a session run at once.
    op.execute(
        "INSERT INTO document_versions (document_id, version, title, content, metadata, created_at) "
        "SELECT document_id, version, title, content, metadata, updated_at FROM documents"
    )
    op.execute(
        "UPDATE runs SET status = 'queued', lease_until = NULL WHERE status = 'running' AND EXISTS ("
        "SELECT 1 FROM runs o WHERE o.session_id = runs.session_id AND o.status = 'running' "
        "AND (o.created_at > runs.created_at OR (o.created_at = runs.created_at AND o.run_id > runs.run_id)))"
    )
    op.create_index(
        "runs_one_running", "runs", ["session_id"], unique=True, postgresql_where=RUNNING, sqlite_where=RUNNING
    )
    op.create_index("chat_messages_by_run", "chat_messages", ["run_id"])


def downgrade() -> None:
    raise NotImplementedError("a back-up copy is the way back")


def _document() -> sa.Column[str]:
    return sa.Column(
        "document_id",
        sa.Text(),
        sa.ForeignKey("documents.document_id", ondelete="CASCADE"),
        primary_key=True,
        nullable=False,
    )
