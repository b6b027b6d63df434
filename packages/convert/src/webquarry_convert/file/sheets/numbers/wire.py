"""The parts of protocol buffers' encoding that Numbers uses."""

import struct

from webquarry_convert.file.document import make_corrupt_error, make_limit_error

_MOST_BITS = 70
MAX_MESSAGE = 16_000_000
"""Maximum size of a message, in bytes. Numbers splits longer messages."""


def read_varint(body: bytes, at: int) -> tuple[int, int]:
    """Return the number that begins at `at`, and the position after it."""
    value = shift = 0
    while True:
        if at >= len(body) or shift >= _MOST_BITS:
            raise make_corrupt_error("a number is not terminated")
        byte = body[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


class Message:
    """The fields of a message by number.

    For a field that is missing or has a different type, the default value is returned.

    Nested messages are decoded on access.
    """

    __slots__ = ("_fields",)

    def __init__(self, body: bytes) -> None:
        self._fields: dict[int, list[int | bytes]] = {}
        at, end = 0, len(body)
        if end > MAX_MESSAGE:
            raise make_limit_error(f"a message of more than {MAX_MESSAGE:,} bytes")
        while at < end:
            key, at = read_varint(body, at)
            value: int | bytes
            match key & 7:
                case 0:  # a number
                    value, at = read_varint(body, at)
                case 2:  # bytes, a text or a message
                    length, at = read_varint(body, at)
                    value, at = body[at : at + length], at + length
                case 1:  # eight bytes
                    value, at = body[at : at + 8], at + 8
                case 5:  # four bytes
                    value, at = body[at : at + 4], at + 4
                case _:
                    raise make_corrupt_error("a message has a field of unknown type")
            if at > end:
                raise make_corrupt_error("a message ends too early")
            self._fields.setdefault(key >> 3, []).append(value)

    def __contains__(self, field: int) -> bool:
        return field in self._fields

    def number(self, field: int, default: int = 0) -> int:
        value = self._fields.get(field, (default,))[-1]
        return value if isinstance(value, int) else default

    def real(self, field: int, default: float = 0.0) -> float:
        value = self._fields.get(field, (b"",))[-1]
        if not isinstance(value, bytes) or len(value) not in (4, 8):
            return default
        found: float = struct.unpack("<d" if len(value) == 8 else "<f", value)[0]
        return found

    def raw(self, field: int) -> bytes:
        value = self._fields.get(field, (b"",))[-1]
        return value if isinstance(value, bytes) else b""

    def text(self, field: int) -> str:
        return self.raw(field).decode("utf-8", "replace")

    def texts(self, field: int) -> list[str]:
        return [value.decode("utf-8", "replace") for value in self._fields.get(field, ()) if isinstance(value, bytes)]

    def raws(self, field: int) -> list[bytes]:
        return [value for value in self._fields.get(field, ()) if isinstance(value, bytes)]

    def message(self, field: int) -> "Message":
        return Message(self.raw(field))

    def messages(self, field: int) -> "list[Message]":
        return [Message(value) for value in self._fields.get(field, ()) if isinstance(value, bytes)]

    def reference(self, field: int) -> int:
        """Return the identifier of the object that a field refers to, or 0 if the field is missing."""
        return self.message(field).number(1)

    def references(self, field: int) -> list[int]:
        return [message.number(1) for message in self.messages(field)]
