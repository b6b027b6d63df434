"""Cursors: positions in lists. Callers receive a cursor and send it back for the next page.

    next_cursor = write_cursor(upstream_cursor, "microblog_tweets", params.handle)

    @model_validator(mode="after")
    def _goes_on(self) -> Self:
        check_cursor(self.cursor, "microblog_tweets", self.handle)
        return self

A cursor contains the provider's position, and a digest of the position and of the query that it belongs to. A cursor
that is damaged, truncated, or from another query is refused during validation, before anything is charged or fetched.
The digest has no key, so that all processes accept it, even after a restart. It prevents mistakes, not forgery. Only
send a cursor's content to the source; never use it otherwise (as a URL or a path).
"""

import base64
import binascii
import hashlib
import json
from typing import Any, Final

MAX_CURSOR: Final = 4_096
"""Maximum length of a cursor, and therefore of the parameter."""
PATTERN: Final = "^[A-Za-z0-9_-]{15,4096}$"
RULE: Final = "must be the unchanged cursor of an earlier response to the same request"

_DIGEST_BYTES: Final = 10
_PERSON: Final = b"wq-cursor-1"


def write_cursor(place: Any, *question: str) -> str | None:
    """Return the cursor for a position in a list, a JSON value, or None if it would be too long to send.

    `question` is the endpoint's name and the parameters that distinguish its results, each normalized, except the
    number of pages.
    """
    content = json.dumps(place, separators=(",", ":"), ensure_ascii=True).encode()
    cursor = base64.urlsafe_b64encode(_digest(content, question) + content).rstrip(b"=").decode()
    return cursor if len(cursor) <= MAX_CURSOR else None


def read_cursor(cursor: str, *question: str) -> Any:
    """Return the position that `write_cursor` was given for this query.

    Raises ValueError with a sentence for any other cursor.
    """
    if len(cursor) > MAX_CURSOR or not cursor.isascii():
        raise ValueError(RULE)
    try:
        held = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as exc:
        raise ValueError(RULE) from exc
    digest, content = held[:_DIGEST_BYTES], held[_DIGEST_BYTES:]
    is_canonical = base64.urlsafe_b64encode(held).rstrip(b"=").decode() == cursor
    if not is_canonical or digest != _digest(content, question):
        raise ValueError(RULE)
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as exc:
        raise ValueError(RULE) from exc


def check_cursor(cursor: str | None, *question: str) -> None:
    """Raise ValueError with a complete sentence if the cursor does not belong to the query.

    Meant for validators of parameters.
    """
    if cursor is None:
        return
    try:
        read_cursor(cursor, *question)
    except ValueError as exc:
        raise ValueError(f"Parameter 'cursor' {exc}.") from exc


def _digest(content: bytes, question: tuple[str, ...]) -> bytes:
    hashed = hashlib.blake2b(content, digest_size=_DIGEST_BYTES, person=_PERSON)
    for part in question:
        encoded = part.encode("utf-8", "replace")
        hashed.update(b"\0%d:" % len(encoded) + encoded)
    return hashed.digest()
