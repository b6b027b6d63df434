"""Encryption of secrets that the server must be able to read back from the database. Requires a key set by the
operator.
"""

import base64
import hashlib

from cryptography.fernet import Fernet, InvalidToken

from webquarry.core.errors import Overloaded

_SEALED = "sealed:"
"""Prefix of an encrypted value. Values without it are plain text, stored before a key was set."""


class Seal:
    """Encrypts with a key derived from `secret`. If `secret` is None, texts are stored unencrypted."""

    def __init__(self, secret: str | None = None) -> None:
        key = None if secret is None else base64.urlsafe_b64encode(hashlib.sha256(secret.encode()).digest())
        self._fernet = None if key is None else Fernet(key)

    def close(self, text: str) -> str:
        """Return the text in the form to store: encrypted if there is a key, otherwise unchanged."""
        return text if self._fernet is None else _SEALED + self._fernet.encrypt(text.encode()).decode()

    def open(self, stored: str) -> str:
        """Decrypt a stored text.

        Raises Overloaded if the key is missing or wrong, which only the operator can fix.
        """
        if not stored.startswith(_SEALED):
            return stored
        try:
            if self._fernet is None:
                raise InvalidToken
            return self._fernet.decrypt(stored.removeprefix(_SEALED)).decode()
        except InvalidToken as exc:
            raise Overloaded(
                "The stored secrets can't be decrypted: WEBQUARRY_SECRET is missing or has changed."
            ) from exc


PLAIN = Seal()
