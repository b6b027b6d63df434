"""Add sign-in (passwords, sessions, email codes and apps connected with OAuth), and expiry dates and caps of keys."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    for column in (
        sa.Column("password_hash", sa.Text()),
        sa.Column("disabled_at", sa.BigInteger()),
        sa.Column("is_admin", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("verified_at", sa.BigInteger()),
    ):
        op.add_column("accounts", column)
    for name in ("expires_at", "monthly_cap", "last_used_at"):
        op.add_column("api_keys", sa.Column(name, sa.BigInteger()))
    create_sign_in()
    create_clients()
    create_grants()


def create_sign_in() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_sessions_account_id"),
        sa.PrimaryKeyConstraint("id", name="pk_sessions"),
        sa.UniqueConstraint("digest", name="uq_sessions_digest"),
    )
    op.create_index("ix_sessions_account_id", "sessions", ["account_id"])
    op.create_index("ix_sessions_expires_at", "sessions", ["expires_at"])
    op.create_table(
        "mail_codes",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("purpose IN ('verify', 'reset')", name="ck_mail_codes_purpose"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_mail_codes_account_id"),
        sa.PrimaryKeyConstraint("digest", name="pk_mail_codes"),
    )
    op.create_index("ix_mail_codes_account_id", "mail_codes", ["account_id"])
    op.create_index("ix_mail_codes_expires_at", "mail_codes", ["expires_at"])


def create_clients() -> None:
    op.create_table(
        "oauth_clients",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("secret_digest", sa.Text()),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("fresh_until", sa.BigInteger()),
        sa.Column("used_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_oauth_clients"),
    )
    op.create_index("ix_oauth_clients_used_at", "oauth_clients", ["used_at"])


def create_grants() -> None:
    op.create_table(
        "oauth_grants",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("client_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("resource", sa.Text(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=False),
        sa.Column("revoked_at", sa.BigInteger()),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_oauth_grants_account_id"),
        sa.ForeignKeyConstraint(["client_id"], ["oauth_clients.id"], name="fk_oauth_grants_client_id"),
        sa.PrimaryKeyConstraint("id", name="pk_oauth_grants"),
    )
    op.create_index("ix_oauth_grants_account_id", "oauth_grants", ["account_id"])
    op.create_index("ix_oauth_grants_client_id", "oauth_grants", ["client_id"])
    op.create_table(
        "oauth_codes",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("client_id", sa.Text(), nullable=False),
        sa.Column("redirect_uri", sa.Text(), nullable=False),
        sa.Column("challenge", sa.Text(), nullable=False),
        sa.Column("resource", sa.Text(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("grant_id", sa.Text()),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_oauth_codes_account_id"),
        sa.ForeignKeyConstraint(["client_id"], ["oauth_clients.id"], name="fk_oauth_codes_client_id"),
        sa.ForeignKeyConstraint(["grant_id"], ["oauth_grants.id"], name="fk_oauth_codes_grant_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("digest", name="pk_oauth_codes"),
    )
    for column in ("account_id", "client_id", "expires_at", "grant_id"):
        op.create_index(f"ix_oauth_codes_{column}", "oauth_codes", [column])
    op.create_table(
        "oauth_tokens",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("grant_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("replaced_by", sa.Text()),
        sa.CheckConstraint("kind IN ('access', 'refresh')", name="ck_oauth_tokens_kind"),
        sa.ForeignKeyConstraint(["grant_id"], ["oauth_grants.id"], name="fk_oauth_tokens_grant_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("digest", name="pk_oauth_tokens"),
    )
    op.create_index("ix_oauth_tokens_grant_id", "oauth_tokens", ["grant_id"])
    op.create_index("ix_oauth_tokens_expires_at", "oauth_tokens", ["expires_at"])
