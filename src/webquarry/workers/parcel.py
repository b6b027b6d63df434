"""What goes through a pipe between the service and its children where it is large."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Parcel:
    """What a child gives that is large: `facts` is a small JSON value, and the pieces are bytes that nobody looks into
    on their way."""

    facts: Any
    pieces: tuple[bytes, ...] = ()
