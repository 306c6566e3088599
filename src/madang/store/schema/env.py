"""Alembic's entry point: runs the revisions on the connection that `madang.store.schema` hands it."""

from alembic import context

from madang.store.schema import VERSION_TABLE

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=None,
    version_table=VERSION_TABLE,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
