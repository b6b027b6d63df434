"""The first schema: accounts, keys, ledger, conversions, receipts, instances."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

SEQUENCE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def only(condition: str) -> dict[str, Any]:
    """Return the condition of a partial index for both dialects."""
    return {"sqlite_where": sa.text(condition), "postgresql_where": sa.text(condition)}


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("balance", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "balance >= 0 AND balance <= 1000000000000000 AND balance = CAST(balance AS BIGINT)",
            name="ck_accounts_balance",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
        sa.UniqueConstraint("email", name="uq_accounts_email"),
    )
    op.create_table(
        "instances",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("heartbeat_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_instances"),
    )
    op.create_table(
        "api_keys",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("prefix", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("revoked_at", sa.BigInteger()),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_api_keys_account_id"),
        sa.PrimaryKeyConstraint("id", name="pk_api_keys"),
        sa.UniqueConstraint("digest", name="uq_api_keys_digest"),
    )
    op.create_index("ix_api_keys_account_id", "api_keys", ["account_id"])
    op.create_table(
        "conversions",
        sa.Column("seq", SEQUENCE, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("cache_key", sa.Text()),
        sa.Column("owner", sa.Text()),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("fresh_until", sa.BigInteger()),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("provider", sa.Text()),
        sa.Column("source_url", sa.Text()),
        sa.ForeignKeyConstraint(["owner"], ["accounts.id"], name="fk_conversions_owner"),
        sa.PrimaryKeyConstraint("seq", name="pk_conversions"),
        sa.UniqueConstraint("id", name="uq_conversions_id"),
    )
    op.create_index("ix_conversions_cache_key_seq", "conversions", ["cache_key", "seq"])
    op.create_index("ix_conversions_expires_at", "conversions", ["expires_at"])
    op.create_table(
        "ledger",
        sa.Column("seq", SEQUENCE, nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("hold_id", sa.Text()),
        sa.Column("request_id", sa.Text()),
        sa.Column("endpoint", sa.Text()),
        sa.Column("instance", sa.Text()),
        sa.Column("note", sa.Text()),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("kind IN ('grant', 'hold', 'settle', 'refund')", name="ck_ledger_kind"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_ledger_account_id"),
        sa.PrimaryKeyConstraint("seq", name="pk_ledger"),
    )
    op.create_index("uq_ledger_closing", "ledger", ["hold_id"], unique=True, **only("kind IN ('settle', 'refund')"))
    op.create_index("uq_ledger_grant", "ledger", ["request_id"], unique=True, **only("kind = 'grant'"))
    op.create_index("uq_ledger_hold", "ledger", ["hold_id"], unique=True, **only("kind = 'hold'"))
    op.create_table(
        "open_holds",
        sa.Column("hold_id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("request_id", sa.Text(), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("instance", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("amount > 0", name="ck_open_holds_amount"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_open_holds_account_id"),
        sa.PrimaryKeyConstraint("hold_id", name="pk_open_holds"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "receipts",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("request_id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text()),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_receipts_account_id"),
        sa.PrimaryKeyConstraint("id", name="pk_receipts"),
    )
    op.create_index("ix_receipts_account_id_request_id", "receipts", ["account_id", "request_id"])
    op.create_index("ix_receipts_created_at", "receipts", ["created_at"])
    op.create_table(
        "artifacts",
        sa.Column("seq", SEQUENCE, autoincrement=False, nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("markdown", sa.LargeBinary(), nullable=False),
        sa.Column("wire", sa.LargeBinary()),
        sa.Column("wire_about", sa.Text()),
        sa.Column("wire_expires_at", sa.BigInteger()),
        sa.ForeignKeyConstraint(["seq"], ["conversions.seq"], name="fk_artifacts_seq", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("seq", name="pk_artifacts"),
    )
    op.create_index("ix_artifacts_wire_expires_at", "artifacts", ["wire_expires_at"])
