"""Add second factors with recovery codes, and the times when the password and second factor were entered in a
session.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    for name in ("password_at", "factor_at"):
        op.add_column("sessions", sa.Column(name, sa.BigInteger()))
    op.create_table(
        "second_factors",
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("confirmed_at", sa.BigInteger()),
        sa.Column("last_step", sa.BigInteger()),
        sa.Column("last_attempt", sa.Text()),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_second_factors_account_id"),
        sa.PrimaryKeyConstraint("account_id", name="pk_second_factors"),
    )
    op.create_table(
        "recovery_codes",
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("used_at", sa.BigInteger()),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_recovery_codes_account_id"),
        sa.PrimaryKeyConstraint("account_id", "digest", name="pk_recovery_codes"),
    )
