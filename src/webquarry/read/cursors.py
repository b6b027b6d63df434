"""Cursors: where a list goes on, as callers are given it and send it again.

    next_cursor = write_cursor(upstream_cursor, "microblog_tweets", params.handle)

    @model_validator(mode="after")
    def _goes_on(self) -> Self:
        check_cursor(self.cursor, "microblog_tweets", self.handle)
        return self

A cursor holds what the source is asked for with and a digest of it and of the question that it belongs to: one that is
damaged, cut, or of another question is refused with the parameters, before anything is held or fetched. The digest has
no key, so that all processes and all restarts read it alike: it keeps mistakes out, not forgers. What a cursor holds is
for the source to judge, and for nobody else to use (no address, no path).
"""

import base64
import binascii
import hashlib
import json
from typing import Any, Final

MAX_CURSOR: Final = 4_096
"""Characters of a cursor, and so of the parameter."""
PATTERN: Final = "^[A-Za-z0-9_-]{15,4096}$"
RULE: Final = "must be the unchanged cursor of an earlier response to the same request"

_DIGEST_BYTES: Final = 10
_PERSON: Final = b"wq-cursor-1"


def write_cursor(place: Any, *question: str) -> str | None:
    """The cursor for a place of a list, a JSON value, within this question; None when it would be too long to send.

    question: the endpoint's name and what tells its answers apart, in one spelling each; not how many pages are wanted.
    """
    content = json.dumps(place, separators=(",", ":"), ensure_ascii=True).encode()
    cursor = base64.urlsafe_b64encode(_digest(content, question) + content).rstrip(b"=").decode()
    return cursor if len(cursor) <= MAX_CURSOR else None


def read_cursor(cursor: str, *question: str) -> Any:
    """The place that `write_cursor` was given for this question. ValueError with a sentence for any other cursor."""
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
    """For a validator over all parameters: ValueError with the whole sentence when it does not belong to them."""
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
