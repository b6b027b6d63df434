"""Interest by region: where a keyword is searched most, as a share of all searches in the region.

Provider: Google Trends, by its widgets or through SerpApi. See docs/upstreams/trends.md.

Raises EmptyResult if no region has data, or if the regions have another level than requested. A second request must
confirm this.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, Self

from pydantic import model_validator

from webquarry.core.errors import EmptyResult
from webquarry.core.types import Wire
from webquarry.endpoints.declare import Extractor, Result, field, param
from webquarry.extractors.trends.model.params import (
    RequestFields,
    SourceName,
    TrendsParams,
    ages,
    list_request_facts,
    list_request_fields,
    write_end,
)
from webquarry.extractors.trends.model.places import Resolution, list_resolutions
from webquarry.extractors.trends.model.windows import LONGEST_KEPT
from webquarry.extractors.trends.sources import widgets
from webquarry.extractors.trends.sources.chain import chain
from webquarry.extractors.trends.sources.values import LESS_THAN_ONE, has_enough, index_at
from webquarry.extractors.trends.sources.widgets import Question
from webquarry.providers import serpapi
from webquarry.read import at, must
from webquarry.read.fields import to_line
from webquarry.read.losses import read_rows
from webquarry.render import Md

LEVELS: Final = {"COUNTRY": "Countries", "REGION": "Regions", "DMA": "Metros", "CITY": "Cities"}
_METRO: Final = re.compile(r"[0-9]+", re.ASCII)
_REGION: Final = re.compile(r"[A-Z]{2}-")
_FARTHEST: Final = {"lat": 90.0, "lng": 180.0}


class GeoParams(TrendsParams):
    resolution: Resolution | None = param(
        "Level of the regions: `COUNTRY` (worldwide, or without `geo`), `REGION`, `DMA` (metros, US only) or "
        "`CITY`. Default: countries for worldwide, regions for a country, metros for a US state, otherwise cities.",
        default=None,
        example="REGION",
    )

    @property
    def division(self) -> Resolution | None:
        return self.resolution

    @property
    def asks_the_world(self) -> bool:
        """Return whether countries are requested without a place.

        In that case the place parameter's default is ignored.
        """
        return self.resolution == "COUNTRY" and "geo" not in self.model_fields_set

    @property
    def question(self) -> Question:
        question = super().question
        return replace(question, geo="") if self.asks_the_world else question

    @model_validator(mode="after")
    def _divides(self) -> Self:
        if not self.asks_the_world and self.resolution and self.resolution not in (known := list_resolutions(self.geo)):
            raise ValueError(
                f"Parameter 'resolution' must be one of {', '.join(known)} for {self.geo}"
                + (". For countries, leave 'geo' empty (worldwide)." if self.resolution == "COUNTRY" else ".")
            )
        return self


class Region(Result):
    geo_code: str | None = field("ISO 3166 code or metro number; null for a city.", wire="default.geoMapData[].geoCode")
    name: str = field("Name of the region.", wire="default.geoMapData[].geoName")
    value: int = field(
        "Interest from 0 to 100, relative to the first region. It is based on the share of searches, not their number.",
        wire="default.geoMapData[].value[0]",
    )
    latitude: float | None = field("Latitude, for cities.", unit="degrees", wire="default.geoMapData[].coordinates.lat")
    longitude: float | None = field(
        "Longitude, for cities.", unit="degrees", wire="default.geoMapData[].coordinates.lng"
    )


class Geo(RequestFields):
    keyword: str = field("Requested keyword.")
    resolution_requested: Resolution | None = field("Requested level.")
    resolution: Resolution = field("Level detected from the returned regions.")
    regions: list[Region] = field("Regions with data, highest interest first.", wire="default.geoMapData")


def read(wire: Wire, params: GeoParams) -> Geo:
    """Parse the data of the widget GEO_MAP. Rows that are marked as without data are skipped."""
    rows = must(widgets.answer_of(wire), "default.geoMapData", list)
    return _geo(params, "google_trends", [row for row in rows if _has_data(row)], _read_region)


def read_serpapi(wire: Wire, params: GeoParams) -> Geo:
    """Parse SerpApi's response. Rows with the value 0 only have data if their text is "less than 1"."""
    rows = must(serpapi.answer_of(wire), "interest_by_region", list)
    has_data = [row for row in rows if at(row, "extracted_value", int) != 0 or at(row, "value", str) == LESS_THAN_ONE]
    return _geo(params, "serpapi", has_data, _read_serpapi_region)


