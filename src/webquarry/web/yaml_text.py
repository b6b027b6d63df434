"""JSON values as YAML. Texts are written as in JSON, so that they cannot be parsed as another type."""

import re
from collections.abc import Iterator
from typing import Any

import orjson

_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""Characters that JSON permits in a text but YAML does not."""
_PLAIN_KEY = re.compile(r"[A-Za-z_$][\w$./{}-]*\Z", re.ASCII)
_RESERVED = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})


def write_yaml(value: Any) -> bytes:
    """Return a JSON value as YAML, indented by two spaces."""
    plain = orjson.loads(orjson.dumps(value))
    return "".join(f"{line}\n" for line in _write(plain, "")).encode()


def _write(value: Any, pad: str) -> Iterator[str]:
    if isinstance(value, dict) and value:
        for key, member in value.items():
            yield from _write_member(f"{pad}{_write_key(key)}:", member, f"{pad}  ")
    elif isinstance(value, list) and value:
        for member in value:
            yield from _write_member(f"{pad}-", member, f"{pad}  ")
    else:
        yield f"{pad}{_write_scalar(value)}"


def _write_member(head: str, value: Any, pad: str) -> Iterator[str]:
    if isinstance(value, dict | list) and value:
        yield head
        yield from _write(value, pad)
    else:
        yield f"{head} {_write_scalar(value)}"


def _write_key(key: str) -> str:
    return key if _PLAIN_KEY.match(key) and key.lower() not in _RESERVED else _write_scalar(key)


def _write_scalar(value: Any) -> str:
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", orjson.dumps(value).decode())
