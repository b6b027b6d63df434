"""The database's tables, as one SQLAlchemy schema for both backends.

Times are milliseconds since 1970. Credits are integers. The program itself uses plain SQL; migrations are checked
against this schema.
"""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite numbers rows automatically only if the key is declared INTEGER
Sequence = BigInteger().with_variant(Integer(), "sqlite")

accounts = Table(
    "accounts",
    metadata,
    Column("id", Text, primary_key=True),
    Column("email", Text, nullable=False, unique=True),
    # the sum of the account's ledger rows; changes only in a transaction that adds a row
    Column("balance", BigInteger, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    # argon2id; null if the account was created by the operator and cannot sign in with a password
    Column("password_hash", Text),
    Column("disabled_at", BigInteger),
    Column("is_admin", Integer, nullable=False, server_default=text("0")),  # 0 or 1
    Column("verified_at", BigInteger),
    # when it is set, personal data is deleted; ledger rows are kept
    Column("deleted_at", BigInteger),
    # the owner gets an email when the balance falls below this threshold
    Column("low_balance", BigInteger),
    # id of the server's claim to send the email; null if the next alert is not yet claimed
    Column("low_balance_told", Text),
    # SQLite turns a sum beyond 64 bits into a float; grants stay below the upper bound (`ledger.MAX_CREDITS`)
    CheckConstraint(
        "balance >= 0 AND balance <= 1000000000000000 AND balance = CAST(balance AS BIGINT)", name="balance"
    ),
)
HAS_ALERT = text("low_balance IS NOT NULL")
Index("ix_accounts_low_balance", accounts.c.low_balance, sqlite_where=HAS_ALERT, postgresql_where=HAS_ALERT)

api_keys = Table(
    "api_keys",
    metadata,
    Column("id", Text, primary_key=True),
    Column("account_id", Text, ForeignKey("accounts.id"), nullable=False, index=True),
    Column("digest", Text, nullable=False, unique=True),
    Column("prefix", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("revoked_at", BigInteger),
    Column("expires_at", BigInteger),
    Column("monthly_cap", BigInteger),  # credits in a calendar month (UTC)
    Column("last_used_at", BigInteger),
)

# sessions of signed-in people; `digest` is the digest of the cookie
sessions = Table(
    "sessions",
    metadata,
    Column("id", Text, primary_key=True),
    Column("account_id", Text, ForeignKey("accounts.id"), nullable=False, index=True),
    Column("digest", Text, nullable=False, unique=True),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False, index=True),
    # when the password and code were last entered in this session; null if never, or if not yet recorded
    Column("password_at", BigInteger),
    Column("factor_at", BigInteger),
    # the last use, accurate to about a minute: its time, browser and network
    Column("seen_at", BigInteger),
    Column("device", Text),
    Column("network", Text),
)

# secrets of authenticator apps; a session of an account with a secret is valid only after a code was entered
# (`sessions.factor_at`)
second_factors = Table(
    "second_factors",
    metadata,
    Column("account_id", Text, ForeignKey("accounts.id"), primary_key=True),
    Column("secret", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("confirmed_at", BigInteger),  # null during setup
    Column("last_step", BigInteger),  # time step of the last accepted code; earlier steps are refused
    Column("last_attempt", Text),  # attempt that used the code
)

recovery_codes = Table(
    "recovery_codes",
    metadata,
    Column("account_id", Text, ForeignKey("accounts.id"), primary_key=True),
    Column("digest", Text, primary_key=True),
    Column("used_at", BigInteger),
)

passkeys = Table(
    "passkeys",
    metadata,
    Column("id", Text, primary_key=True),  # credential id in base64url
    Column("account_id", Text, ForeignKey("accounts.id"), nullable=False, index=True),
    Column("public_key", Text, nullable=False),  # COSE, in hex
    # counter of the last accepted signature; 0 if the authenticator has no counter
    Column("sign_count", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("last_used_at", BigInteger),
    Column("last_attempt", Text),  # attempt that stored the counter
)

# challenges for browsers to sign; one per browser and purpose, identified by a digest of the browser's cookie
passkey_challenges = Table(
    "passkey_challenges",
    metadata,
    Column("browser", Text, primary_key=True),
    Column("purpose", Text, primary_key=True),
    Column("challenge", Text, nullable=False),  # in hex
    Column("expires_at", BigInteger, nullable=False, index=True),
    Column("used_by", Text),  # attempt that consumed the challenge
    CheckConstraint("purpose IN ('create', 'get')", name="purpose"),
)

# digests of codes sent by email; each code proves once that the account's owner receives emails to `email`
mail_codes = Table(
    "mail_codes",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("account_id", Text, ForeignKey("accounts.id"), nullable=False, index=True),
    Column("purpose", Text, nullable=False),
    Column("email", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False, index=True),
    CheckConstraint("purpose IN ('verify', 'reset')", name="purpose"),
)

# audit events: who did what to which account; written in the action's transaction
audit_events = Table(
    "audit_events",
    metadata,
    Column("seq", Sequence, primary_key=True),
    Column("id", Text, nullable=False, unique=True),
    Column("created_at", BigInteger, nullable=False, index=True),
    Column("actor_role", Text, nullable=False),
    Column("actor_id", Text),  # null for the command line
    Column("account_id", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("details", Text, nullable=False),  # JSON object, emptied when the account is deleted
    Index("ix_audit_events_account_id_seq", "account_id", "seq"),
    CheckConstraint("actor_role IN ('owner', 'admin', 'cli')", name="actor_role"),
)

oauth_clients = Table(
    "oauth_clients",
    metadata,
    # id issued at registration, or URL of the client's metadata document
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("about", Text, nullable=False),  # the relevant metadata, as JSON
    Column("secret_digest", Text),
    Column("created_at", BigInteger, nullable=False),
    Column("fresh_until", BigInteger),  # time from which a metadata document is fetched again
    Column("used_at", BigInteger, nullable=False, index=True),
)

# an app connected to an account, with the name and address that were approved
oauth_grants = Table(
    "oauth_grants",
    metadata,
    Column("id", Text, primary_key=True),
    Column("account_id", Text, ForeignKey("accounts.id"), nullable=False, index=True),
    Column("client_id", Text, ForeignKey("oauth_clients.id"), nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("resource", Text, nullable=False),
    Column("scope", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("used_at", BigInteger, nullable=False),
    Column("revoked_at", BigInteger),
)

oauth_codes = Table(
    "oauth_codes",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("account_id", Text, ForeignKey("accounts.id"), nullable=False, index=True),
    Column("client_id", Text, ForeignKey("oauth_clients.id"), nullable=False, index=True),
    Column("redirect_uri", Text, nullable=False),
    Column("challenge", Text, nullable=False),
    Column("resource", Text, nullable=False),
    Column("scope", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False, index=True),
    # the grant for which the code was exchanged; a second exchange revokes the grant
    Column("grant_id", Text, ForeignKey("oauth_grants.id", ondelete="CASCADE"), index=True),
)

oauth_tokens = Table(
    "oauth_tokens",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("grant_id", Text, ForeignKey("oauth_grants.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("kind", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False, index=True),
    # digest of the refresh token that replaced it; using the old token again revokes the grant
    Column("replaced_by", Text),
    CheckConstraint("kind IN ('access', 'refresh')", name="kind"),
)

ledger = Table(
    "ledger",
    metadata,
    Column("seq", Sequence, primary_key=True),
    Column("account_id", Text, ForeignKey("accounts.id"), nullable=False),
    Column("kind", Text, nullable=False),
    # grant +g, hold -h, settle +(h - charged), refund +h
    Column("amount", BigInteger, nullable=False),
    Column("hold_id", Text),
    Column("request_id", Text),
    Column("endpoint", Text),
    Column("instance", Text),
    Column("note", Text),
    Column("created_at", BigInteger, nullable=False),
    Column("key_id", Text),  # the key, session or grant of the caller; null in old rows
    Column("job_id", Text),  # the job that the request belongs to
    Index("ix_ledger_account_id_created_at", "account_id", "created_at", "seq"),
    CheckConstraint("kind IN ('grant', 'hold', 'settle', 'refund')", name="kind"),
)

for name, column, kinds in (
    ("uq_ledger_grant", ledger.c.request_id, "kind = 'grant'"),
    ("uq_ledger_hold", ledger.c.hold_id, "kind = 'hold'"),
    ("uq_ledger_closing", ledger.c.hold_id, "kind IN ('settle', 'refund')"),
):
    Index(name, column, unique=True, sqlite_where=text(kinds), postgresql_where=text(kinds))
HAS_JOB = text("job_id IS NOT NULL")
Index("ix_ledger_job_id", ledger.c.job_id, sqlite_where=HAS_JOB, postgresql_where=HAS_JOB)

open_holds = Table(
    "open_holds",
    metadata,
    # deleting the row claims the right to write the hold's closing row
    Column("hold_id", Text, primary_key=True),
    Column("account_id", Text, ForeignKey("accounts.id"), nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("request_id", Text, nullable=False),
    Column("endpoint", Text, nullable=False),
    Column("instance", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("key_id", Text),
    Column("job_id", Text),
    CheckConstraint("amount > 0", name="amount"),
    sqlite_with_rowid=False,
)

# spending of each key, session or grant in a calendar month (UTC, such as 202611), including holds; changes only in the
# transaction that adds a ledger row
spending = Table(
    "spending",
    metadata,
    Column("key_id", Text, primary_key=True),
    Column("month", BigInteger, primary_key=True),
    Column("spent", BigInteger, nullable=False),
    CheckConstraint("spent >= 0", name="spent"),
    sqlite_with_rowid=False,
)

conversions = Table(
    "conversions",
    metadata,
    # orders the entries of a cache key, of which the newest is used
    Column("seq", Sequence, primary_key=True),
    Column("id", Text, nullable=False, unique=True),
    Column("endpoint", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("cache_key", Text),
    Column("owner", Text, ForeignKey("accounts.id")),
    Column("created_at", BigInteger, nullable=False),
    Column("fresh_until", BigInteger),
    Column("expires_at", BigInteger, nullable=False, index=True),
    Column("provider", Text),
    Column("source_url", Text),
    Column("fetched_at", BigInteger),
    Index("ix_conversions_cache_key_seq", "cache_key", "seq"),
)

artifacts = Table(
    "artifacts",
    metadata,
    Column("seq", Sequence, ForeignKey("conversions.seq", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    # zstd frames
    Column("data", LargeBinary, nullable=False),
    Column("markdown", LargeBinary, nullable=False),
    # where the pages of a document begin in the markdown: a JSON array as a zstd frame
    Column("page_starts", LargeBinary),
    # the wire's body as a zstd frame, and its other fields as JSON; both are deleted before the result
    Column("wire", LargeBinary),
    Column("wire_about", Text),
    Column("wire_expires_at", BigInteger, index=True),
)

# public images in results: PNG and SVG, named after their content; they outlive the results
pictures = Table(
    "pictures",
    metadata,
    Column("name", Text, primary_key=True),
    Column("body", LargeBinary, nullable=False),
    Column("expires_at", BigInteger, nullable=False, index=True),
)

receipts = Table(
    "receipts",
    metadata,
    Column("id", Text, primary_key=True),  # id of the refunded hold
    Column("request_id", Text, nullable=False),  # chosen by callers, so not unique
    Column("account_id", Text, ForeignKey("accounts.id"), nullable=False),
    Column("endpoint", Text, nullable=False),
    Column("code", Text, nullable=False),
    Column("reason", Text),
    Column("message", Text, nullable=False),
    Column("attempts", Text, nullable=False),  # JSON list of {provider, reason, ms}
    Column("created_at", BigInteger, nullable=False, index=True),
    Index("ix_receipts_account_id_request_id", "account_id", "request_id"),
)

# the latest requests of each account in the playground
playground_calls = Table(
    "playground_calls",
    metadata,
    Column("id", Text, primary_key=True),  # begins with the time
    Column("account_id", Text, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("endpoint", Text, nullable=False),
    Column("question", Text, nullable=False),
    Column("file_name", Text),
    Column("conversion_id", Text),
    Column("code", Text, nullable=False),
    Column("cache", Text, nullable=False),
    Column("charged", BigInteger, nullable=False),
    Column("took_ms", BigInteger, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Index("ix_playground_calls_account_id_id", "account_id", "id"),
)

# links to responses that accounts share; deleted with the response
shares = Table(
    "shares",
    metadata,
    Column("id", Text, primary_key=True),  # the secret in the link
    Column("account_id", Text, ForeignKey("accounts.id"), nullable=False),
    Column("conversion_id", Text, ForeignKey("conversions.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("endpoint", Text, nullable=False),
    Column("question", Text, nullable=False),  # parameters, as a URL query
    Column("created_at", BigInteger, nullable=False),
    UniqueConstraint("account_id", "conversion_id"),
)

# every request of an account; written in batches, without a reference to the account, so that no row is locked
request_log = Table(
    "request_log",
    metadata,
    Column("id", Text, primary_key=True),  # begins with the time
    Column("account_id", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("endpoint", Text, nullable=False),
    Column("params", Text, nullable=False),  # shortened, without secrets
    Column("status", BigInteger, nullable=False),
    Column("code", Text, nullable=False),
    Column("cache", Text, nullable=False),
    Column("credits", BigInteger, nullable=False),
    Column("took_ms", BigInteger, nullable=False),
    Column("request_id", Text, nullable=False),
    Column("key_id", Text, nullable=False),
    Index("ix_request_log_account_id_id", "account_id", "id"),
)

# numbers of requests that were not logged
request_log_gaps = Table(
    "request_log_gaps",
    metadata,
    Column("id", Text, primary_key=True),
    Column("account_id", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False, index=True),
    Column("requests", BigInteger, nullable=False),
    Index("ix_request_log_gaps_account_id_created_at", "account_id", "created_at"),
)

# daily figures; each server has its own rows, which are merged after the day has ended
daily_figures = Table(
    "daily_figures",
    metadata,
    Column("day", BigInteger, primary_key=True, autoincrement=False),  # proleptic Gregorian ordinal
    Column("endpoint", Text, primary_key=True),
    Column("figure", Text, primary_key=True),
    Column("writer", Text, primary_key=True),  # empty if the figures are merged
    Column("value", BigInteger, nullable=False),
)

instances = Table(
    "instances",
    metadata,
    Column("id", Text, primary_key=True),
    Column("started_at", BigInteger, nullable=False),
    Column("heartbeat_at", BigInteger, nullable=False),
)

# a request for many inputs; its counts change in the transaction that ends an item
jobs = Table(
    "jobs",
    metadata,
    Column("id", Text, primary_key=True),  # begins with the time
    Column("account_id", Text, ForeignKey("accounts.id"), nullable=False),
    Column("key_id", Text, nullable=False),
    Column("kind", Text, nullable=False),  # batch, or another kind that `webquarry.jobs.kinds` lists
    Column("endpoint", Text, nullable=False),
    Column("shared", Text, nullable=False),  # parameters of all items, as a JSON object
    Column("options", Text, nullable=False),  # options of the kind, as a JSON object
    Column("state", Text, nullable=False),
    Column("reason", Text),  # reason why the job is paused or why it ended early
    Column("name", Text),
    Column("webhook", Text),
    Column("idempotency_key", Text),
    # digest of the request, for comparison with another request that has the same idempotency key
    Column("digest", Text),
    Column("max_credits", BigInteger),
    Column("concurrency", BigInteger),  # maximum number of items that run at the same time
    # credits spent, including holds; changes only in the transaction that adds a ledger row
    Column("spent", BigInteger, nullable=False, server_default=text("0")),
    Column("items", BigInteger, nullable=False, server_default=text("0")),
    Column("endings", BigInteger, nullable=False, server_default=text("0")),  # number of the latest ending
    *(
        Column(name, BigInteger, nullable=False, server_default=text("0"))
        for name in ("done", "failed", "stopped", "charged", "cached")
    ),
    Column("created_at", BigInteger, nullable=False),
    Column("served_at", BigInteger, nullable=False, server_default=text("0")),  # time when items were last taken
    Column("ended_at", BigInteger),
    Column("expires_at", BigInteger, nullable=False, index=True),
    Index("ix_jobs_account_id_id", "account_id", "id"),
    CheckConstraint("state IN ('loading', 'running', 'paused', 'done', 'cancelled')", name="state"),
    CheckConstraint("spent >= 0 AND (max_credits IS NULL OR spent <= max_credits)", name="spent"),
)

# one input of a job; the row is authoritative, and the queue only determines which server works on its lane
job_items = Table(
    "job_items",
    metadata,
    Column("job_id", Text, ForeignKey("jobs.id"), primary_key=True),
    Column("n", BigInteger, primary_key=True, autoincrement=False),  # from 0
    Column("digest", Text),  # digest of an item that may occur only once in the job; null if the item may be repeated
    Column("input", Text, nullable=False),  # parameters, as a JSON object
    Column("lane", Text, nullable=False),
    Column("place", BigInteger, nullable=False, server_default=text("0")),  # items with lower places are taken first
    Column("state", Text, nullable=False),
    Column("attempt", BigInteger, nullable=False, server_default=text("0")),  # incremented each time the row is taken
    Column("failures", BigInteger, nullable=False, server_default=text("0")),  # number of temporary failures
    Column("not_before", BigInteger, nullable=False, server_default=text("0")),
    Column("taken_at", BigInteger),
    Column("conversion_id", Text),
    Column("code", Text),
    Column("reason", Text),
    Column("message", Text),
    Column("details", Text),  # details that the kind adds, as a JSON object
    Column("charged", BigInteger, nullable=False, server_default=text("0")),
    Column("cached", BigInteger, nullable=False, server_default=text("0")),  # 0 or 1
    Column("ending", BigInteger),  # position in the order in which items ended
    Column("ended_at", BigInteger),
    # not partial, and with all columns that counts and searches read, because SQLite would otherwise read all items of
    # the job
    Index("ix_job_items_state", "job_id", "state", "lane", "not_before"),
    CheckConstraint("state IN ('ready', 'taken', 'done', 'failed', 'stopped')", name="state"),
    sqlite_with_rowid=False,
)

for name, columns, states in (
    ("ix_job_items_ready", (job_items.c.lane, job_items.c.job_id, job_items.c.place, job_items.c.n), "= 'ready'"),
    ("ix_job_items_taken", (job_items.c.lane,), "= 'taken'"),
):
    Index(name, *columns, sqlite_where=text(f"state {states}"), postgresql_where=text(f"state {states}"))

for name, column in (("uq_job_items_digest", job_items.c.digest), ("uq_job_items_ending", job_items.c.ending)):
    IS_SET = text(f"{column.name} IS NOT NULL")
    Index(name, job_items.c.job_id, column, unique=True, sqlite_where=IS_SET, postgresql_where=IS_SET)

HAS_KEY = text("idempotency_key IS NOT NULL")
Index(
    "uq_jobs_idempotency_key",
    jobs.c.account_id,
    jobs.c.idempotency_key,
    unique=True,
    sqlite_where=HAS_KEY,
    postgresql_where=HAS_KEY,
)
IS_OPEN = text("state IN ('loading', 'running', 'paused')")
Index("ix_jobs_state", jobs.c.state, sqlite_where=IS_OPEN, postgresql_where=IS_OPEN)

# the lanes, one per upstream that items visit; only one worker at a time works on a lane
lanes = Table(
    "lanes",
    metadata,
    Column("name", Text, primary_key=True),
    Column("spacing_ms", BigInteger, nullable=False, server_default=text("0")),
    Column("next_start_at", BigInteger, nullable=False, server_default=text("0")),
    Column("refusals", BigInteger, nullable=False, server_default=text("0")),  # number of consecutive refusals
)

# URLs that accounts have chosen for their notifications
webhooks = Table(
    "webhooks",
    metadata,
    Column("id", Text, primary_key=True),
    Column("account_id", Text, ForeignKey("accounts.id"), nullable=False, index=True),
    Column("url", Text, nullable=False),
    Column("events", Text, nullable=False),  # event types, separated by spaces
    Column("description", Text, nullable=False),
    Column("secret", Text, nullable=False),  # encrypted if the operator has set a key, like the previous secret below
    Column("old_secret", Text),
    Column("old_secret_until", BigInteger),  # deliveries are signed with both secrets until then
    Column("failures", BigInteger, nullable=False, server_default=text("0")),  # number of consecutive failed attempts
    Column("rest_until", BigInteger, nullable=False, server_default=text("0")),  # nothing is sent until then
    Column("disabled_at", BigInteger),
    Column("disabled_reason", Text),
    Column("created_at", BigInteger, nullable=False),
)

# events to be sent to a webhook; written in the event's transaction
webhook_deliveries = Table(
    "webhook_deliveries",
    metadata,
    Column("id", Text, primary_key=True),  # begins with the time; sent as `webhook-id`
    Column("webhook_id", Text, ForeignKey("webhooks.id", ondelete="CASCADE"), nullable=False),
    Column("type", Text, nullable=False),
    Column("event", Text, nullable=False),  # JSON
    Column("state", Text, nullable=False),
    Column("attempts", BigInteger, nullable=False, server_default=text("0")),
    # number of failures since the delivery was last requested
    Column("failures", BigInteger, nullable=False, server_default=text("0")),
    Column("status", BigInteger),  # status of the last response
    Column("error", Text),
    Column("next_at", BigInteger),
    Column("created_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger),
    Index("ix_webhook_deliveries_webhook_id_id", "webhook_id", "id"),
    CheckConstraint("state IN ('waiting', 'delivered', 'failed')", name="state"),
)
IS_WAITING = text("state = 'waiting'")
Index(
    "ix_webhook_deliveries_waiting",
    webhook_deliveries.c.webhook_id,
    webhook_deliveries.c.next_at,
    sqlite_where=IS_WAITING,
    postgresql_where=IS_WAITING,
)
