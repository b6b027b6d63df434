"""One-time codes of authenticator apps (RFC 6238: 6 digits, 30 seconds, SHA-1) and recovery codes. Pure functions."""

import base64
import hmac
from collections.abc import Callable
from datetime import datetime

import pyotp

DIGITS = 6
STEP_S = 30
SKEW = 1
"""Maximum difference between a phone's clock and the server's, in time steps."""
SECRET_BYTES = 20
RECOVERY_CODES = 10
_RECOVERY_BYTES = 10
_RECOVERY_LETTERS = 16
MAX_CODE = 64
"""Maximum number of input characters read as a code."""


def make_secret(random_bytes: Callable[[int], bytes]) -> str:
    """Return a new secret of 160 bits in base32, the form that authenticator apps accept."""
    return base64.b32encode(random_bytes(SECRET_BYTES)).decode()


def write_address(secret: str, email: str, issuer: str) -> str:
    """Return the `otpauth://` URL that an authenticator app reads from a QR code."""
    return pyotp.TOTP(secret, digits=DIGITS, interval=STEP_S).provisioning_uri(name=email, issuer_name=issuer)


def make_code(secret: str, step: int) -> str:
    """Return the code for a time step, which is the number of 30-second intervals since 1970."""
    return pyotp.TOTP(secret, digits=DIGITS, interval=STEP_S).generate_otp(step)


def step_of(now: datetime) -> int:
    """Return the time step that contains an instant."""
    return int(now.timestamp()) // STEP_S


def find_step(secret: str, code: str, now: datetime) -> int | None:
    """Return the time step of this code, among the current one and its neighbors, or None for a wrong code.

    All steps are compared, each in constant time.
    """
    present, found = step_of(now), None
    for step in range(present - SKEW, present + SKEW + 1):
        if hmac.compare_digest(make_code(secret, step), code):
            found = step
    return found


def read_code(text: str) -> str:
    """Normalize a code: remove spaces and hyphens and convert to lower case."""
    return "".join(each for each in text[:MAX_CODE] if not each.isspace() and each != "-").lower()


def is_app_code(code: str) -> bool:
    """Return whether a code has the form of an app's code rather than a recovery code."""
    return len(code) == DIGITS and code.isascii() and code.isdigit()


def make_recovery_codes(random_bytes: Callable[[int], bytes]) -> list[str]:
    """Return ten new codes of 80 random bits, such as `k3ft-w2ha-7ozn-c5qe`."""
    emails = [base64.b32encode(random_bytes(_RECOVERY_BYTES)).decode().lower() for _ in range(RECOVERY_CODES)]
    return ["-".join(each[start : start + 4] for start in range(0, _RECOVERY_LETTERS, 4)) for each in emails]
