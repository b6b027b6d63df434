"""JSON as a tree that folds without scripts. Its copied text is the output of `json.dumps(…, indent=2)`."""

import json
from collections.abc import Iterator
from typing import Any

from markupsafe import Markup, escape

OPEN_LINES = 14
WIDE_LINES = 40
"""Maximum number of lines of an open value; the second is for values directly below the outermost."""
_INDENT = "  "


def fold_json(value: Any) -> Markup:
    """Return the value as HTML. The outermost object and its first level are open; larger values below are folded."""
    return Markup("".join(_write(value, 0, "", "")))  # noqa: S704  # every text is escaped below


def _write(value: Any, depth: int, key: str, comma: str) -> Iterator[str]:
    """Yield the lines of a value, each in a separate block that ends with a newline. `key` precedes the value."""
    pad = _INDENT * depth
    if not isinstance(value, dict | list) or not value:
        yield f'<span class="l">{pad}{key}{_scalar(value)}{comma}\n</span>'
        return
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    is_open = depth == 0 or _is_short(value, WIDE_LINES if depth == 1 else OPEN_LINES)
    shown = " open" if is_open else ""
    head = f'{pad}{key}<span class="p">{opening}</span>\n'
    yield f'<details{shown}><summary data-count="{_count(value)}">{head}</summary>'
    members = (
        [(_key(name), each) for name, each in value.items()]
        if isinstance(value, dict)
        else [("", each) for each in value]
    )
    for number, (name, each) in enumerate(members, 1):
        yield from _write(each, depth + 1, name, "," if number < len(members) else "")
    yield f'<span class="l">{pad}<span class="p">{closing}</span>{comma}\n</span></details>'


def _key(name: str) -> str:
    return f'<span class="nt">{escape(json.dumps(name, ensure_ascii=False))}</span>: '


def _is_short(value: Any, lines: int) -> bool:
    return _lines(value, lines) <= lines


def _lines(value: Any, most: int) -> int:
    """Return the number of lines of the value. Stops counting after `most`."""
    if not isinstance(value, dict | list) or not value:
        return 1
    count = 2
    for each in value.values() if isinstance(value, dict) else value:
        count += _lines(each, most)
        if count > most:
            break
    return count


def _count(value: Any) -> str:
    what = "field" if isinstance(value, dict) else "item"
    return f"{len(value)} {what}{'' if len(value) == 1 else 's'}"


def _scalar(value: Any) -> str:
    text = escape(json.dumps(value, ensure_ascii=False))
    kind = "s2" if isinstance(value, str) else "kc" if value is None or isinstance(value, bool) else "mi"
    return f'<span class="{kind}">{text}</span>' if not isinstance(value, dict | list) else str(text)
