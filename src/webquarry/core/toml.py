"""Writes readable TOML: one line per value, multi-line strings verbatim. `tomllib` reads it."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime

Value = str | bool | int | datetime
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def write_values(values: Mapping[str, Value], within: str = "") -> str:
    """Return a line for each value. `within` is the table that the values belong to, as a prefix of their keys."""
    before = f"{within}." if within else ""
    return "".join(f"{before}{_key(name)} = {_write_value(value)}\n" for name, value in values.items())


def write_table(name: str, values: Mapping[str, Value]) -> str:
    """Return an empty line and a table with its heading, or "" if there are no values."""
    return f"\n[{name}]\n{write_values(values)}" if values else ""


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _quote(name)


def _write_value(value: Value) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, str):
        readable = value.endswith("\n") and "'''" not in value and _CONTROL.search(value) is None
        return f"'''\n{value}'''" if readable else _quote(value)
    return str(value).lower()  # TOML writes booleans in lower case


def _quote(text: str) -> str:
    """Quote a text as in JSON, which escapes everything that TOML requires except one character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
