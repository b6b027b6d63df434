"""Recorded exchanges in besticon's format: request, blank line, response, separator, and so on, in a gzip file."""

import gzip
from datetime import UTC, datetime
from pathlib import Path

from webquarry.net.tape import Exchange
from webquarry.net.transport import Request, Response

_MARK = b"*************vcr*************\n"
AT = datetime(2026, 11, 1, 12, tzinfo=UTC)


def recorded_exchanges(path: Path) -> list[Exchange]:
    """Return the exchanges of the file, all with https. For several with one URL, the last.

    Bodies are decompressed if the response declares a content encoding.
    """
    found: dict[str, Exchange] = {}
    pieces = gzip.decompress(path.read_bytes()).split(_MARK)
    for piece in filter(None, pieces):
        asked, _, answered = piece.replace(b"\r\n\r\n", b"\n\n", 2).partition(b"\n\n")
        exchange = _exchange(asked, answered)
        found[exchange.request.url] = exchange
    return list(found.values())


def _exchange(asked: bytes, answered: bytes) -> Exchange:
    line, *fields = asked.decode("latin-1").splitlines()
    path = line.split(" ")[1]
    host = next(field[6:] for field in fields if field.startswith("Host: "))
    head, _, body = answered.partition(b"\n\n")
    status, *found = head.decode("latin-1").splitlines()
    headers = {name.lower(): value.strip() for name, _, value in (field.partition(":") for field in found)}
    length = headers.get("content-length")
    body = body[: int(length)] if length and headers.get("content-encoding") is None else body
    if headers.pop("content-encoding", "") == "gzip":
        body = gzip.decompress(body)
    return Exchange(
        Request("GET", f"https://{host}{path}"),
        Response(int(status.split(" ")[1]), headers, body, AT, len(body)),
    )
