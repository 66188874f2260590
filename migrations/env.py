"""Runs the steps on the connection that `app.store.migrating` hands in, within its transaction and behind its lock."""

from __future__ import annotations

from alembic import context

from app.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
