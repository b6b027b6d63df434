"""Notes on the cells of a sheet: comments, and threaded comments since Excel 365 ([MS-XLSX] 2.6.205)."""

from collections.abc import Iterable, Mapping

from webquarry_convert.file.sheets.notes import Note
from webquarry_convert.file.sheets.table import Budget
from webquarry_convert.file.sheets.xlsx.references import parse_area
from webquarry_convert.file.sheets.xlsx.strings import unescape
from webquarry_convert.file.xml import get_local_name, walk

_STANDS_FOR_THREAD = "tc="
"""Prefix of the author of a comment that represents a thread for older programs."""


def read_comments(part: Iterable[bytes], budget: Budget) -> list[Note]:
    """Return the notes in a comments part, except those that represent threads."""
    found = _Comments(budget)
    walk(part, found)
    return [note for note in found.notes if not note.author.startswith(_STANDS_FOR_THREAD)]


def read_threads(part: Iterable[bytes], people: Mapping[str, str], budget: Budget) -> list[Note]:
    """Return the notes in a threads part.

    Each reply follows the comment that it answers. people: names by identifier.
    """
    found = _Threads(people, budget)
    walk(part, found)
    return found.notes


def read_people(part: Iterable[bytes]) -> dict[str, str]:
    """Return the names of the authors of threads, by identifier."""
    found = _People()
    walk(part, found)
    return found.names


class _Collector:
    """Collects the text of `holds` elements, without phonetic guides of East Asian words."""

    holds = ""

    def __init__(self, budget: Budget) -> None:
        self.notes: list[Note] = []
        self._budget = budget
        self._pieces: list[str] = []
        self._is_text = False
        self._aside = 0
        self._reference = self._author = ""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        name = get_local_name(tag)
        if name == self.holds:
            self._is_text = not self._aside
        elif name == "rPh":
            self._aside += 1
        else:
            self._begin(name, attributes)

    def data(self, text: str) -> None:
        if self._is_text:
            self._pieces.append(text)

    def end(self, tag: str) -> None:
        name = get_local_name(tag)
        if name == self.holds:
            self._is_text = False
        elif name == "rPh":
            self._aside -= 1
        else:
            self._finish(name)

    def _begin(self, name: str, attributes: Mapping[str, str]) -> None: ...

    def _finish(self, name: str) -> None: ...

    def _put(self) -> None:
        """Store the note that has just ended."""
        place = parse_area(self._reference)
        text = unescape("".join(self._pieces))
        self._pieces = []
        if place is not None:
            self._budget.take(1)
            self.notes.append(Note(place.top, place.left, text, self._author))


class _Comments(_Collector):
    holds = "t"

    def __init__(self, budget: Budget) -> None:
        super().__init__(budget)
        self._authors: list[str] = []

    def _begin(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "author":
            self._pieces, self._is_text = [], True
        elif name == "comment":
            self._pieces = []
            self._reference = attributes.get("ref", "")
            number = attributes.get("authorId", "")
            known = number.isdecimal() and len(number) < 9 and int(number) < len(self._authors)
            self._author = self._authors[int(number)] if known else ""

    def _finish(self, name: str) -> None:
        if name == "author":
            self._authors.append("".join(self._pieces))
            self._pieces, self._is_text = [], False
        elif name == "comment":
            self._put()


class _Threads(_Collector):
    holds = "text"

    def __init__(self, people: Mapping[str, str], budget: Budget) -> None:
        super().__init__(budget)
        self._people = people

    def _begin(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "threadedComment":
            self._pieces = []
            self._reference = attributes.get("ref", "")
            self._author = self._people.get(attributes.get("personId", ""), "")

    def _finish(self, name: str) -> None:
        if name == "threadedComment":
            self._put()


class _People:
    def __init__(self) -> None:
        self.names: dict[str, str] = {}

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if get_local_name(tag) == "person":
            self.names[attributes.get("id", "")] = attributes.get("displayName", "")

    def end(self, tag: str) -> None: ...

    def data(self, text: str) -> None: ...
