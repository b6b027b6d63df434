"""Semrush's APIs, with the operator's key: rows separated by semicolons. Untested: no response is recorded.

Response format: docs/upstreams/semrush.md.
"""

import csv
import re
from dataclasses import replace
from typing import Final

from webquarry.core.errors import EmptyResult, ProviderError
from webquarry.core.types import Provider, Wire
from webquarry.net import ANY_STATUS, Net
from webquarry.providers.answers import MAX_ANSWER_BYTES, refusal
from webquarry.read.block_pages import find_block_page_in, is_page, refuse_block_page

SEMRUSH: Final = Provider(name="semrush", title="Semrush's API", needs=("semrush_key",), unproven=True)
_ERROR: Final = re.compile(r"\s{0,9}ERROR\s{1,9}([0-9]{1,6})\s{0,9}::\s{0,9}([^\r\n]{0,200})", re.ASCII)
_ERROR_BYTES: Final = 1_024
_NOTHING_FOUND: Final = 50
_MAX_CELLS: Final = 50


async def ask(net: Net, url: str) -> Wire:
    """Return a response with rows, or a Semrush error text such as "nothing found". `read_row` distinguishes rows from
    error texts.

    Raises ProviderError as `answer_by_key` does for any other response.
    """
    wire = await net.get(
        url,
        accept="text/plain, text/csv, */*;q=0.5",
        secrets={"key": net.setting("semrush_key")},
        ok_on=ANY_STATUS,
        absent_on=(),
        max_bytes=MAX_ANSWER_BYTES,
    )
    if wire.status == 200 or _ERROR.match(_read_text(replace(wire, body=wire.body[:_ERROR_BYTES]))):
        return wire
    if is_page(wire):
        await net.read(refuse_block_page, wire, SEMRUSH.title)
    raise refusal(SEMRUSH, "", wire)


def read_row(wire: Wire) -> dict[str, str]:
    """Return the only row, by column name in lower case.

    Raises EmptyResult if Semrush reports that nothing was found. Raises ProviderError: "refused" for any other error
    that Semrush reports, "blocked" for an HTML page, "changed" if there is no row.
    """
    text = _read_text(wire)
    if (error := _ERROR.match(text)) is not None:
        if int(error[1]) == _NOTHING_FOUND:
            raise EmptyResult("Semrush has no data about this domain.")
        raise refusal(SEMRUSH, f"error {error[1]}, {error[2].strip()}", wire)
    if is_page(wire):
        raise find_block_page_in(wire, SEMRUSH.title) or ProviderError(
            "Semrush sent a page instead of data.", reason="blocked"
        )
    try:
        rows = [row for row in csv.reader(text.splitlines()[:3], delimiter=";") if row]
    except csv.Error as exc:
        raise _make_changed_error() from exc
    if len(rows) < 2 or len(rows[0]) > _MAX_CELLS or len(rows[1]) != len(rows[0]):
        raise _make_changed_error()
    return {name.strip().lower(): cell.strip() for name, cell in zip(*rows[:2], strict=True)}


def read_cell(row: dict[str, str], *names: str) -> str | None:
    """Return the first non-empty cell of these columns, or None."""
    return next((row[name] for name in names if row.get(name)), None)


def _read_text(wire: Wire) -> str:
    return wire.body.decode("utf-8-sig", "replace")


def _make_changed_error() -> ProviderError:
    return ProviderError("Semrush sent a response without the requested columns.", reason="changed")
