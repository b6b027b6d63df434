"""The place of a request, and its possible divisions."""

from typing import Annotated, Final, Literal

from pydantic import AfterValidator

from webquarry.core.locale import CodesOf, Country

Resolution = Literal["COUNTRY", "REGION", "DMA", "CITY"]

PATTERN: Final = "^([A-Za-z]{2}(-[A-Za-z0-9]{1,3}(-[0-9]{3})?)?)?$"
RULE: Final = "must be a country such as US, a region such as US-CA, a metro such as US-CA-807, or empty for worldwide"
_WITH_METROS: Final = "US"


def place(text: str) -> str:
    """Return text that matches `PATTERN` in upper case.

    "" means the whole world. Raises ValueError for an unknown country.
    """
    country, *within = text.split("-")
    return "-".join((Country.parse(country).upper(), *within)).upper() if text else ""


def country(text: str) -> str:
    """Return a country's code in upper case. Raises ValueError for an unknown country."""
    return Country.parse(text).upper()


def list_resolutions(geo: str) -> tuple[Resolution, ...]:
    """Return the possible divisions of a place, based on the form of its code.

    The provider may lack data for some divisions.
    """
    divisions: tuple[tuple[Resolution, ...], ...] = (("REGION", "DMA", "CITY"), ("DMA", "CITY"), ("CITY",))
    if not geo:
        return ("COUNTRY", "REGION", "DMA", "CITY")
    found = divisions[geo.count("-")]
    return found if geo.startswith(_WITH_METROS) else tuple(one for one in found if one != "DMA")


Place = Annotated[str, AfterValidator(place), CodesOf("country")]
CountryCode = Annotated[str, AfterValidator(country), CodesOf("country")]
