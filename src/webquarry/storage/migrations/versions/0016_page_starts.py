"""Add a column that records where a document's pages begin in its markdown."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.add_column("artifacts", sa.Column("page_starts", sa.LargeBinary()))
