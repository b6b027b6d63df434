"""The positions of all values in the store's arrays, in one table that the readers use.

A path marked with `guess` is untested: no recorded response has a value there.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from webquarry.read.facts import Fact, Rows, Texts, array, guess, table
from webquarry.read.fields import LARGEST, to_address, to_flag, to_instant, to_line, to_text, within
from webquarry.read.values import reach

MAX_RAW: Final = 4_096
_VERSION: Final = re.compile(r"[0-9]{1,10}(?:\.[0-9]{1,10}){0,3}", re.ASCII)
_SIZE: Final = re.compile(r"[0-9][0-9.,]{0,12}\s?[KMGT]?i?B(?:ytes)?", re.ASCII)
_CATEGORY: Final = re.compile(r"[a-z][a-z0-9_-]{0,40}(?:/[a-z0-9_-]{1,40}){0,3}", re.ASCII)
_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}", re.ASCII)
_HOST: Final = re.compile(r"[^\s/@:?#]{1,250}\.[^\s/@:?#.]{2,63}(?:[/:][^\s]*+)?")
_ITEM: Final = re.compile(r"[a-p]{32}", re.ASCII)
_EMAIL: Final = re.compile(r"[^\s@]{1,100}@[^\s@]{1,150}")


def to_number_of(value: Any) -> int | None:
    """Return a count, which the store writes as a whole number. Ratings and text are rejected."""
    return value if type(value) is int and 0 <= value <= LARGEST else None


def to_mean(value: Any) -> float | None:
    """Return a mean rating from 1 to 5, or 0 for an item without ratings."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return 0.0 if value == 0 else within(value, 1, 5)


def to_stars(value: Any) -> int | None:
    return value if type(value) is int and 1 <= value <= 5 else None


def to_kind(value: Any) -> int | None:
    return value if type(value) is int and 1 <= value <= 3 else None


def to_pair(value: Any) -> datetime | None:
    """Return an instant from a list of seconds and nanoseconds."""
    is_pair = isinstance(value, list) and 1 <= len(value) <= 2 and all(type(part) is int for part in value)
    return to_instant(value) if is_pair else None


def to_site(value: Any) -> str | None:
    """Return a site's URL. The store sends either a bare host or a URL with a scheme."""
    line = to_line(value)
    if line is None or line.startswith(("http://", "https://")):
        return to_address(line)
    return to_address(f"https://{line}") if _HOST.fullmatch(line) else None


def _matching(pattern: re.Pattern[str], value: Any) -> str | None:
    line = to_line(value)
    return line if line is not None and pattern.fullmatch(line) else None


def to_version(value: Any) -> str | None:
    return _matching(_VERSION, value)


def to_size(value: Any) -> str | None:
    return _matching(_SIZE, value)


def to_category(value: Any) -> str | None:
    return _matching(_CATEGORY, value)


def to_language(value: Any) -> str | None:
    return _matching(_LANGUAGE, value)


def to_item(value: Any) -> str | None:
    return _matching(_ITEM, value)


def to_email(value: Any) -> str | None:
    return _matching(_EMAIL, value)


def to_raw(value: Any) -> str | None:
    """Return a name unchanged. Some old names contain bytes that are not text."""
    return value if isinstance(value, str) and 0 < len(value) <= MAX_RAW else None


def to_tokens(value: Any) -> list[Any] | None:
    """Return the list with the next page's token. The list may be empty."""
    is_so = isinstance(value, list) and len(value) <= 1 and all(one is None or isinstance(one, str) for one in value)
    return value if is_so else None


def to_words(value: Any) -> str | None:
    """Return a string, which may be empty."""
    return value if isinstance(value, str) else None


def holds(value: Any, *facts: Fact[Any]) -> bool:
    """Return whether each of these values is missing or has the expected type. Otherwise, positions have moved."""
    there = ((fact, reach(value, way.path)) for fact in facts for way in fact.ways)
    return all(found is None or fact.convert(found) is not None for fact, found in there)


# Listing
ITEM = Fact(array, "[0]", required=True)
SCREENSHOTS = Rows("[5]")
SCREENSHOT_LIST = Fact(array, "[5]")
DESCRIPTION = Fact(to_text, "[6]")
DEVELOPER = Fact(array, "[10]")
VERSION = Fact(to_version, "[13]")
UPDATED = Fact(to_pair, "[14]")
SIZE = Fact(to_size, "[15]")
LANGUAGES = Texts("[16][]")
LANGUAGE_LIST = Fact(array, "[16]")
SUPPORT_URL = Fact(to_address, "[26]")
MIN_CHROME = Fact(to_version, "[27]")
PRIVACY_URL = Fact(to_address, "[33]")
LANGUAGE_CODES = Texts(guess("[38][]"))

# Item of a listing
ID = Fact(to_line, "[0]", required=True)
ICON = Fact(to_address, "[1]")
NAME = Fact(to_line, "[2]", required=True)
RATING = Fact(to_mean, "[3]")
RATING_COUNT = Fact(to_number_of, "[4]")
SUMMARY = Fact(to_text, "[6]")
HOMEPAGE = Fact(to_site, "[7]")
FEATURED = Fact(to_flag, "[9]")
CATEGORIES = Fact(array, "[11]")
CATEGORY = Fact(to_category, "[11][0]")
KIND = Fact(to_kind, "[12]")
BEFORE_USERS = Fact(to_flag, "[13]")
USERS = Fact(to_number_of, "[14]")
AFTER_USERS = Fact(to_flag, "[15]")
PROMO_IMAGE = Fact(to_address, "[5]")
WIDE_IMAGE = Fact(to_address, guess("[16]"))
PUBLISHED = Fact(to_pair, guess("[17]"))

# Row of screenshots
SCREENSHOT = Fact(to_address, "[-1]")

# Developer of a listing
EMAIL = Fact(to_email, "[0]")
ADDRESS = Fact(to_text, "[1]")
VERIFIED = Fact(to_flag, "[3]", "[4]")
DEVELOPER_NAME = Fact(to_line, "[5]")
DISPLAY_NAME = Fact(to_line, "[6]")
LEGAL_NAME = Fact(to_line, "[7]")

# Response with reviews
TOKENS = Fact(to_tokens, "[0]")
REVIEW_LIST = Fact(array, "[1]")
REVIEW_ROWS = Rows("[1]")
TOKEN = Fact(to_raw, "[0][0]")
TOTAL = Fact(to_number_of, "[2]")

# Review
REVIEW_ID = Fact(to_raw, "[0]", required=True)
WRITER = Fact(array, "[1]")
AUTHOR = Fact(to_line, "[1][0]")
AVATAR = Fact(to_address, "[1][1]")
STARS = Fact(to_stars, "[2]", required=True)
WORDS = Fact(to_words, "[3]")
TEXT = Fact(to_text, "[3]")
DATE = Fact(to_pair, "[4]", required=True)
EDITED = Fact(to_pair, "[5]")
HELPFUL = Fact(to_number_of, "[6]")
NOT_HELPFUL = Fact(to_number_of, "[7]")
REPLY = Fact(array, "[8]")
OF_VERSION = Fact(to_version, "[11]")
LANGUAGE = Fact(to_language, "[13]")
OF_ITEM = Fact(to_item, guess("[14]"))

# Developer's reply to a review
REPLY_AUTHOR = Fact(to_line, "[1][0]")
REPLY_TEXT = Fact(to_text, "[2]", required=True)
REPLY_DATE = Fact(to_pair, "[3]")

TABLE: Mapping[str, Fact[Any]] = table(globals())
