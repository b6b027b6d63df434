"""Add a table for daily figures."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.create_table(
        "daily_figures",
        sa.Column("day", sa.BigInteger(), nullable=False, autoincrement=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("endpoint", "figure", "writer")),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("day", "endpoint", "figure", "writer", name="pk_daily_figures"),
    )
