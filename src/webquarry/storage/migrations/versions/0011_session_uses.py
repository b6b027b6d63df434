"""Add columns for each session's last use."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.add_column("sessions", sa.Column("seen_at", sa.BigInteger()))
    for name in ("device", "network"):
        op.add_column("sessions", sa.Column(name, sa.Text()))
