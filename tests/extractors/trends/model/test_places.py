import pytest

from webquarry.core.errors import InvalidParams
from webquarry.endpoints.params import parse
from webquarry.extractors.trends.geo import GeoParams
from webquarry.extractors.trends.interest import InterestParams
from webquarry.extractors.trends.model.trending_result import TrendingParams


@pytest.mark.parametrize(
    ("geo", "taken"),
    [
        ("US", "US"),
        ("us", "US"),
        ("", ""),
        ("us-ca", "US-CA"),
        ("JP-13", "JP-13"),
        ("US-CA-807", "US-CA-807"),
        ("uk", "GB"),
        ("gb-eng", "GB-ENG"),
    ],
)
def test_place_is_normalized(geo: str, taken: str) -> None:
    assert parse(InterestParams, [("q", "coffee"), ("geo", geo)]).geo == taken


def test_place_is_the_united_states_unless_given() -> None:
    assert parse(InterestParams, [("q", "coffee")]).geo == "US"
    assert parse(TrendingParams, []).geo == "US"


@pytest.mark.parametrize(
    "geo", ["1", "USA", "USA-CA-1", "ZZ", "US-", "US-CALI", "US-CA-80", "US-CA-8070", "US CA", "ÜS", "U\u0131"]
)
def test_other_places_are_refused(geo: str) -> None:
    with pytest.raises(InvalidParams, match="Parameter 'geo'"):
        parse(InterestParams, [("q", "coffee"), ("geo", geo)])


@pytest.mark.parametrize(("geo", "taken"), [("us", "US"), ("GB", "GB"), ("uk", "GB")])
def test_country_is_normalized(geo: str, taken: str) -> None:
    assert parse(TrendingParams, [("geo", geo)]).geo == taken


@pytest.mark.parametrize("geo", ["USA", "1", "", "ZZ", "US-CA"])
def test_trending_takes_countries_only(geo: str) -> None:
    with pytest.raises(InvalidParams, match="Parameter 'geo'"):
        parse(TrendingParams, [("geo", geo)])


@pytest.mark.parametrize(
    ("geo", "resolution", "is_taken"),
    [
        ("", "COUNTRY", True),
        ("", "CITY", True),
        ("US", "COUNTRY", False),
        ("US", "REGION", True),
        ("US", "DMA", True),
        ("US", "CITY", True),
        ("DE", "REGION", True),
        ("DE", "DMA", False),
        ("DE", "CITY", True),
        ("US-CA", "REGION", False),
        ("US-CA", "DMA", True),
        ("DE-BY", "DMA", False),
        ("DE-BY", "CITY", True),
        ("US-CA-807", "DMA", False),
        ("US-CA-807", "CITY", True),
    ],
)
def test_resolution_is_a_level_below_the_place(geo: str, resolution: str, is_taken: bool) -> None:
    query = [("q", "coffee"), ("geo", geo), ("resolution", resolution)]
    if is_taken:
        assert parse(GeoParams, query).division == resolution
    else:
        with pytest.raises(InvalidParams, match="Parameter 'resolution' must be one of"):
            parse(GeoParams, query)


@pytest.mark.parametrize("q", ["a,b,c,d,e,f", "a,,b", ",a", "a,", ",", "a, ,b"])
def test_keywords_are_one_to_five_and_none_is_empty(q: str) -> None:
    with pytest.raises(InvalidParams, match="Parameter 'q'"):
        parse(InterestParams, [("q", q)])


def test_keywords_are_separated_by_commas() -> None:
    params = parse(InterestParams, [("q", ' flat white ,tea,  a+b,"c d", /m/02vqfm')])
    assert params.keywords == ("flat white", "tea", "a+b", '"c d"', "/m/02vqfm")
    assert params.q == 'flat white,tea,a+b,"c d",/m/02vqfm'


def test_comma_belongs_to_the_keyword_in_other_endpoints() -> None:
    assert parse(GeoParams, [("q", "salt, pepper")]).keywords == ("salt, pepper",)
