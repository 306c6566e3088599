"""What clients of the SDK make: assistants with versions, runs by the clock, calls when a run is over."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

JSON = postgresql.JSONB().with_variant(sa.Text(), "sqlite")
TIME = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "assistants",
        sa.Column("assistant_id", sa.Text(), primary_key=True),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("updated_at", TIME, nullable=False),
    )
    op.create_index("assistants_by_owner", "assistants", ["owner"])
    op.create_table(
        "assistant_versions",
        sa.Column(
            "assistant_id",
            sa.Text(),
            sa.ForeignKey("assistants.assistant_id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("version", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("graph_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text()),
        sa.Column("config", JSON, nullable=False),
        sa.Column("context", JSON, nullable=False),
        sa.Column("metadata", JSON, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
    )
    op.create_table(
        "crons",
        sa.Column("cron_id", sa.Text(), primary_key=True),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Integer(), sa.ForeignKey("users.id", ondelete="CASCADE")),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("session_id", sa.Text(), sa.ForeignKey("chat_sessions.session_id", ondelete="CASCADE")),
        sa.Column("assistant_id", sa.Text(), nullable=False),
        sa.Column("schedule", sa.Text(), nullable=False),
        sa.Column("timezone", sa.Text()),
        sa.Column("end_time", TIME),
        sa.Column("enabled", sa.Integer(), nullable=False),
        sa.Column("on_run_completed", sa.Text()),
        sa.Column("payload", JSON, nullable=False),
        sa.Column("metadata", JSON, nullable=False),
        sa.Column("next_run_at", TIME),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("updated_at", TIME, nullable=False),
    )
    op.create_index("crons_by_owner", "crons", ["owner"])
    op.create_index("crons_due", "crons", ["next_run_at"])
    op.create_table(
        "webhooks",
        sa.Column("run_id", sa.Text(), primary_key=True),
        sa.Column(
            "session_id", sa.Text(), sa.ForeignKey("chat_sessions.session_id", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("due_at", TIME, nullable=False),
        sa.Column("last_error", sa.Text()),
        sa.Column("created_at", TIME, nullable=False),
    )
    op.create_index("webhooks_due", "webhooks", ["due_at"])


def downgrade() -> None:
    raise NotImplementedError("a back-up copy is the way back")
