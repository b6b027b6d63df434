"""Add a table for each account's requests in the playground."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "playground_calls",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("file_name", sa.Text()),
        sa.Column("conversion_id", sa.Text()),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("cache", sa.Text(), nullable=False),
        sa.Column("charged", sa.BigInteger(), nullable=False),
        sa.Column("took_ms", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name="fk_playground_calls_account_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_playground_calls"),
    )
    op.create_index("ix_playground_calls_account_id_id", "playground_calls", ["account_id", "id"])
