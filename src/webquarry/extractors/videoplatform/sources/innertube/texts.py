"""Text, numbers and pictures in the platform's nodes. No function raises an error."""

import re
from datetime import date
from typing import Any, Final

from webquarry.read import take
from webquarry.read.fields import LARGEST, to_address, to_counted, to_line, to_text
from webquarry.read.values import reach, reach_list

MAX_PIECES: Final = 2_000
_CLOCK: Final = re.compile(r"(?:(\d{1,4}):)?(\d{1,3}):(\d{2})", re.ASCII)
_DURATION: Final = re.compile(
    r"P(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,8})(?:\.\d{1,9})?S)?)?", re.ASCII
)
_FIGURES: Final = re.compile(r"\d")
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAY_FIRST: Final = re.compile(r"\b(\d{1,2}) ([A-Za-z]{3,9})\.? (\d{4})\b", re.ASCII)
_MONTH_FIRST: Final = re.compile(r"\b([A-Za-z]{3,9})\.? (\d{1,2}), (\d{4})\b", re.ASCII)
_NONE: Final = re.compile(
    r"(?:no|keine|aucune?|sin|ning[uú]n[ao]?|nenhum[a]?|sem|nessuna?|geen|нет|немає|brak|inga|ingen|žádn[éýá])\s",
    re.IGNORECASE,
)
VERIFIED: Final = "BADGE_STYLE_TYPE_VERIFIED"


def read_raw(node: Any, path: str = "") -> str | None:
    """Return the text of a node unchanged: `simpleText`, `content`, `runs[].text`, or a plain string."""
    found = reach(node, path)
    if isinstance(found, str):
        return found
    for name in ("simpleText", "content"):
        if isinstance(text := reach(found, name), str):
            return text
    pieces = (reach(run, "text") for run in reach_list(found, "runs", MAX_PIECES))
    return "".join(piece for piece in pieces if isinstance(piece, str)) or None


def line(node: Any, path: str = "") -> str | None:
    """Return the text of a node as one line."""
    return to_line(read_raw(node, path))


def read_title(node: Any, path: str) -> str | None:
    """Return a title, or "" if the node exists without text, because some videos have no title."""
    return line(node, path) or ("" if isinstance(reach(node, path), dict) else None)


def read_text(node: Any, path: str = "") -> str | None:
    """Return the text of a node with its line breaks."""
    return to_text(read_raw(node, path))


def read_spoken(node: Any, path: str = "") -> str | None:
    """Return the accessibility label of a node.

    The label has numbers in words, which are less rounded than in the visible text.
    """
    return to_line(reach(reach(node, path), "accessibility.accessibilityData.label"))


def count_in(words: str | None) -> int | None:
    """Return the number in a text such as "1,862 views", "2.14m subscribers" or "조회수 29만회". "No views" is 0.

    Returns None if the text has no known number.
    """
    if words is None:
        return None
    first = _FIGURES.search(words)
    if first is None:
        return 0 if _NONE.match(words) else None
    return to_counted(words[first.start() :])


def rounded(*texts: str | None) -> int | None:
    """Return the number of the first text that contains one."""
    return next((found for words in texts if (found := count_in(words)) is not None), None)


def find_seconds(clock: str | None) -> int | None:
    """Return the number of seconds in a text such as "1:07:34", "3:03" or "0:07", or None for "LIVE" and other
    words.
    """
    found = _CLOCK.fullmatch((clock or "").strip())
    if found is None or int(found[3]) > 59:
        return None
    return int(found[1] or 0) * 3600 + int(found[2]) * 60 + int(found[3])


def find_duration(iso: str | None) -> int | None:
    """Return the number of seconds in an ISO 8601 duration such as PT15M53S."""
    found = _DURATION.fullmatch(iso or "")
    if found is None or not any(found.groups()):
        return None
    weeks, days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return (weeks * 7 + days) * 86_400 + hours * 3600 + minutes * 60 + seconds


def clock(seconds: int) -> str:
    """Format seconds in the notation of players: 3:03, 1:07:34."""
    hours, rest = divmod(max(0, seconds), 3600)
    minutes, left = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


def find_day(words: str | None) -> date | None:
    """Return the day in a text such as "17 Mar 2021", "Mar 17, 2021" or "Premiered 3 June 2024", or None for other
    text.
    """
    if words is None:
        return None
    if found := _DAY_FIRST.search(words):
        day, month, year = found[1], found[2], found[3]
    elif found := _MONTH_FIRST.search(words):
        month, day, year = found[1], found[2], found[3]
    else:
        return None
    if month.lower()[:3] not in _MONTHS:
        return None
    try:
        return date(int(year), _MONTHS.index(month.lower()[:3]) + 1, int(day))
    except ValueError:
        return None


def read_picture(node: Any, path: str) -> str | None:
    """Return the address of the largest picture in a list."""
    rows = [one for one in reach_list(node, path, MAX_PIECES) if isinstance(one, dict)]
    largest_first = (to_address(one.get("url"), "https://www.youtube.com/") for one in sorted(rows, key=_read_area))
    return next((address for address in largest_first if address is not None), None)


def _read_area(one: dict[str, Any]) -> int:
    """Return a picture's area as a negative number, so that larger pictures come first when sorted."""
    width, height = one.get("width"), one.get("height")
    return -width * height if type(width) is int and type(height) is int and 0 < width * height < LARGEST else 0


def is_verified(badges: Any) -> bool:
    """Return whether one of a channel's badges marks it as verified."""
    styles = (take(row, "metadataBadgeRenderer.style", to_line) for row in reach_list(badges, ""))
    return any(style is not None and style.startswith(VERIFIED) for style in styles)
