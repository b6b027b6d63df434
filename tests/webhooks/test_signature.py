"""Signatures of deliveries, compared with another implementation of the specification."""

import base64
import hashlib
import hmac
from datetime import UTC, datetime

import pytest
import standardwebhooks
from hypothesis import given
from hypothesis import strategies as st

from webquarry.webhooks.signature import SECRET_BYTES, make_headers, make_secret, sign


def test_the_vector_of_the_specification_is_verified() -> None:
    """The example in the specification's libraries."""
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"  # published
    body = b'{"test": 2432232314}'
    signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert sign(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body) == signature


@given(st.binary(min_size=SECRET_BYTES, max_size=SECRET_BYTES), st.text(max_size=200))
def test_the_public_library_accepts_each_delivery(key: bytes, text: str) -> None:
    secret, body = make_secret(lambda _size: key), text.encode("utf-8", "replace")
    headers = make_headers([secret], "msg_1", datetime.now(UTC), body)
    standardwebhooks.Webhook(secret).verify(body, headers, json_parse=False)


def test_both_secrets_are_valid_during_a_rotation() -> None:
    new, old, other = (make_secret(lambda size, at=at: bytes([at]) * size) for at in range(3))  # type: ignore[misc]
    headers = make_headers([new, old], "msg_1", datetime.now(UTC), b"{}")
    assert headers["webhook-signature"].count("v1,") == 2
    standardwebhooks.Webhook(new).verify(b"{}", headers)
    standardwebhooks.Webhook(old).verify(b"{}", headers)
    with pytest.raises(standardwebhooks.WebhookVerificationError):
        standardwebhooks.Webhook(other).verify(b"{}", headers)
    with pytest.raises(standardwebhooks.WebhookVerificationError):
        standardwebhooks.Webhook(new).verify(b"[]", headers)


def test_a_secret_has_its_prefix_and_256_bits() -> None:
    secret = make_secret(lambda size: b"\xff" * size)
    assert secret.startswith("whsec_")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    assert len(key) == 32
    expected = base64.b64encode(hmac.new(key, b"msg_1.0.{}", hashlib.sha256).digest()).decode()
    assert sign(secret, "msg_1", 0, b"{}") == f"v1,{expected}"
