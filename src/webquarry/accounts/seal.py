"""Encrypts secrets that the database keeps and the server has to read again, where the operator has set a key."""

import base64
import hashlib

from cryptography.fernet import Fernet, InvalidToken

from webquarry.core.errors import Overloaded

_SEALED = "sealed:"
"""How an encrypted value begins. Others were stored before there was a key, and are read as they are."""


class Seal:
    """Encrypts by a key that is derived from `secret`; stores values as they are where it is None."""

    def __init__(self, secret: str | None = None) -> None:
        key = None if secret is None else base64.urlsafe_b64encode(hashlib.sha256(secret.encode()).digest())
        self._fernet = None if key is None else Fernet(key)

    def close(self, text: str) -> str:
        """Return what the database keeps of a text."""
        return text if self._fernet is None else _SEALED + self._fernet.encrypt(text.encode()).decode()

    def open(self, stored: str) -> str:
        """Return the text again. Overloaded where the key is missing or another one: only the operator can help."""
        if not stored.startswith(_SEALED):
            return stored
        try:
            if self._fernet is None:
                raise InvalidToken
            return self._fernet.decrypt(stored.removeprefix(_SEALED)).decode()
        except InvalidToken as exc:
            raise Overloaded("This service cannot read its secrets: WEBQUARRY_SECRET is missing or another.") from exc


PLAIN = Seal()
