"""Pumps: what makes a source's honest answer hostile, and leaves its shape.

An answer is JSON where it can be read as such (behind the guard that some sources put before it), else text, which HTML
and feeds are too.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

_RUN = 900_000
BYTES = 1_900_000
"""What a pumped answer comes to: of most sources no more than 2 MB is read."""
DEEP = 30_000
Change = Callable[[Any], Any]
_GUARD = re.compile(rb"\A(?:\)\]\}'[^\n]*\n)?\s*(?:[0-9]+\n)?")


def lengthen(body: bytes) -> bytes:
    """Every list has more items, all of them alike."""

    def change(value: Any, times: int) -> Any:
        if isinstance(value, dict):
            return {name: change(part, times) for name, part in value.items()}
        if isinstance(value, list):
            return [change(part, 1) for part in value] * times if len(value) else value
        return value

    def outermost(value: Any) -> Any:
        """The outermost lists that hold objects or lists of them."""
        times = max(2, BYTES // max(1, len(json.dumps(value))))
        return change(value, times)

    return _change_body(body, outermost, _repeat_middle)


def deepen(body: bytes) -> bytes:
    """A value stands in thirty thousand lists; in text, an element in as many."""
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
    """Texts are followed by a long run of a piece: the first two that are met."""

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
    """Every number has a hundred thousand digits, up to two megabytes."""
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
    """What stands before the JSON, and the rest."""
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
    """Behind a tag in the middle of a text; its end when there is none."""
    at = body.find(b">", len(body) // 2)
    return at + 1 if at >= 0 else len(body)


def _repeat_middle(body: bytes) -> bytes:
    """The middle of a text again and again."""
    start = body.find(b"<body")
    start = body.find(b">", start) + 1 if start >= 0 else 0
    end = body.rfind(b"</body")
    end = end if end > start else len(body)
    times = max(2, BYTES // max(1, end - start))
    return body[:start] + body[start:end] * times + body[end:]
