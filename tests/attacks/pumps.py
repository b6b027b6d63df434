"""Pumps: transformations that make a source's honest response hostile and keep its shape.

A response is treated as JSON if it can be parsed (after the guard that some sources put before it), otherwise as text,
which includes HTML and feeds.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

_RUN = 900_000
BYTES = 1_900_000
"""Size in bytes of a pumped response. For most sources at most 2 MB are read."""
DEEP = 30_000
Change = Callable[[Any], Any]
_GUARD = re.compile(rb"\A(?:\)\]\}'[^\n]*\n)?\s*(?:[0-9]+\n)?")


def lengthen(body: bytes) -> bytes:
    """Repeat the items of every list."""

    def change(value: Any, times: int) -> Any:
        if isinstance(value, dict):
            return {name: change(part, times) for name, part in value.items()}
        if isinstance(value, list):
            return [change(part, 1) for part in value] * times if len(value) else value
        return value

    def outermost(value: Any) -> Any:
        """Return the value with its outermost lists of objects or lists repeated."""
        times = max(2, BYTES // max(1, len(json.dumps(value))))
        return change(value, times)

    return _change_body(body, outermost, _repeat_middle)


def deepen(body: bytes) -> bytes:
    """Nest a value in thirty thousand lists; in text, an element in as many elements."""
    guard, rest = _split_guard(body)
    if _read(rest) is not None:
        at = rest.rfind(b"]") if b"]" in rest else rest.rfind(b"}")
        nested = b"[" * DEEP + b"]" * DEEP
        put = (b"," if rest[:at].rstrip()[-1:] not in (b"[", b"{") else b"") + (
            nested if rest[at : at + 1] == b"]" else b'"deep":' + nested
        )
        return guard + rest[:at] + put + rest[at:]
    at = _middle(body)
    return body[:at] + b"<div>" * DEEP + b"<p>deep</p>" + b"</div>" * DEEP + body[at:]


def _swollen(piece: str) -> Callable[[bytes], bytes]:
    """Return a pump that appends a long run of `piece` to the first two texts."""

    def pump(body: bytes) -> bytes:
        left = [2]

        def change(value: Any) -> Any:
            if isinstance(value, dict):
                return {name: change(part) for name, part in value.items()}
            if isinstance(value, list):
                return [change(part) for part in value]
            if isinstance(value, str) and left[0] and len(value) > 3:
                left[0] -= 1
                return value + piece * (_RUN // len(json.dumps(piece)[1:-1]))
            return value

        def text(plain: bytes) -> bytes:
            at = _middle(plain)
            return plain[:at] + (piece * (2 * _RUN // len(piece))).encode() + plain[at:]

        return _change_body(body, change, text)

    return pump


def multiply_digits(body: bytes) -> bytes:
    """Extend every number by a hundred thousand digits, up to two megabytes."""
    left = [BYTES // 110_000]

    def longer(found: re.Match[bytes]) -> bytes:
        if not left[0]:
            return found[0]
        left[0] -= 1
        return found[0] + b"9" * 100_000

    return re.sub(rb"(?<=[:,\[ ])[0-9]{1,15}(?=[,\]} ])", longer, body)


PUMPS: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "long lists": lengthen,
    "nested deeply": deepen,
    "digits": multiply_digits,
    "spaces": _swollen(" "),
    "zeros": _swollen("0"),
    "brackets": _swollen("[("),
    "tags": _swollen("<a "),
    "backslashes": _swollen("\\u"),
    "line ends": _swollen("\r\n"),
}


def _change_body(body: bytes, change: Change, text: Callable[[bytes], bytes]) -> bytes:
    guard, rest = _split_guard(body)
    value = _read(rest)
    return text(body) if value is None else guard + json.dumps(change(value)).encode()


def _split_guard(body: bytes) -> tuple[bytes, bytes]:
    """Return the text before the JSON, and the rest."""
    found = _GUARD.match(body)
    at = found.end() if found else 0
    return body[:at], body[at:]


def _read(body: bytes) -> Any:
    try:
        value = json.loads(body)
    except ValueError:
        return None
    return value if isinstance(value, dict | list) else None


def _middle(body: bytes) -> int:
    """Return the offset after a tag in the middle of a text, or the text's end if it has no tag."""
    at = body.find(b">", len(body) // 2)
    return at + 1 if at >= 0 else len(body)


def _repeat_middle(body: bytes) -> bytes:
    """Repeat the middle of a text."""
    start = body.find(b"<body")
    start = body.find(b">", start) + 1 if start >= 0 else 0
    end = body.rfind(b"</body")
    end = end if end > start else len(body)
    times = max(2, BYTES // max(1, end - start))
    return body[:start] + body[start:end] * times + body[end:]
