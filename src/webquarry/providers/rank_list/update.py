"""Fetches the list in parts, through the guarded network layer, so that an interrupted download can be resumed."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Final
from urllib.parse import urljoin

import orjson

from webquarry.core.errors import ConversionFailed, ProviderError, ServiceError
from webquarry.core.types import Provider, Wire
from webquarry.net import Net
from webquarry.providers.rank_list.index import FILE, About, build
from webquarry.providers.rank_list.rows import RankListError, open_list, parse_rows

RANK_LIST: Final = Provider(
    name="open_pagerank_list", title="The list of domain ranks by Open PageRank", uses=("data_dir",), unproven=True
)
PIECE_BYTES: Final = 4 * 1024 * 1024
PIECE_S: Final = 90.0
"""Maximum seconds per part."""
MAX_LIST_BYTES: Final = 512 * 1024 * 1024
PART: Final = "domain_ranks.part"
"""File in the data folder with the part of the list that was fetched so far."""
STATE: Final = "domain_ranks.part.json"
"""File with a description of the unfinished download."""
_REDIRECTS: Final = (301, 302, 303, 307, 308)
_MAX_HOPS: Final = 5
_MAX_CHANGES: Final = 3

Progress = Callable[[int, int], None]
"""Function that is called with the number of bytes fetched and the total."""


@dataclass(frozen=True, slots=True)
class _Whole:
    """The list being fetched: URL, version, length and date."""

    url: str
    version: str
    length: int
    as_of: str


async def update(open_net: Callable[[], Net], url: str, folder: Path, tell: Progress) -> About:
    """Fetch the list and index it in the data folder.

    `open_net` returns network access for a new attempt, with a deadline for one part. Raises RankListError, whose
    message states what went wrong and how much of an interrupted download is kept.
    """
    try:
        download = _Download(folder, url)
    except OSError as exc:
        raise _unwritable(folder, exc) from exc
    try:
        as_of = await _fetch(open_net, download, tell)
    except OSError as exc:
        raise _unwritable(folder, exc) from exc
    except ServiceError as exc:
        have = download.have
        goes_on = f" {have:,} bytes are kept. Run the command again to continue." if have else ""
        raise RankListError(f"The list could not be downloaded. {exc.message}{goes_on}") from exc
    try:
        return index_file(download.part, folder, as_of)
    finally:
        download.forget()  # an unreadable download is not resumed


def _unwritable(folder: Path, exc: OSError) -> RankListError:
    return RankListError(f"{folder} can't be written: {exc.strerror or exc}.")


def index_file(file: Path, folder: Path, as_of: datetime | None = None) -> About:
    """Index a local list, CSV or zip. `as_of` defaults to the file's modification time."""
    try:
        when = as_of or datetime.fromtimestamp(file.stat().st_mtime, UTC)
        with open_list(file) as lines:
            return build(parse_rows(lines), folder / FILE, when)
    except OSError as exc:
        raise RankListError(f"The list can't be read or stored: {exc.strerror or exc}.") from exc


class _Download:
    """The part of the list at `url` fetched so far, by this process or an earlier one."""

    def __init__(self, folder: Path, url: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.url = url
        self.part, self._state = folder / PART, folder / STATE
        self.whole = self._read_state()
        if self.whole is None:
            self.forget()

    @property
    def have(self) -> int:
        return self.part.stat().st_size if self.part.exists() else 0

    def add(self, wire: Wire) -> bool:
        """Store a part, or the whole list if the server does not support ranges.

        Return False, and delete the stored part, if the part belongs to another version of the list.
        """
        if wire.status == 200:
            found = _Whole(self.url, "", len(wire.body), _as_of(wire).isoformat())
            self.forget()
        else:
            found = _whole(wire, self.url, self.have)
        if self.whole is None:
            self.whole = found
            self._state.write_bytes(orjson.dumps(asdict(found)))
        elif found.version != self.whole.version:
            self.forget()
            return False
        with self.part.open("ab") as file:
            file.write(wire.body)
        return True

    def forget(self) -> None:
        self.whole = None
        self._state.unlink(missing_ok=True)
        self.part.unlink(missing_ok=True)

    def _read_state(self) -> _Whole | None:
        try:
            known = _Whole(**orjson.loads(self._state.read_bytes()))
            datetime.fromisoformat(known.as_of)
        except (OSError, ValueError, TypeError):
            return None
        return known if known.url == self.url and isinstance(known.length, int) else None


async def _fetch(open_net: Callable[[], Net], download: _Download, tell: Progress) -> datetime:
    """Fetch the missing parts of the list. Return the list's date."""
    changes = 0
    while download.whole is None or download.have < download.whole.length:
        if not download.add(await _piece(open_net, download.url, download.have)):
            changes += 1
            if changes == _MAX_CHANGES:
                raise ProviderError("It changed repeatedly during the download.", reason="changed")
        elif download.whole is not None:
            tell(download.have, download.whole.length)
    return datetime.fromisoformat(download.whole.as_of)


async def _piece(open_net: Callable[[], Net], url: str, have: int) -> Wire:
    """Return the part that begins at `have`.

    Redirects are followed here, because `Net` does not send the Range header to another host.
    """
    for _ in range(_MAX_HOPS):
        with open_net() as net:
            wire = await net.get(
                url,
                accept="application/zip, text/csv, */*;q=0.5",
                headers={"Range": f"bytes={have}-{have + PIECE_BYTES - 1}"},
                ok_on=(200, 206, *_REDIRECTS),
                absent_on=(),
                max_wire_bytes=MAX_LIST_BYTES,
                max_bytes=MAX_LIST_BYTES,
                follow=False,
            )
        if wire.status not in _REDIRECTS:
            return wire
        url = urljoin(wire.url, wire.headers.get("location", ""))
    raise ProviderError("It redirects endlessly.", reason="refused")


def _read_range(text: str) -> tuple[int, int, int]:
    """Return the first byte, the last byte and the length in a Content-Range header. Raises ProviderError "changed"."""
    unit, _, total = text.strip().partition(" ")
    span, _, length = total.partition("/")
    first, _, last = span.partition("-")
    numbers = (first, last, length)
    if unit.lower() != "bytes" or not all(each.isascii() and each.isdigit() and len(each) < 12 for each in numbers):
        raise ProviderError("It arrived in parts without byte ranges.", reason="changed")
    return int(first), int(last), int(length)


def _whole(wire: Wire, url: str, have: int) -> _Whole:
    """Return the list that a part belongs to. Raises ProviderError "changed" if the wire is not the requested part."""
    begins, ends, whole = _read_range(wire.headers.get("content-range", ""))
    if begins != have or not wire.body or ends - begins + 1 != len(wire.body) or ends >= whole:
        raise ProviderError("The server sent a different byte range than requested.", reason="changed")
    if whole > MAX_LIST_BYTES:
        raise ConversionFailed(f"It is larger than {MAX_LIST_BYTES:,} bytes.", reason="limits")
    version = wire.headers.get("etag") or wire.headers.get("last-modified") or ""
    return _Whole(url, f"{version} {whole}", whole, _as_of(wire).isoformat())


def _as_of(wire: Wire) -> datetime:
    """Return when the list was published according to its server or, if unknown, when it was fetched."""
    try:
        when = parsedate_to_datetime(wire.headers.get("last-modified", ""))
    except (ValueError, TypeError, OverflowError):
        return wire.fetched_at
    return when if when.tzinfo else when.replace(tzinfo=UTC)
