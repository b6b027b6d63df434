"""Alembic's entry point, which writes the migrations as SQL for the dialect that `migrate.script` names."""

from alembic import context

context.configure(dialect_name=context.config.attributes["dialect"], transactional_ddl=False)
context.run_migrations()
