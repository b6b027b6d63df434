"""The positions of all values in the arrays of the keyless source, in one table that its reader uses.

A path marked with `guess` is untested: no recorded response has a value there.
"""

from collections.abc import Mapping
from datetime import time
from typing import Any

from webquarry.extractors.maps.model.values import clock
from webquarry.read.facts import Fact, Rows, Texts, array, guess, number, table, whole
from webquarry.read.fields import to_line, to_text


def to_clock(value: Any) -> time | None:
    """Return a time of day from a list of hour and minute. Trailing zeros are omitted, so [] is midnight."""
    if not isinstance(value, list) or len(value) > 2 or any(type(figure) is not int for figure in value):
        return None
    hour, minute = (*value, 0, 0)[:2]
    return clock(hour, minute)


# Response
QUERY = Fact(to_line, "[0][0]")
FOUND = Rows("[0][1]")
FOUND_OTHERWISE = Rows(guess("[64]"))  # only in responses to browsers
THE_PLACE = Fact(array, "[6]")

# Row of the results. If there are several rows, the first describes the list and has no place.
PLACE_FOUND = Fact(array, "[14]")
PLACE_FOUND_OTHERWISE = Fact(array, guess("[1]"))

# Place
NAME = Fact(to_line, "[11]")
FID = Fact(to_line, "[10]")
PLACE_ID = Fact(to_line, "[78]")
KGMID = Fact(to_line, "[89]")
ADDRESS = Fact(to_line, "[39]")
ADDRESS_WITH_NAME = Fact(to_line, "[18]")
ADDRESS_LINES = Texts("[2][]")
COMPONENTS = Fact(array, "[183][1]")
PLUS_CODE = Fact(to_line, "[183][2][2][0]")
LATITUDE = Fact(number, "[9][2]")
LONGITUDE = Fact(number, "[9][3]")
RATING = Fact(number, "[4][7]")
REVIEW_COUNT = Fact(whole, "[4][8]")
PRICE = Fact(to_line, "[4][2]")
TYPES = Texts("[13][]")
WEBSITE = Fact(to_line, "[7][0]")
PHONES = Rows("[178][0][1]")
PHONE = Fact(to_line, "[178][0][0]")
DAYS = Rows("[203][0]")
OLDER_DAYS = Rows("[34][1]")  # null in responses since November 2025
OPEN_STATE = Fact(to_line, "[34][4][4]", "[203][1][4][0]")
CLOSED_MARK = Fact(to_line, guess("[88][0]"))  # may also contain a remark such as "Dogs allowed"
OWNER_ID = Fact(to_line, "[57][2]")  # not [57][1] or [57][8], which unclaimed places also have
CLAIM_LINK = Fact(to_line, "[49][0]")
TIMEZONE = Fact(to_line, "[30]")
THUMBNAIL = Fact(to_line, "[72][0][1][6][0]", "[157]")
CANONICAL_URL = Fact(to_line, "[27]")
BOOKINGS = Rows(guess("[46]"))
ORDERS = Rows(guess("[75][0][1][2]"), "[75][0][0][2]")
MENU_LINK = Fact(to_line, guess("[38][0]"))
EDITORIAL = Fact(to_line, guess("[32][1][1]"))
OWNER_TEXT = Fact(to_text, guess("[154][0][0]"))  # only browsers get this value and the next
HISTOGRAM = Fact(array, "[175][3]")
SECTIONS = Rows("[100][1]")
PHOTO_COUNT = Fact(whole, "[37][1]")
BUSY_DAYS = Rows("[84][0]")

# Components of an address
NEIGHBORHOOD = Fact(to_line, "[0]")
STREET = Fact(to_line, "[1]")
CITY = Fact(to_line, "[3]")
POSTAL_CODE = Fact(to_line, "[4]")
STATE = Fact(to_line, guess("[5]"))
COUNTRY_CODE = Fact(to_line, "[6]")

# Row of phones
PHONE_TEXT = Fact(to_line, "[0]")
PHONE_FORM = Fact(whole, "[1]")

# Row of days, and a day's time spans
DAY = Fact(to_line, "[0]")
DAY_NUMBER = Fact(whole, "[1]")
DAY_HOURS = Texts("[3][][0]")
DAY_STATE = Fact(whole, "[5]")
DAY_SPANS = Rows("[3]")
OPENS = Fact(to_clock, "[1][0]")
CLOSES = Fact(to_clock, "[1][1]")

# Row of the older form of days, which starts like a row of the newer form, and its time spans
OLDER_DAY_HOURS = Texts("[1][]")
OLDER_DAY_DATE = Fact(to_line, "[4]")
OLDER_DAY_STATE = Fact(whole, "[5]")
OLDER_DAY_SPANS = Rows("[6]")
OLDER_OPENS_HOUR = Fact(whole, "[0]")
OLDER_OPENS_MINUTE = Fact(whole, "[1]")
OLDER_CLOSES_HOUR = Fact(whole, "[2]")
OLDER_CLOSES_MINUTE = Fact(whole, "[3]")

# Row of bookings, and row of orders
BOOKING_LINK = Fact(to_line, guess("[0]"))
BOOKING_SOURCE = Fact(to_line, guess("[1]"))
ORDER_LINK = Fact(to_line, "[1][2][0]")
ORDER_SOURCE = Fact(to_line, "[0][0]")

# Section of attributes, and row of its options
SECTION_NAME = Fact(to_line, "[1]")
OPTIONS = Rows("[2]")
OPTION_NAME = Fact(to_line, "[1]")
OPTION_KIND = Fact(whole, "[2][0]")
OPTION_ON = Fact(whole, "[2][1][0][0]")
OPTION_TEXT = Fact(to_line, "[2][3][2]")
OPTION_TEXTS = Texts("[2][4][1][][0][][2]")

# Row of busy days, and row of its hours
WEEKDAY = Fact(whole, "[0]")
BUSY_HOURS = Rows("[1]")
HOUR = Fact(whole, "[0]")
PERCENT = Fact(whole, "[1]")

TABLE: Mapping[str, Fact[Any]] = table(globals())
