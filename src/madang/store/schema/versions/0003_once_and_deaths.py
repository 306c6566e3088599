"""One turn a request, one question a session, runs that go on for others, how often a run's process died in it."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

FIRST = sa.text("request_id IS NOT NULL AND continues IS NULL")
WAITING = sa.text("status = 'interrupted'")


def upgrade() -> None:
    op.add_column("runs", sa.Column("continues", sa.Text()))
    op.add_column("runs", sa.Column("deaths", sa.Integer(), nullable=False, server_default="0"))
    # Earlier versions let two runs have one request: the first keeps it.
    op.execute(
        "UPDATE runs SET request_id = request_id || '#' || run_id WHERE request_id IS NOT NULL AND EXISTS ("
        "SELECT 1 FROM runs o WHERE o.session_id = runs.session_id AND o.request_id = runs.request_id "
        "AND (o.created_at < runs.created_at OR (o.created_at = runs.created_at AND o.run_id < runs.run_id)))"
    )
    op.create_index(
        "runs_one_request",
        "runs",
        ["session_id", "request_id"],
        unique=True,
        postgresql_where=FIRST,
        sqlite_where=FIRST,
    )
    op.execute(
        "UPDATE runs SET status = 'cancelled', ended_at = updated_at WHERE status = 'interrupted' AND EXISTS ("
        "SELECT 1 FROM runs o WHERE o.session_id = runs.session_id AND o.status = 'interrupted' "
        "AND (o.created_at > runs.created_at OR (o.created_at = runs.created_at AND o.run_id > runs.run_id)))"
    )
    op.create_index(
        "runs_one_waiting", "runs", ["session_id"], unique=True, postgresql_where=WAITING, sqlite_where=WAITING
    )


def downgrade() -> None:
    raise NotImplementedError("a back-up copy is the way back")
