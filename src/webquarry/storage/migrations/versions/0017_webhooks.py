"""Add webhooks and their deliveries."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def text(name: str, *, optional: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=optional)


def number(name: str, default: int | None = None, *, optional: bool = False) -> sa.Column[int]:
    given = None if default is None else sa.text(str(default))
    return sa.Column(name, sa.BigInteger(), nullable=optional, server_default=given)


def upgrade() -> None:
    op.create_table(
        "webhooks",
        *(text(name) for name in ("id", "account_id", "url", "events", "description", "secret")),
        text("old_secret", optional=True),
        number("old_secret_until", optional=True),
        number("failures", 0),
        number("rest_until", 0),
        number("disabled_at", optional=True),
        text("disabled_reason", optional=True),
        number("created_at"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_webhooks_account_id"),
        sa.PrimaryKeyConstraint("id", name="pk_webhooks"),
    )
    op.create_index("ix_webhooks_account_id", "webhooks", ["account_id"])
    op.create_table(
        "webhook_deliveries",
        *(text(name) for name in ("id", "webhook_id", "type", "event", "state")),
        *(number(name, 0) for name in ("attempts", "failures")),
        number("status", optional=True),
        text("error", optional=True),
        number("next_at", optional=True),
        number("created_at"),
        number("ended_at", optional=True),
        sa.CheckConstraint("state IN ('waiting', 'delivered', 'failed')", name="ck_webhook_deliveries_state"),
        sa.ForeignKeyConstraint(
            ["webhook_id"], ["webhooks.id"], name="fk_webhook_deliveries_webhook_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_webhook_deliveries"),
    )
    op.create_index("ix_webhook_deliveries_webhook_id_id", "webhook_deliveries", ["webhook_id", "id"])
    is_waiting = sa.text("state = 'waiting'")
    op.create_index(
        "ix_webhook_deliveries_waiting",
        "webhook_deliveries",
        ["webhook_id", "next_at"],
        sqlite_where=is_waiting,
        postgresql_where=is_waiting,
    )
