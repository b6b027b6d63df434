"""The list as it is published: CSV with a line of names, best rank first; in a zip, or as it is."""

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
"""Some twelve times what the list has."""
HIGHEST: Final = 10.0
MOST: Final = 2**32 - 1
MAX_DOMAIN: Final = 253


class RankListError(Exception):
    """The list cannot be fetched, read or kept; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class Row:
    """open_page_rank: from 0 to 10. rank: the place in the list, from 1."""

    domain: str
    open_page_rank: float
    rank: int | None
    referring_domains: int | None


@contextmanager
def open_list(path: Path) -> Iterator[Iterator[str]]:
    """The lines of a list, whose checksums are checked as they are read. RankListError when it is no list, or when it
    is larger than any is."""
    try:
        with path.open("rb") as file:
            if not zipfile.is_zipfile(file):
                file.seek(0)
                if file.read(4) == b"PK\x03\x04":
                    raise RankListError(f"{path.name} is a zip that lacks its end.")
                file.seek(0)
                yield _read_lines(file)
                return
            with zipfile.ZipFile(file) as archive, archive.open(_choose_entry(archive)) as entry:
                yield _read_lines(entry)
    except (zipfile.BadZipFile, EOFError, ValueError, NotImplementedError, RuntimeError) as exc:
        raise RankListError(f"{path.name} is damaged: {exc}.") from exc
    except OSError as exc:
        raise RankListError(f"{path} cannot be read: {exc.strerror or exc}.") from exc


def parse_rows(lines: Iterable[str]) -> Iterator[Row | None]:
    """A row for each line but the first; None for one that has no domain or no rank. RankListError when the first line
    does not name the columns, or when the text is no CSV."""
    reader = csv.reader(lines)
    try:
        names = [_fold(name) for name in next(reader, [])]
        if "domain" not in names or "openpagerank" not in names:
            raise RankListError("The list's first line does not name the columns Domain and Open Page Rank.")
        places = {name: names.index(name) for name in dict.fromkeys(names)}
        for cells in reader:
            yield _parse_row(cells, places)
    except csv.Error as exc:
        raise RankListError(f"The list is no CSV: {exc}.") from exc


def write_row(row: Row) -> str:
    """The list of this one row."""
    line = io.StringIO()
    written = csv.writer(line, quoting=csv.QUOTE_ALL)
    written.writerow(("Rank", "Domain", "Open Page Rank", "Referring Domains"))
    written.writerow((row.rank, row.domain, row.open_page_rank, row.referring_domains))
    return line.getvalue()


def _choose_entry(archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    """The one CSV of the archive."""
    found = [entry for entry in archive.infolist() if entry.filename.lower().endswith((".csv", ".txt"))]
    if len(found) != 1:
        raise RankListError(f"The archive of the list holds {len(found)} CSV files instead of one.")
    if found[0].file_size > MAX_INFLATED_BYTES:
        raise RankListError(f"The list is larger than {MAX_INFLATED_BYTES:,} bytes.")
    return found[0]


def _read_lines(file: IO[bytes]) -> Iterator[str]:
    """Each line, none longer than `MAX_LINE`."""
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
    """In lower case and A-labels. The extension is what the name ends in, and is added where the name lacks it."""
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
