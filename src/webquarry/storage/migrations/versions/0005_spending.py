"""Add spending per key and month, callers in the ledger, an index of accounts' rows by time, and deletion of
accounts.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "spending",
        sa.Column("key_id", sa.Text(), nullable=False),
        sa.Column("month", sa.BigInteger(), nullable=False),
        sa.Column("spent", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("spent >= 0", name="ck_spending_spent"),
        sa.PrimaryKeyConstraint("key_id", "month", name="pk_spending"),
        sqlite_with_rowid=False,
    )
    op.add_column("accounts", sa.Column("deleted_at", sa.BigInteger()))
    op.add_column("ledger", sa.Column("key_id", sa.Text()))
    op.add_column("open_holds", sa.Column("key_id", sa.Text()))
    op.create_index("ix_ledger_account_id_created_at", "ledger", ["account_id", "created_at", "seq"])
