"""Where each fact stands in the arrays of the keyless source: the one table that its reader is made of.

A fact is asked for by its name and nowhere by a position. A `recorded` way was seen to hold it in a recorded answer; an
`unproven` one is known from the code of others, and no recorded answer holds anything there. Any way may lead beyond
the end of an array, which is how this wire leaves things out; what is not found is counted under its path.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import time
from typing import Any, Generic, Literal, TypeVar

from webquarry.extractors.maps.values import clock
from webquarry.read import at, texts
from webquarry.read.losses import lose
from webquarry_convert.text.escape import plain

T = TypeVar("T")
Evidence = Literal["recorded", "unproven"]


@dataclass(frozen=True, slots=True)
class Way:
    """path: from the array that the fact is asked of, spelled as for `read.at`."""

    path: str
    evidence: Evidence = "recorded"


def guess(path: str) -> Way:
    return Way(path, "unproven")


class Fact(ABC, Generic[T]):
    """One fact: the ways to it, best first."""

    def __init__(self, *ways: str | Way) -> None:
        self.ways = tuple(Way(way) if isinstance(way, str) else way for way in ways)

    @property
    def shown(self) -> str:
        """The ways for people."""
        return " or ".join(way.path for way in self.ways)

    def of(self, array: Any) -> T | None:
        """The fact of this array by the first way that leads to it; None when none does."""
        for way in self.ways:
            found = self._found(array, way.path)
            if found is not None:
                return found
        return None

    @abstractmethod
    def _found(self, array: Any, path: str) -> T | None: ...


class Text(Fact[str]):
    """One line of text, its white space plain spaces."""

    def _found(self, array: Any, path: str) -> str | None:
        return plain(at(array, path, str) or "") or None


class Number(Fact[float]):
    def _found(self, array: Any, path: str) -> float | None:
        return at(array, path, float)


class Whole(Fact[int]):
    def _found(self, array: Any, path: str) -> int | None:
        return at(array, path, int)


class Array(Fact[list[Any]]):
    def _found(self, array: Any, path: str) -> list[Any] | None:
        return at(array, path, list)


class Rows(Fact[list[list[Any]]]):
    """The arrays of an array, of which there is at least one; what stands between them is no row."""

    def _found(self, array: Any, path: str) -> list[list[Any]] | None:
        found = [item for item in at(array, path, list) or () if item is not None]
        rows = [item for item in found if isinstance(item, list)]
        for _ in range(len(found) - len(rows)):
            lose(path)
        return rows or None


class Texts(Fact[list[str]]):
    """Lines of text, of which there is at least one."""

    def _found(self, array: Any, path: str) -> list[str] | None:
        return list(filter(None, map(plain, texts(array, path)))) or None


class Clock(Fact[time]):
    """A time of day, an array of hour and minute of which zeros at the end may be left out: [] is midnight."""

    def _found(self, array: Any, path: str) -> time | None:
        told = at(array, path, list)
        if told is None or len(told) > 2 or any(type(figure) is not int for figure in told):
            return None
        hour, minute = (*told, 0, 0)[:2]
        return clock(hour, minute)


# Of an answer
QUERY = Text("[0][0]")
FOUND = Rows("[0][1]")
FOUND_OTHERWISE = Rows(guess("[64]"))  # what the questions of browsers are answered with
THE_PLACE = Array("[6]")

# Of a row of what was found; the first row of several describes the list and holds no place
PLACE_FOUND = Array("[14]")
PLACE_FOUND_OTHERWISE = Array(guess("[1]"))

# Of a place
NAME = Text("[11]")
FID = Text("[10]")
PLACE_ID = Text("[78]")
KGMID = Text("[89]")
ADDRESS = Text("[39]")
ADDRESS_WITH_NAME = Text("[18]")
ADDRESS_LINES = Texts("[2][]")
COMPONENTS = Array("[183][1]")
PLUS_CODE = Text("[183][2][2][0]")
LATITUDE = Number("[9][2]")
LONGITUDE = Number("[9][3]")
RATING = Number("[4][7]")
REVIEW_COUNT = Whole("[4][8]")
PRICE = Text("[4][2]")
TYPES = Texts("[13][]")
WEBSITE = Text("[7][0]")
PHONES = Rows("[178][0][1]")
PHONE = Text("[178][0][0]")
DAYS = Rows("[203][0]")
OLDER_DAYS = Rows("[34][1]")  # null in answers since November 2025
OPEN_STATE = Text("[34][4][4]", "[203][1][4][0]")
CLOSED_MARK = Text(guess("[88][0]"))  # else a remark such as "Dogs allowed"
OWNER_ID = Text("[57][2]")  # neither [57][1] nor [57][8], which unclaimed places have too
CLAIM_LINK = Text("[49][0]")
TIMEZONE = Text("[30]")
THUMBNAIL = Text("[72][0][1][6][0]", "[157]")
CANONICAL_URL = Text("[27]")
BOOKINGS = Rows(guess("[46]"))
ORDERS = Rows(guess("[75][0][1][2]"), "[75][0][0][2]")
MENU_LINK = Text(guess("[38][0]"))
EDITORIAL = Text(guess("[32][1][1]"))
HISTOGRAM = Array("[175][3]")
SECTIONS = Rows("[100][1]")
PHOTO_COUNT = Whole("[37][1]")
BUSY_DAYS = Rows("[84][0]")

# Of the components of an address
NEIGHBORHOOD = Text("[0]")
STREET = Text("[1]")
CITY = Text("[3]")
POSTAL_CODE = Text("[4]")
STATE = Text(guess("[5]"))
COUNTRY_CODE = Text("[6]")

# Of a row of phones
PHONE_TEXT = Text("[0]")
PHONE_FORM = Whole("[1]")

# Of a row of days, and of the spans of a day
DAY = Text("[0]")
DAY_NUMBER = Whole("[1]")
DAY_HOURS = Texts("[3][][0]")
DAY_STATE = Whole("[5]")
DAY_SPANS = Rows("[3]")
OPENS = Clock("[1][0]")
CLOSES = Clock("[1][1]")

# Of a row of the older days, which begins as a newer one does, and of their spans
OLDER_DAY_HOURS = Texts("[1][]")
OLDER_DAY_DATE = Text("[4]")
OLDER_DAY_STATE = Whole("[5]")
OLDER_DAY_SPANS = Rows("[6]")
OLDER_OPENS_HOUR = Whole("[0]")
OLDER_OPENS_MINUTE = Whole("[1]")
OLDER_CLOSES_HOUR = Whole("[2]")
OLDER_CLOSES_MINUTE = Whole("[3]")

# Of a row of bookings, and of one of orders
BOOKING_LINK = Text(guess("[0]"))
BOOKING_SOURCE = Text(guess("[1]"))
ORDER_LINK = Text("[1][2][0]")
ORDER_SOURCE = Text("[0][0]")

# Of a section of attributes, and of a row of its options
SECTION_NAME = Text("[1]")
OPTIONS = Rows("[2]")
OPTION_NAME = Text("[1]")
OPTION_KIND = Whole("[2][0]")
OPTION_ON = Whole("[2][1][0][0]")
OPTION_TEXT = Text("[2][3][2]")
OPTION_TEXTS = Texts("[2][4][1][][0][][2]")

# Of a row of busy days, and of a row of its hours
WEEKDAY = Whole("[0]")
BUSY_HOURS = Rows("[1]")
HOUR = Whole("[0]")
PERCENT = Whole("[1]")

TABLE: Mapping[str, Fact[Any]] = {name: fact for name, fact in globals().items() if isinstance(fact, Fact)}
