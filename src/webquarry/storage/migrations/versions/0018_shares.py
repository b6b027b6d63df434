"""Links to shared responses."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.create_table(
        "shares",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("conversion_id", sa.Text(), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_shares_account_id"),
        sa.ForeignKeyConstraint(
            ["conversion_id"], ["conversions.id"], name="fk_shares_conversion_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_shares"),
        sa.UniqueConstraint("account_id", "conversion_id", name="uq_shares_account_id_conversion_id"),
    )
    op.create_index("ix_shares_conversion_id", "shares", ["conversion_id"])
