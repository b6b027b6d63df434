"""TOML that a person reads: a line for each value, texts of several lines as they are. `tomllib` reads it."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime

Value = str | bool | int | datetime
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def write_values(values: Mapping[str, Value], within: str = "") -> str:
    """A line for each value; within: the table that they stand in, where no heading says it."""
    before = f"{within}." if within else ""
    return "".join(f"{before}{_key(name)} = {_write_value(value)}\n" for name, value in values.items())


def write_table(name: str, values: Mapping[str, Value]) -> str:
    """A table under its heading, behind an empty line; nothing where there are no values."""
    return f"\n[{name}]\n{write_values(values)}" if values else ""


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _quote(name)


def _write_value(value: Value) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, str):
        readable = value.endswith("\n") and "'''" not in value and _CONTROL.search(value) is None
        return f"'''\n{value}'''" if readable else _quote(value)
    return str(value).lower()  # as TOML spells `True`


def _quote(text: str) -> str:
    """As JSON writes it, which escapes what TOML asks for but for one sign."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
