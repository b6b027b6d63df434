"""Add the audit log."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

SEQUENCE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "audit_events",
        sa.Column("seq", SEQUENCE, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("actor_role", sa.Text(), nullable=False),
        sa.Column("actor_id", sa.Text()),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("details", sa.Text(), nullable=False),
        sa.CheckConstraint("actor_role IN ('owner', 'admin', 'cli')", name="ck_audit_events_actor_role"),
        sa.PrimaryKeyConstraint("seq", name="pk_audit_events"),
        sa.UniqueConstraint("id", name="uq_audit_events_id"),
    )
    op.create_index("ix_audit_events_created_at", "audit_events", ["created_at"])
    op.create_index("ix_audit_events_account_id_seq", "audit_events", ["account_id", "seq"])
