"""Add a column for the time when a conversion's source was requested."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("conversions", sa.Column("fetched_at", sa.BigInteger()))
