"""A user is an issuer and a subject: the users of an identity provider are nobody of the same name of ours."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("users", sa.Column("issuer", sa.Text(), nullable=False, server_default=""))
    op.add_column("users", sa.Column("subject", sa.Text()))
    dialect = op.get_bind().dialect.name
    issuer = "metadata ->> 'issuer'" if dialect == "postgresql" else "json_extract(metadata, '$.issuer')"
    op.execute(f"UPDATE users SET subject = name, issuer = coalesce({issuer}, '')")  # noqa: S608
    op.execute("UPDATE users SET name = issuer || '#' || subject WHERE issuer <> ''")
    op.create_index("users_by_subject", "users", ["issuer", "subject"], unique=True)


def downgrade() -> None:
    raise NotImplementedError("a back-up copy is the way back")
