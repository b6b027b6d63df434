"""The part of the map that a caller looks at: a point and a zoom level."""

import math
import re
from dataclasses import dataclass
from typing import Any, Self

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

MIN_ZOOM, MAX_ZOOM, DEFAULT_ZOOM = 3.0, 21.0, 14.0
_METRES_A_PIXEL = 156_543.034
"""Meters per pixel at the equator at zoom 0, for tiles 256 pixels wide (Web Mercator)."""
_PIXELS = 1024
_EARTH_RADIUS_M = 6_371_009.0
_NUMBER = r"-?[0-9]{1,3}(?:\.[0-9]{1,20})?"
_VIEW = re.compile(rf"@({_NUMBER}),({_NUMBER})(?:,([0-9]{{1,2}}(?:\.[0-9]{{1,20}})?)z?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class MapView:
    """A window on the map, 1024 pixels wide, that is centered on a point.

    latitude, longitude: degrees, to seven decimals (a centimeter); zoom: from 3 (continents) to 21 (buildings).
    """

    latitude: float
    longitude: float
    zoom: float = DEFAULT_ZOOM

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a view `@lat,lng,zoom`, as in the URLs of maps (`@38.03,23.7,15z`).

        The `z` is optional. The zoom is optional too and defaults to 14. Raises ValueError with a message for any other
        text.
        """
        match = _VIEW.fullmatch(text)
        if match is None:
            raise ValueError("must be of the form @lat,lng,zoom, for example @38.0289,23.7,15z")
        latitude, longitude = round(float(match[1]), 7), round(float(match[2]), 7)
        zoom = round(float(match[3]), 2) if match[3] else DEFAULT_ZOOM
        if abs(latitude) > 90 or abs(longitude) > 180:
            raise ValueError("must have a latitude from -90 to 90 and a longitude from -180 to 180")
        if not MIN_ZOOM <= zoom <= MAX_ZOOM:
            raise ValueError(f"must have a zoom from {MIN_ZOOM:.0f} to {MAX_ZOOM:.0f}")
        return cls(latitude + 0.0, longitude + 0.0, zoom)  # turns -0.0 into 0.0

    @property
    def diameter_m(self) -> float:
        """The width of the window in meters."""
        width = _METRES_A_PIXEL * math.cos(math.radians(self.latitude)) / 2**self.zoom * _PIXELS
        return max(1.0, width)  # at the poles the width would be 0

    def distance_m(self, latitude: float, longitude: float) -> float:
        """Return the distance from the center to a point in meters, along the surface."""
        here, there = math.radians(self.latitude), math.radians(latitude)
        across = math.sin(math.radians(longitude - self.longitude) / 2) ** 2
        chord = math.sin((there - here) / 2) ** 2 + math.cos(here) * math.cos(there) * across
        return 2 * _EARTH_RADIUS_M * math.asin(math.sqrt(min(1.0, max(0.0, chord))))

    def __str__(self) -> str:
        return f"@{degrees(self.latitude)},{degrees(self.longitude)},{degrees(self.zoom)}z"

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(
            cls.parse, core_schema.str_schema(), serialization=core_schema.to_string_ser_schema()
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, _schema: CoreSchema, _handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"type": "string"}


def degrees(value: float) -> str:
    """Return a number in the notation of map URLs, without an exponent or trailing zeros."""
    return f"{value:.7f}".rstrip("0").rstrip(".")
