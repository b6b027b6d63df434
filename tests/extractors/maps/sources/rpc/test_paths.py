import json
from copy import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.kit import KIT
from support.damage import JUNK
from webquarry.extractors.maps.sources.rpc import paths
from webquarry.extractors.maps.sources.rpc.paths import TABLE
from webquarry.extractors.maps.sources.rpc.reader import CLOSED
from webquarry.read.facts import Fact, Rows, Way

SAMPLES = KIT / "upstreams/samples/maps"
needs_samples = pytest.mark.skipif(not SAMPLES.exists(), reason="the samples are not here")
SEARCH, CLAIMED, UNCLAIMED = (
    "tbm-map-search-coffee-2024-12",
    "preview-place-kipriakon-en-2023-09",
    "preview-place-island-beach-unclaimed-2023-09",
)


def sample(name: str) -> Any:
    return json.loads((SAMPLES / f"{name}.json").read_bytes())


class TestFacts:
    @given(JUNK, st.sampled_from(sorted(TABLE)))
    def test_every_value_gives_a_fact_or_none(self, body: Any, name: str) -> None:
        for depth in range(3):
            TABLE[name].of(body)
            body = [body] * (depth + 1)


class TestTable:
    def test_facts_of_one_array_have_distinct_paths(self) -> None:
        ways = [way.path for name in OF_A_PLACE for way in TABLE[name].ways]
        assert sorted(ways) == sorted(set(ways))

    @needs_samples
    @pytest.mark.parametrize("name", sorted(TABLE))
    def test_recorded_paths_have_values_and_unproven_paths_have_none(self, name: str) -> None:
        arrays = holders(name)
        for way in TABLE[name].ways:
            fact = copy(TABLE[name])
            fact.ways = (way,)
            found = [fact.of(array) for array in arrays]
            leads = any(value in CLOSED if name == "CLOSED_MARK" else value is not None for value in found)
            assert leads is (way.evidence == "recorded"), way


OF_AN_ANSWER = ("QUERY", "FOUND", "FOUND_OTHERWISE", "THE_PLACE")
OF_A_FOUND_ROW = ("PLACE_FOUND", "PLACE_FOUND_OTHERWISE")
OF_A_PLACE = (
    "NAME", "FID", "PLACE_ID", "KGMID", "ADDRESS", "ADDRESS_WITH_NAME", "ADDRESS_LINES", "COMPONENTS", "PLUS_CODE",
    "LATITUDE", "LONGITUDE", "RATING", "REVIEW_COUNT", "PRICE", "TYPES", "WEBSITE", "PHONES", "PHONE", "DAYS",
    "OLDER_DAYS", "OPEN_STATE", "CLOSED_MARK", "OWNER_ID", "CLAIM_LINK", "TIMEZONE", "THUMBNAIL", "CANONICAL_URL",
    "BOOKINGS", "ORDERS", "MENU_LINK", "EDITORIAL", "OWNER_TEXT", "HISTOGRAM", "SECTIONS", "PHOTO_COUNT", "BUSY_DAYS",
)  # fmt: skip
OF_ROWS: dict[str, tuple[Fact[Any], ...]] = {
    **dict.fromkeys(("NEIGHBORHOOD", "STREET", "CITY", "POSTAL_CODE", "STATE", "COUNTRY_CODE"), (paths.COMPONENTS,)),
    **dict.fromkeys(("PHONE_TEXT", "PHONE_FORM"), (paths.PHONES,)),
    **dict.fromkeys(("DAY", "DAY_NUMBER", "DAY_HOURS", "DAY_STATE", "DAY_SPANS"), (paths.DAYS,)),
    **dict.fromkeys(("OPENS", "CLOSES"), (paths.DAYS, paths.DAY_SPANS)),
    **dict.fromkeys(("OLDER_DAY_HOURS", "OLDER_DAY_DATE", "OLDER_DAY_STATE", "OLDER_DAY_SPANS"), (paths.OLDER_DAYS,)),
    **dict.fromkeys(
        ("OLDER_OPENS_HOUR", "OLDER_OPENS_MINUTE", "OLDER_CLOSES_HOUR", "OLDER_CLOSES_MINUTE"),
        (paths.OLDER_DAYS, paths.OLDER_DAY_SPANS),
    ),
    **dict.fromkeys(("BOOKING_LINK", "BOOKING_SOURCE"), (paths.BOOKINGS,)),
    **dict.fromkeys(("ORDER_LINK", "ORDER_SOURCE"), (paths.ORDERS,)),
    **dict.fromkeys(("SECTION_NAME", "OPTIONS"), (paths.SECTIONS,)),
    **dict.fromkeys(
        ("OPTION_NAME", "OPTION_KIND", "OPTION_ON", "OPTION_TEXT", "OPTION_TEXTS"), (paths.SECTIONS, paths.OPTIONS)
    ),
    **dict.fromkeys(("WEEKDAY", "BUSY_HOURS"), (paths.BUSY_DAYS,)),
    **dict.fromkeys(("HOUR", "PERCENT"), (paths.BUSY_DAYS, paths.BUSY_HOURS)),
}
"""The rows within a place that the facts belong to."""


def holders(name: str) -> list[Any]:
    """Return the arrays in the samples that contain a fact of this name."""
    answers = [sample(SEARCH), sample(CLAIMED), sample(UNCLAIMED)]
    if name in OF_AN_ANSWER:
        return answers
    rows = answers[0][0][1]
    if name in OF_A_FOUND_ROW:
        return list(rows)
    arrays: list[Any] = [row[14] for row in rows[1:]] + [answer[6] for answer in answers[1:]]
    for fact in () if name in OF_A_PLACE else OF_ROWS[name]:
        found = [fact.of(array) or [] for array in arrays]
        arrays = [row for rows_of_one in found for row in rows_of_one] if isinstance(fact, Rows) else found
    return arrays


def test_every_name_of_the_table_has_its_array() -> None:
    assert {*OF_AN_ANSWER, *OF_A_FOUND_ROW, *OF_A_PLACE, *OF_ROWS} == TABLE.keys()
    assert all(isinstance(way, Way) for fact in TABLE.values() for way in fact.ways)
