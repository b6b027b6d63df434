"""Add columns for emails about low balances."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.add_column("accounts", sa.Column("low_balance", sa.BigInteger()))
    op.add_column("accounts", sa.Column("low_balance_told", sa.Text()))
    where = sa.text("low_balance IS NOT NULL")
    op.create_index("ix_accounts_low_balance", "accounts", ["low_balance"], sqlite_where=where, postgresql_where=where)
