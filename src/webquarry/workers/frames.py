"""Format of the data on the pipes between the service and a child: numbered frames with a head and a body.

The body of a response is the pieces of a `Parcel`, one after the other; the head lists their lengths.

    8 bytes  number of the job, which matches a response to its request
    4 bytes  length of the head, which is JSON
    4 bytes  length of the body, which is raw bytes
"""

from struct import Struct
from typing import Final

PREFIX: Final = Struct("<QII")
MAX_HEAD: Final = 256 * 1024
"""Maximum size of a request's head in bytes."""
MAX_ANSWER: Final = 256 * 1024
"""Maximum size in bytes of a response's head, which the parent parses in its event loop within a few milliseconds.

The body is limited by `Limits.answer_mb`.
"""
HELLO: Final = 0
"""Number of the frame with which a child reports that it is ready. Jobs never use it."""


def pack_frame(number: int, head: bytes, body: bytes = b"") -> tuple[bytes, bytes]:
    """Return the frame in two parts, so that a large body is not copied."""
    return PREFIX.pack(number, len(head), len(body)) + head, body
