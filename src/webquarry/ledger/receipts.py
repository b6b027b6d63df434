"""Receipts, which state why a request failed and was refunded. They are stored by request id."""

import json
from dataclasses import asdict, dataclass
from datetime import datetime

from webquarry.core.attempt import Attempt
from webquarry.core.clock import epoch_ms, from_epoch_ms
from webquarry.storage import Operation

SWEEP_BATCH = 1000
"""Maximum number of receipts deleted in one transaction."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The reason why a request failed and was refunded."""

    request_id: str
    account_id: str
    endpoint: str
    code: str
    reason: str | None
    message: str
    attempts: tuple[Attempt, ...]
    created_at: datetime
    refunded: int | None = None
    """Refunded credits; None if the receipt is not stored yet."""


_KEEP = """
    INSERT INTO receipts (id, request_id, account_id, endpoint, code, reason, message, attempts, created_at)
    VALUES (:id, :request_id, :account_id, :endpoint, :code, :reason, :message, :attempts, :created_at)
    ON CONFLICT (id) DO NOTHING"""
_OF_REQUEST = """
    SELECT r.request_id, r.account_id, r.endpoint, code, reason, message, attempts, r.created_at, -h.amount
    FROM receipts r LEFT JOIN ledger h ON h.hold_id = r.id AND h.kind = 'hold'
    WHERE r.account_id = :account_id AND r.request_id = :request_id ORDER BY r.created_at DESC, r.id"""
_DROP = """
    DELETE FROM receipts WHERE id IN (SELECT id FROM receipts WHERE created_at <= :before LIMIT :batch)
    RETURNING id"""


def keep(hold_id: str, receipt: Receipt) -> Operation[None]:
    """Store the receipt of a refunded hold. An existing receipt is not replaced."""
    values = {
        "id": hold_id,
        "request_id": receipt.request_id,
        "account_id": receipt.account_id,
        "endpoint": receipt.endpoint,
        "code": receipt.code,
        "reason": receipt.reason,
        "message": _make_storable(receipt.message),
        "attempts": json.dumps([asdict(attempt) for attempt in receipt.attempts]),
        "created_at": epoch_ms(receipt.created_at),
    }
    yield _KEEP, values


def _make_storable(message: str) -> str:
    """Replace U+0000 and lone surrogates. Databases reject these characters, so the refund would fail."""
    return message.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


def of_request(account_id: str, request_id: str) -> Operation[list[Receipt]]:
    """Return the receipts for a request id, newest first. Callers choose request ids, so several receipts may share
    one.
    """
    rows = yield _OF_REQUEST, {"account_id": account_id, "request_id": request_id}
    return [
        Receipt(
            request_id=row[0],
            account_id=row[1],
            endpoint=row[2],
            code=row[3],
            reason=row[4],
            message=row[5],
            attempts=tuple(Attempt(**attempt) for attempt in json.loads(row[6])),
            created_at=from_epoch_ms(row[7]),
            refunded=row[8],
        )
        for row in rows
    ]


def drop(before: datetime) -> Operation[int]:
    """Delete at most one batch of receipts from `before` or earlier. Return the number of deleted receipts."""
    rows = yield _DROP, {"before": epoch_ms(before), "batch": SWEEP_BATCH}
    return len(rows)
