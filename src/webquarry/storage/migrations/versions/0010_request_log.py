"""Add the accounts' request log."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

NUMBERS = ("created_at", "status", "credits", "took_ms")


def upgrade() -> None:
    names = [
        "account_id",
        "created_at",
        "endpoint",
        "params",
        "status",
        "code",
        "cache",
        "credits",
        "took_ms",
        "request_id",
        "key_id",
    ]
    op.create_table(
        "request_log",
        sa.Column("id", sa.Text(), nullable=False),
        *(sa.Column(name, sa.BigInteger() if name in NUMBERS else sa.Text(), nullable=False) for name in names),
        sa.PrimaryKeyConstraint("id", name="pk_request_log"),
    )
    op.create_index("ix_request_log_account_id_id", "request_log", ["account_id", "id"])
    op.create_table(
        "request_log_gaps",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("requests", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_request_log_gaps"),
    )
    op.create_index("ix_request_log_gaps_created_at", "request_log_gaps", ["created_at"])
    op.create_index("ix_request_log_gaps_account_id_created_at", "request_log_gaps", ["account_id", "created_at"])
