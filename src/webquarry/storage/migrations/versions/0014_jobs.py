"""Add jobs with their items, lanes and files, and the job of each hold."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def only(condition: str) -> dict[str, Any]:
    """Return the condition of a partial index for both dialects."""
    return {"sqlite_where": sa.text(condition), "postgresql_where": sa.text(condition)}


def text(name: str, *, optional: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=optional)


def number(name: str, default: int | None = None, *, optional: bool = False) -> sa.Column[int]:
    given = None if default is None else sa.text(str(default))
    return sa.Column(name, sa.BigInteger(), nullable=optional, server_default=given)


def upgrade() -> None:
    op.add_column("ledger", sa.Column("job_id", sa.Text()))
    op.add_column("open_holds", sa.Column("job_id", sa.Text()))
    op.create_index("ix_ledger_job_id", "ledger", ["job_id"], **only("job_id IS NOT NULL"))
    op.create_table(
        "jobs",
        *(text(name) for name in ("id", "account_id", "key_id", "kind", "endpoint", "shared", "options", "state")),
        *(text(name, optional=True) for name in ("reason", "name", "webhook", "idempotency_key", "digest")),
        number("max_credits", optional=True),
        number("concurrency", optional=True),
        *(number(name, 0) for name in ("spent", "items", "endings", "done", "failed", "stopped", "charged", "cached")),
        number("created_at"),
        number("served_at", 0),
        number("ended_at", optional=True),
        number("expires_at"),
        sa.CheckConstraint("state IN ('loading', 'running', 'paused', 'done', 'cancelled')", name="ck_jobs_state"),
        sa.CheckConstraint("spent >= 0 AND (max_credits IS NULL OR spent <= max_credits)", name="ck_jobs_spent"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_jobs_account_id"),
        sa.PrimaryKeyConstraint("id", name="pk_jobs"),
    )
    op.create_index("ix_jobs_account_id_id", "jobs", ["account_id", "id"])
    op.create_index("ix_jobs_expires_at", "jobs", ["expires_at"])
    op.create_index("ix_jobs_state", "jobs", ["state"], **only("state IN ('loading', 'running', 'paused')"))
    op.create_index(
        "uq_jobs_idempotency_key",
        "jobs",
        ["account_id", "idempotency_key"],
        unique=True,
        **only("idempotency_key IS NOT NULL"),
    )
    op.create_table(
        "job_items",
        text("job_id"),
        sa.Column("n", sa.BigInteger(), nullable=False, autoincrement=False),
        text("digest", optional=True),
        text("input"),
        text("lane"),
        number("place", 0),
        text("state"),
        *(number(name, 0) for name in ("attempt", "failures", "not_before")),
        number("taken_at", optional=True),
        *(text(name, optional=True) for name in ("conversion_id", "code", "reason", "message", "details")),
        *(number(name, 0) for name in ("charged", "cached")),
        number("ending", optional=True),
        number("ended_at", optional=True),
        sa.CheckConstraint("state IN ('ready', 'taken', 'done', 'failed', 'stopped')", name="ck_job_items_state"),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name="fk_job_items_job_id"),
        sa.PrimaryKeyConstraint("job_id", "n", name="pk_job_items"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_job_items_ready", "job_items", ["lane", "job_id", "place", "n"], **only("state = 'ready'"))
    op.create_index("ix_job_items_taken", "job_items", ["lane"], **only("state = 'taken'"))
    op.create_index("ix_job_items_state", "job_items", ["job_id", "state", "lane", "not_before"])
    op.create_index("uq_job_items_digest", "job_items", ["job_id", "digest"], unique=True, **only("digest IS NOT NULL"))
    op.create_index("uq_job_items_ending", "job_items", ["job_id", "ending"], unique=True, **only("ending IS NOT NULL"))
    op.create_table(
        "lanes",
        text("name"),
        *(number(name, 0) for name in ("spacing_ms", "next_start_at", "refusals")),
        sa.PrimaryKeyConstraint("name", name="pk_lanes"),
    )
