"""Signatures of deliveries, according to the Standard Webhooks specification (version 1: HMAC-SHA256)."""

import base64
import hashlib
import hmac
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

PREFIX: Final = "whsec_"
SECRET_BYTES: Final = 32


def make_secret(random_bytes: Callable[[int], bytes]) -> str:
    """Return a new secret, which is `whsec_` followed by 32 random bytes in base64."""
    return PREFIX + base64.b64encode(random_bytes(SECRET_BYTES)).decode()


def sign(secret: str, id: str, timestamp: int, body: bytes) -> str:
    """Return the signature of a delivery. `timestamp` is in seconds since 1970."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = hmac.new(key, b"%b.%d.%b" % (id.encode(), timestamp, body), hashlib.sha256)
    return f"v1,{base64.b64encode(signed.digest()).decode()}"


def make_headers(secrets: Sequence[str], id: str, now: datetime, body: bytes) -> dict[str, str]:
    """Return the headers that identify and sign a delivery, with one signature for each secret."""
    timestamp = int(now.timestamp())
    return {
        "webhook-id": id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(sign(secret, id, timestamp, body) for secret in secrets),
    }
