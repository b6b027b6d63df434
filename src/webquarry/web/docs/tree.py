"""JSON as a tree that can be folded without scripts. Its copied text is the output of `json.dumps(…, indent=2)`."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup, escape

OPEN_LINES = 14
"""Maximum number of lines of a value that is shown unfolded."""
FIRST_LINES = 40
"""Maximum number of lines of a list's first item that is shown unfolded. Other items have a lower limit."""
OPEN_DEPTH = 2
"""Number of levels that are unfolded whatever their size: the envelope, and `data` inside it."""
LIST_ITEMS = 20
"""Maximum number of items of an unfolded list directly below those levels."""
TEXT_CHARACTERS = 240
"""Number of characters of a long text that are shown when it is folded."""
_INDENT = "  "


def fold_json(value: Any) -> Markup:
    """Return the value as HTML.

    The outermost levels are unfolded; large values below them and the ends of long strings are folded.
    """
    return Markup("".join(_write(value, _Place())))  # noqa: S704  # every text is escaped below


@dataclass(frozen=True, slots=True)
class _Place:
    """The context in which a value is written.

    `key` precedes it, `comma` follows it, `is_first` marks the first item of a list.
    """

    depth: int = 0
    key: str = ""
    comma: str = ""
    is_first: bool = False

    @property
    def start(self) -> str:
        return f"{_INDENT * self.depth}{self.key}"


def _write(value: Any, place: _Place) -> Iterator[str]:
    """Yield the lines of a value, each in a separate block that ends with a newline."""
    if not isinstance(value, dict | list) or not value:
        yield _write_line(value, place)
        return
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    shown = " open" if _is_open(value, place) else ""
    folded = f'<span class="folded" data-left="{_count(value)} …"></span>'
    yield f'<details{shown}><summary>{place.start}<span class="p">{opening}</span>{folded}\n</summary>'
    members = (
        [(_key(name), each) for name, each in value.items()] if isinstance(value, dict) else [("", v) for v in value]
    )
    for number, (name, each) in enumerate(members, 1):
        comma = "," if number < len(members) else ""
        yield from _write(each, _Place(place.depth + 1, name, comma, number == 1 and isinstance(value, list)))
    end = f'{_INDENT * place.depth}<span class="p">{closing}</span>{place.comma}'
    yield f'<span class="l">{end}\n</span></details>'


def _write_line(value: Any, place: _Place) -> str:
    """Return the HTML of a value without members. A long text is folded after its first words."""
    text = json.dumps(value, ensure_ascii=False)
    if len(text) <= TEXT_CHARACTERS * 3 // 2:
        return f'<span class="l">{place.start}{_scalar(value, text)}{place.comma}\n</span>'
    at = text.rfind(" ", 0, TEXT_CHARACTERS) + 1 or TEXT_CHARACTERS
    folded = f'<span class="folded" data-left="… {len(text) - at:,} more characters"></span>'
    return (
        f'<details class="long"><summary>{place.start}{_scalar(value, text[:at])}{folded}</summary>'
        f"{_scalar(value, text[at:])}{place.comma}\n</details>"
    )


def _key(name: str) -> str:
    return f'<span class="nt">{escape(json.dumps(name, ensure_ascii=False))}</span>: '


def _is_open(value: Any, place: _Place) -> bool:
    if place.depth < OPEN_DEPTH or _is_short(value, FIRST_LINES if place.is_first else OPEN_LINES):
        return True
    return isinstance(value, list) and place.depth == OPEN_DEPTH and len(value) <= LIST_ITEMS


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


def _scalar(value: Any, text: str) -> str:
    """Return the JSON text of a value, or a part of the text, in an element with the class of its type."""
    kind = "s2" if isinstance(value, str) else "kc" if value is None or isinstance(value, bool) else "mi"
    return str(escape(text)) if isinstance(value, dict | list) else f'<span class="{kind}">{escape(text)}</span>'
