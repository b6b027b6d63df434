"""Parser for the published list: CSV with a header line, best rank first, in a zip or uncompressed."""

import csv
import io
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from webquarry.core.urls import normalise_host

MAX_LINE: Final = 4_096
MAX_INFLATED_BYTES: Final = 4 * 1024**3
"""Maximum size of the inflated list: about twelve times its usual size."""
HIGHEST: Final = 10.0
MOST: Final = 2**32 - 1
MAX_DOMAIN: Final = 253


class RankListError(Exception):
    """The list cannot be fetched, read or stored. The message is a sentence."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the list. `open_page_rank` is from 0 to 10; `rank` is the position in the list, from 1."""

    domain: str
    open_page_rank: float
    rank: int | None
    referring_domains: int | None


@contextmanager
def open_list(path: Path) -> Iterator[Iterator[str]]:
    """Open a list and yield its lines. Checksums are verified while reading.

    Raises RankListError if the file is not a list or is too large.
    """
    try:
        with path.open("rb") as file:
            if not zipfile.is_zipfile(file):
                file.seek(0)
                if file.read(4) == b"PK\x03\x04":
                    raise RankListError(f"{path.name} is an incomplete zip file.")
                file.seek(0)
                yield _read_lines(file)
                return
            with zipfile.ZipFile(file) as archive, archive.open(_choose_entry(archive)) as entry:
                yield _read_lines(entry)
    except (zipfile.BadZipFile, EOFError, ValueError, NotImplementedError, RuntimeError) as exc:
        raise RankListError(f"{path.name} is damaged: {exc}.") from exc
    except OSError as exc:
        raise RankListError(f"{path} can't be read: {exc.strerror or exc}.") from exc


def parse_rows(lines: Iterable[str]) -> Iterator[Row | None]:
    """Yield a row for each line after the header; or None for a line without a domain or rank.

    Raises RankListError if the header does not name the columns or the text is not CSV.
    """
    reader = csv.reader(lines)
    try:
        names = [_fold(name) for name in next(reader, [])]
        if "domain" not in names or "openpagerank" not in names:
            raise RankListError("The list's first line must have the columns Domain and Open Page Rank.")
        places = {name: names.index(name) for name in dict.fromkeys(names)}
        for cells in reader:
            yield _parse_row(cells, places)
    except csv.Error as exc:
        raise RankListError(f"The list is not valid CSV: {exc}.") from exc


def write_row(row: Row) -> str:
    """Return a list with only this row."""
    line = io.StringIO()
    written = csv.writer(line, quoting=csv.QUOTE_ALL)
    written.writerow(("Rank", "Domain", "Open Page Rank", "Referring Domains"))
    written.writerow((row.rank, row.domain, row.open_page_rank, row.referring_domains))
    return line.getvalue()


def _choose_entry(archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    """Return the only CSV in the archive."""
    found = [entry for entry in archive.infolist() if entry.filename.lower().endswith((".csv", ".txt"))]
    if len(found) != 1:
        raise RankListError(f"The list's archive has {len(found)} CSV files instead of one.")
    if found[0].file_size > MAX_INFLATED_BYTES:
        raise RankListError(f"The list is larger than {MAX_INFLATED_BYTES:,} bytes.")
    return found[0]


def _read_lines(file: IO[bytes]) -> Iterator[str]:
    """Yield each line, at most `MAX_LINE` bytes long."""
    read_bytes = 0
    first = True
    while line := file.readline(MAX_LINE + 1):
        if len(line) > MAX_LINE:
            raise RankListError(f"The list has a line of more than {MAX_LINE:,} bytes.")
        read_bytes += len(line)
        if read_bytes > MAX_INFLATED_BYTES:
            raise RankListError(f"The list is larger than {MAX_INFLATED_BYTES:,} bytes.")
        yield line.decode("utf-8-sig" if first else "utf-8", "replace")
        first = False


def _fold(name: str) -> str:
    return "".join(name.lower().replace("_", " ").split())


def _parse_row(cells: list[str], places: dict[str, int]) -> Row | None:
    def cell(name: str) -> str:
        place = places.get(name, len(cells))
        return cells[place].strip() if place < len(cells) else ""

    domain = _spell(cell("domain"), cell("extension"))
    try:
        value = float(cell("openpagerank"))
    except ValueError:
        return None
    if domain is None or not 0 <= value <= HIGHEST:
        return None
    return Row(domain, value, _whole(cell("rank")), _whole(cell("referringdomains")))


def _spell(domain: str, extension: str) -> str | None:
    """Return a domain in lower case and A-labels. `extension` is the domain's last part, which is added if missing."""
    ending = extension.lower().strip(".")
    name = domain.lower().rstrip(".")
    if ending and name != ending and not name.endswith(f".{ending}"):
        name = f"{name}.{ending}"
    if not name.isascii():
        try:
            name = normalise_host(name)
        except ValueError:
            return None
    return name if 0 < len(name) <= MAX_DOMAIN and "." in name and " " not in name else None


def _whole(text: str) -> int | None:
    digits = text.replace(",", "")
    number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 10 else None
    return number if number is not None and number < MOST else None
