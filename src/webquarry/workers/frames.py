"""What goes over the pipes between the service and a child: numbered frames of a head and a body.

The body of an answer is the pieces of a `Parcel`, one after the other; the head tells their lengths.

8 bytes  number of the job, by which an answer is known to be to this question
4 bytes  length of the head, which is JSON
4 bytes  length of the body, which is bytes as they are
"""

from struct import Struct
from typing import Final

PREFIX: Final = Struct("<QII")
MAX_HEAD: Final = 256 * 1024
"""Bytes of the head of a question."""
MAX_ANSWER: Final = 256 * 1024
"""Bytes of the head of an answer, which the parent reads in its event loop, in a few milliseconds at the worst. The
body is bounded by `Limits.answer_mb`."""
HELLO: Final = 0
"""The number of the frame by which a child says that it is ready. No job has it."""


def pack_frame(number: int, head: bytes, body: bytes = b"") -> tuple[bytes, bytes]:
    """The frame in two pieces, so that a large body is not copied."""
    return PREFIX.pack(number, len(head), len(body)) + head, body
