"""Index of the list: one file of records in key order, in which a domain is found with about 24 reads.

A record is the first eight bytes of the domain's BLAKE2b, its rank, its Open PageRank in millionths and its number of
referring domains: 20 bytes, so that ten million domains take 200 MB on disk and no memory. The probability that an
unlisted name has the same key as a listed name is 1 in 10¹².

`build` reads the list once and sorts it in parts, in time linear in its length and a few MB of memory. The existing
file is replaced when the new file is complete. Until then, and after a crash, lookups use the old file.
"""

import os
import shutil
import struct
import tempfile
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Final

from webquarry.core.process.leftovers import has_age
from webquarry.providers.rank_list.rows import MOST, RankListError, Row

FILE: Final = "domain_ranks.index"
"""File name in the data folder."""
_WORK: Final = ".domain_ranks-"
"""Prefix of the folders where an index is built."""
_LEFT_AFTER_S: Final = 24 * 3600.0
"""Age in seconds after which such a folder must belong to a killed build."""
_MAGIC: Final = b"wqranks1"
_HEAD: Final = struct.Struct(">8sQq")
_RECORD: Final = struct.Struct(">8sIII")
_KEY_BYTES: Final = 8
_UNIT: Final = 1_000_000
_PARTS: Final = 64
_BUFFER_BYTES: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class About:
    """Description of the list. `as_of` is its publication time in UTC; `rows` is its number of domains."""

    as_of: datetime
    rows: int

    def age_days(self, now: datetime) -> int:
        return max(0, (now - self.as_of).days)


def build(rows: Iterable[Row | None], path: Path, as_of: datetime) -> About:
    """Replace the index at `path` with an index of these rows. If a domain is repeated, its best rank is kept.

    Raises RankListError if at least half of the rows are invalid, or if the new index has less than half as many
    domains as the old index. The old index is then kept.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    remove_unfinished_builds(path.parent)
    with tempfile.TemporaryDirectory(prefix=_WORK, dir=path.parent) as work:
        folder = Path(work)
        read, unread = _divide(rows, folder)
        if unread >= max(1, read):
            raise RankListError(f"{unread:,} of the list's {read + unread:,} lines have no domain with a rank.")
        made = folder / FILE
        count = _join(folder, made, as_of)
        before = read_about(path)
        if before is not None and count < before.rows / 2:
            raise RankListError(
                f"The new list has only {count:,} domains, but the current one has {before.rows:,}. To use the "
                "new list, "
                f"delete {path} first."
            )
        os.replace(made, path)
    return About(as_of, count)


def remove_unfinished_builds(folder: Path) -> None:
    """Remove the folders of builds that were killed."""
    for left in folder.glob(f"{_WORK}*"):
        if has_age(left, _LEFT_AFTER_S):
            shutil.rmtree(left, ignore_errors=True)


def read_about(path: Path) -> About | None:
    """Return a description of the index, or None if it is missing or damaged."""
    try:
        with path.open("rb") as file:
            return _read_head(file.fileno())
    except (OSError, RankListError):
        return None


def find_row(path: Path, domain: str) -> tuple[About, Row | None] | None:
    """Return the list's description and the domain's row, which is None if the domain is not listed.

    Return None if there is no index.

    Raises RankListError if the index cannot be read.
    """
    try:
        with path.open("rb", buffering=0) as file:
            about = _read_head(file.fileno())
            return about, _find(file.fileno(), about.rows, domain)
    except FileNotFoundError:
        return None
    except OSError as exc:
        raise RankListError(f"The index of domain ranks can't be read: {exc.strerror}.") from exc


def tell_age(path: Path, now: datetime) -> str | None:
    """Return a sentence about the list's age for the operator, or None if there is no list."""
    about = read_about(path)
    if about is None:
        return None
    return (
        f"The list of domain ranks is {about.age_days(now)} days old ({about.as_of.date()}). Run `webquarry "
        "ranks update` to download a new one."
    )


def _key(domain: str) -> bytes:
    return blake2b(domain.encode(), digest_size=_KEY_BYTES).digest()


def _record(row: Row) -> bytes:
    rank = MOST if row.rank is None else row.rank
    referring = MOST if row.referring_domains is None else row.referring_domains
    return _RECORD.pack(_key(row.domain), rank, round(row.open_page_rank * _UNIT), referring)


def _divide(rows: Iterable[Row | None], folder: Path) -> tuple[int, int]:
    """Write each row to the part that its key belongs to. Return the numbers of valid and invalid rows."""
    buffers = [bytearray() for _ in range(_PARTS)]
    read = unread = 0
    for row in rows:
        if row is None:
            unread += 1
            continue
        read += 1
        record = _record(row)
        part = record[0] * _PARTS // 256
        buffers[part] += record
        if len(buffers[part]) >= _BUFFER_BYTES:
            _append(folder, part, buffers[part])
    for part, buffer in enumerate(buffers):
        _append(folder, part, buffer)
    return read, unread


def _append(folder: Path, part: int, buffer: bytearray) -> None:
    with (folder / str(part)).open("ab") as file:
        file.write(buffer)
    buffer.clear()


def _join(folder: Path, made: Path, as_of: datetime) -> int:
    """Write the sorted parts one after the other. Return the number of domains."""
    count = 0
    with made.open("wb") as file:
        file.write(_HEAD.pack(_MAGIC, 0, 0))
        for part in range(_PARTS):
            for record in _sorted(folder / str(part)):
                file.write(record)
                count += 1
        file.seek(0)
        file.write(_HEAD.pack(_MAGIC, count, int(as_of.timestamp())))
        file.flush()
        os.fsync(file.fileno())
    return count


def _sorted(part: Path) -> Iterator[bytes]:
    """Yield a part's records in key order. For each key, only the record with the best rank is included."""
    data = part.read_bytes()
    part.unlink()
    last = b""
    for record in sorted(data[at : at + _RECORD.size] for at in range(0, len(data), _RECORD.size)):
        if record[:_KEY_BYTES] != last:
            yield record
        last = record[:_KEY_BYTES]


def _read_head(number: int) -> About:
    """Return the description in an open file. Raises RankListError if the file is not a complete index."""
    head = os.pread(number, _HEAD.size, 0)
    if len(head) == _HEAD.size:
        magic, rows, epoch_s = _HEAD.unpack(head)
        if magic == _MAGIC and os.fstat(number).st_size == _HEAD.size + rows * _RECORD.size:
            return About(datetime.fromtimestamp(epoch_s, UTC), rows)
    raise RankListError("The index of domain ranks is damaged. Run `webquarry ranks update` to create it again.")


def _find(number: int, rows: int, domain: str) -> Row | None:
    def record(place: int) -> bytes:
        return os.pread(number, _RECORD.size, _HEAD.size + place * _RECORD.size)

    key = _key(domain)
    place = bisect_left(range(rows), key, key=lambda place: record(place)[:_KEY_BYTES])
    if place == rows:
        return None
    found, rank, millionths, referring = _RECORD.unpack(record(place))
    if found != key:
        return None
    return Row(
        domain=domain,
        open_page_rank=millionths / _UNIT,
        rank=None if rank == MOST else rank,
        referring_domains=None if referring == MOST else referring,
    )