def _has_data(row: Any) -> bool:
    """Return False only if the row is marked as without data. An unreadable row counts as dropped, not as empty."""
    flags = at(row, "hasData", list)
    return not flags or any(one is not False for one in flags)


def _read_region(row: Any) -> Region | None:
    """Parse a row, or return None if it is unreadable. Requests have one keyword, so the first value is used."""
    return _place_region(row, "geoCode", "geoName", "value[0]")


def _read_serpapi_region(row: Any) -> Region | None:
    return _place_region(row, "geo", "location", "extracted_value")


def _place_region(row: Any, code_path: str, name_path: str, value_path: str) -> Region | None:
    name, value = to_line(at(row, name_path, str)), index_at(row, value_path)
    if name is None or value is None:
        return None
    is_city = "coordinates" in row
    lat, lng = (_read_degrees(row, axis) if is_city else None for axis in ("lat", "lng"))
    code = None if is_city else to_line(at(row, code_path, str))
    return Region(geo_code=code, name=name, value=value, latitude=lat, longitude=lng)


def _read_degrees(row: Any, axis: str) -> float | None:
    found = at(row, f"coordinates.{axis}", float)
    return found if found is not None and abs(found) <= _FARTHEST[axis] else None


def _geo(params: GeoParams, source: SourceName, rows: Sequence[Any], read_row: Callable[[Any], Region | None]) -> Geo:
    """Return the result. rows: the rows with data."""
    if not rows:
        raise EmptyResult(f"Google Trends has no regions with enough searches for {params.q} at this place and time.")
    found = read_rows(rows, lambda row: (row, region) if (region := read_row(row)) else None, "regions[]")
    warnings = has_enough(len(found), len(rows), "regions")
    level = Counter(read_level(row, region) for row, region in found).most_common(1)[0][0]
    if params.resolution not in (None, level):
        raise EmptyResult(
            f"Google Trends has no data by {params.resolution} for {params.q} at this place and time. It "
            f"returned data by {level}."
        )
    warnings += [f"The default 'geo', {params.geo}, was ignored because countries are compared worldwide."] * (
        params.asks_the_world
    )
    return Geo(
        **{**list_request_fields(params, source, warnings), "geo": params.question.geo},
        keyword=params.q,
        resolution_requested=params.resolution,
        resolution=level,
        regions=sorted((region for _, region in found), key=lambda region: -region.value),
    )


def read_level(row: Any, region: Region) -> Resolution:
    """Return the level of a region, based on the form of its code."""
    if "coordinates" in row:
        return "CITY"
    code = region.geo_code or ""
    return "DMA" if _METRO.fullmatch(code) else "REGION" if _REGION.match(code) else "COUNTRY"


def render(r: Geo) -> str:
    page = Md(f"{r.keyword}: interest by region").facts(list_request_facts(r))
    page.paragraph("Interest is relative: 100 is where the keyword has the largest share of all searches.")
    rows = [
        (place, region.name, region.geo_code, region.value or LESS_THAN_ONE)
        for place, region in enumerate(r.regions, 1)
    ]
    page.table(LEVELS[r.resolution], ("#", "Name", "Code", "Interest"), rows)
    return write_end(page, r, r.keyword)


extractor = Extractor(
    name="trends_geo",
    path="/trends/geo",
    version=3,
    group="trends",
    title="Search interest by region",
    description=(
        "Returns where a keyword is searched for most on Google: countries, regions, metros or cities with an "
        "interest from 0 to 100, relative to all searches there. The level is detected from the returned regions. "
        "If it differs from the requested level, the request returns `empty_result`."
    ),
    params=GeoParams,
    result=Geo,
    credits=1,
    fresh=LONGEST_KEPT,
    ages=ages,
    sources=chain("GEO_MAP", "GEO_MAP_0", read, read_serpapi),
    render=render,
    ends={
        "empty_result": "No region has enough searches, or no data exists at the requested level.",
    },
    example={"q": "coffee"},
)
