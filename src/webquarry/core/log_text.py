"""Log lines for people on a terminal."""

import json
from collections.abc import MutableMapping
from typing import Any

_COLOURS = {"debug": "2", "warning": "33", "error": "31", "critical": "31"}
_LONGEST_LEVEL = 7


class TextRenderer:
    """A processor that renders an event as `12:03:44 warning source.failed source=rdap ms=812`.

    Values that contain spaces or control characters are written as JSON, so that an event is always on one line and
    cannot control the terminal. A traceback follows on separate lines.
    """

    def __init__(self, *, has_colours: bool) -> None:
        self._has_colours = has_colours

    def __call__(self, _logger: Any, _method: str, event: MutableMapping[str, Any]) -> str:
        moment, level, name = event.pop("timestamp", ""), str(event.pop("level", "")), event.pop("event", "")
        traceback = event.pop("exception", "")
        fields = (f"{key}={_write(value)}" for key, value in event.items())
        line = " ".join((str(moment), level.ljust(_LONGEST_LEVEL), _write(name), *fields))
        if self._has_colours and level in _COLOURS:
            line = f"\x1b[{_COLOURS[level]}m{line}\x1b[0m"
        below = "".join(f"\n    {_printable(each)}" for each in str(traceback).splitlines())
        return line + below


def _write(value: Any) -> str:
    if isinstance(value, str) and value.isprintable() and value and not set(value) & set(' "='):
        return value
    return json.dumps(value, default=str)


def _printable(line: str) -> str:
    return line if line.isprintable() else line.encode("unicode_escape").decode("ascii")
