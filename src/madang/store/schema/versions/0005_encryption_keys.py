"""The keys that ever sealed something here: by each, a word that only it opens."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "encryption_keys",
        sa.Column("key_id", sa.Text(), primary_key=True),
        sa.Column("canary", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
    )


def downgrade() -> None:
    raise NotImplementedError("a back-up copy is the way back")
