"""Links in cells, written as markdown."""

import re
from collections.abc import Sequence
from functools import partial

from webquarry_convert.file.sheets.table import Area, Table, escape_cell
from webquarry_convert.text.escape import clean_line, part
from webquarry_convert.write.targets import Targets

_FOLLOWED = ("http://", "https://", "mailto:")
_FORMULA = re.compile(r'(?:of:)?=?\s*HYPERLINK\(\s*"((?:[^"]|"")*+)"\s*[,;)]', re.IGNORECASE)
_BRACKETS = re.compile(r"\\.|[\[\]]")
_OURS = re.compile(r"\[(?:\\.|[^\\])*\]\((?:https?://|mailto:)")
"""Matches a generated link. In other text, a bracket before a parenthesis is escaped with a backslash."""

MAX_TIMES, MAX_LOOKS = 4, 20_000
"""Limits for all links on a sheet together: a multiple of the table's size, and a number of rows and cells.

One link may cover a whole column, and many links may cover the same column.
"""


def link_areas(table: Table, links: Sequence[tuple[Area, str]]) -> None:
    """Add links to the cells of each area. If areas overlap too often, the last areas get no links."""
    left = MAX_LOOKS + MAX_TIMES * (table.weight + len(links))
    for area, address in links:
        target = _find_target(address)
        if target is not None:
            left -= 1 + table.change(area, partial(_write_link, address=address, target=target))
        if left < 0:
            return


def link_text(text: str, address: str | None) -> str:
    """Return a cell's escaped text as a link.

    Returns the text unchanged if the address is unusable or equals the text, or if the text already is a link.
    """
    target = _find_target(address) if address else None
    return text if target is None else _write_link(text, address or "", target)


def _find_target(address: str) -> str | None:
    """Return the link target for an address, or None if the address is unusable."""
    if not address.lower().lstrip().startswith(_FOLLOWED):
        return None
    target = Targets(None).of(address)
    return target and target.replace("|", "%7C")


def _write_link(text: str, address: str, target: str) -> str:
    if not text or _is_shown(text, address.strip()) or _OURS.match(text):
        return text
    label = _BRACKETS.sub(_escape_bracket, text) if "[" in text or "]" in text else text
    return f"[{label}]({target})"


def link_pieces(pieces: Sequence[tuple[str, str | None]]) -> str:
    """Return a cell's escaped text with links on its parts.

    pieces: the parts with their addresses.
    """
    written = []
    for text, address in pieces:
        bare = clean_line(text)
        escaped = link_text(escape_cell(bare), address) if address else part(bare).replace("|", r"\|")
        written.append(f"{' ' * text[:1].isspace()}{escaped}{' ' * text[-1:].isspace()}")
    return " ".join("".join(written).split())


def find_address(formula: str) -> str | None:
    """Return the literal URL in a formula such as `HYPERLINK("https://…", "text")`."""
    found = _FORMULA.match(formula)
    return found[1].replace('""', '"') if found else None


def _is_shown(text: str, address: str) -> bool:
    return text.replace("\\", "") in (address, address.removesuffix("/"), address.removeprefix("mailto:"))


def _escape_bracket(match: re.Match[str]) -> str:
    return match[0] if match[0][0] == "\\" else f"\\{match[0]}"
