import copy
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.broken_rows import count_losses
from support.damage import damaged_json, damaged_text
from support.store import ITEM, answer, case_of, content_of, needs_samples, sample, wire
from webquarry.core.errors import Absent, InvalidParams, ProviderError, ServiceError
from webquarry.endpoints.params import parse
from webquarry.extractors.extension_store.extension import extractor, render
from webquarry.extractors.extension_store.model.params import ItemId, ItemParams
from webquarry.extractors.extension_store.sources.webstore import listing
from webquarry.extractors.extension_store.sources.webstore.listing import Listing

RICH = content_of("extension_store_extension", "rich")


def by_call(content: Any, code: int | None = None, item: str = ITEM) -> Listing:
    return listing.read_call(answer("xY2Ddd", content, code), ItemParams(id=ItemId(item)))


def by_page(name: str, item: str) -> Listing:
    return listing.read_page(sample(name), ItemParams(id=ItemId(item)))


@pytest.mark.parametrize("row", [7, [], [None, "not an address"]])
def test_broken_screenshot_is_one_loss(row: Any) -> None:
    assert count_losses(lambda content: by_call(content).screenshots, RICH, "5", row)["[5]"] == 1


@needs_samples
class TestRecorded:
    def test_listing_of_2024_is_read_completely(self) -> None:
        item = "efaidnbmnnnibpcajpcglclefindmkaj"
        r = by_page(f"detail_{item}_2024-04-13.html", item)
        assert (r.name, r.kind, r.category) == (
            "Adobe Acrobat: PDF edit, convert, sign tools",
            "extension",
            "productivity/workflow",
        )
        assert (r.rating, r.rating_count, r.user_count) == (4.360318253951001, 46001, 200_000_000)
        assert (r.version, r.size, r.file_size) == ("24.4.1.1", "1.31MiB", 1_373_635)
        assert r.updated_at == datetime(2024, 4, 11, 10, 34, 50, tzinfo=UTC)
        assert (r.published_at, r.homepage, r.min_chrome_version) == (None, "https://www.adobe.com", "107.0")
        assert r.developer
        assert (r.developer.name, r.developer.verified) == ("Adobe Inc.", True)
        assert (len(r.languages), len(r.screenshots), r.warnings) == (27, 6, [])

    def test_item_without_users_and_ratings_has_no_places_for_them(self) -> None:
        item = "enoefonmnokjconjjeknncmfghbidokn"
        r = by_page(f"detail_no_ratings_{item}_2024-04-16.html", item)
        assert (r.rating, r.rating_count, r.user_count) == (None, 0, None)
        assert (r.version, r.file_size, r.screenshots) == ("0.1.2", 6083, [])

    def test_page_with_truncated_data_is_read_from_its_tags(self) -> None:
        item = "nllcnknpjnininklegdoijpljgdjkijc"
        r = by_page(f"detail_{item}_with_dev_replies_2024-04.html", item)
        assert (r.name, r.rating, r.user_count) == ("Wordtune: Generative AI productivity platform", 4.6, 1_000_000)
        assert (r.rating_count, r.version, r.warnings) == (None, None, [listing.FROM_TAGS])

    def test_page_that_shows_no_item_is_absent(self) -> None:
        item = "fmamogbdpldjdkjldlcicflgecgahalp"
        with pytest.raises(Absent):
            by_page(f"detail_unavailable_{item}_2024-04-16.html", item)

    def test_page_about_another_item_is_a_changed_response(self) -> None:
        with pytest.raises(ProviderError) as caught:
            by_page("detail_no_ratings_enoefonmnokjconjjeknncmfghbidokn_2024-04-16.html", ITEM)
        assert caught.value.reason == "changed"


class TestPlaces:
    @pytest.mark.parametrize("place", range(12))
    @pytest.mark.parametrize("added", [None, 1, "x", []])
    def test_position_added_within_the_item_is_a_changed_response(self, place: int, added: Any) -> None:
        shifted = copy.deepcopy(RICH)
        shifted[0].insert(place, added)
        with pytest.raises(ProviderError) as caught:
            by_call(shifted)
        assert caught.value.reason == "changed"

    @pytest.mark.parametrize("place", [12, 13, 14])
    @pytest.mark.parametrize("added", [None, 1])
    def test_position_added_before_the_users_omits_them(self, place: int, added: Any) -> None:
        shifted = copy.deepcopy(RICH)
        shifted[0].insert(place, added)
        found = by_call(shifted)
        assert (found.user_count, found.published_at, found.warnings) == (None, None, [listing.ITEM_MOVED])
        assert found.rating == by_call(RICH).rating

    @pytest.mark.parametrize("place", [1, 5, 6, 9, 10, 11, 13])
    def test_position_added_in_the_listing_omits_its_details(self, place: int) -> None:
        shifted = copy.deepcopy(RICH)
        shifted.insert(place, None)
        found = by_call(shifted)
        assert found.warnings == [listing.DETAILS_MOVED]
        assert (found.version, found.updated_at, found.size, found.developer, found.description) == (None,) * 5
        assert found.name == by_call(RICH).name

    def test_position_added_in_the_developer_omits_the_developer(self) -> None:
        shifted = copy.deepcopy(RICH)
        shifted[10].insert(0, None)
        found = by_call(shifted)
        assert (found.developer, found.warnings) == (None, [listing.DEVELOPER_MOVED])

    @pytest.mark.parametrize("place", [3, 4])
    def test_verified_is_read_at_either_position(self, place: int) -> None:
        other = copy.deepcopy(RICH)
        other[10][3:5] = [None, None]
        other[10][place] = True
        found = by_call(other).developer
        assert found
        assert found.verified is True

    @pytest.mark.parametrize(
        ("site", "address"),
        [
            ("www.example.com", "https://www.example.com"),
            ("https://example.com/x", "https://example.com/x"),
            ("two words", None),
            (None, None),
        ],
    )
    def test_site_is_a_url_with_or_without_a_scheme(self, site: Any, address: Any) -> None:
        other = copy.deepcopy(RICH)
        other[0][7] = site
        assert by_call(other).homepage == address


class TestAnswersThatAreNone:
    @pytest.mark.parametrize("code", [3, 5, 7])
    def test_call_that_knows_no_item_is_absent(self, code: int) -> None:
        with pytest.raises(Absent):
            by_call(None, code)

    @pytest.mark.parametrize("code", [8, 13, 14])
    def test_other_error_of_the_call_is_a_refusal(self, code: int) -> None:
        with pytest.raises(ProviderError) as caught:
            by_call(None, code)
        assert caught.value.reason == "refused"

    def test_call_without_data_and_without_a_reason_is_absent(self) -> None:
        with pytest.raises(Absent):
            by_call(None)

    @pytest.mark.parametrize("content", [[], [[]], {}, "x", [[ITEM]], [[ITEM, None, "x", 0, 0, 0, 0, 0, 0, 0, 0, 1]]])
    def test_other_content_is_a_changed_response(self, content: Any) -> None:
        with pytest.raises(ProviderError) as caught:
            by_call(content)
        assert caught.value.reason == "changed"

    def test_page_without_data_and_tags_is_a_block_page(self) -> None:
        with pytest.raises(ProviderError) as caught:
            listing.read_page(wire("<html><body></body></html>"), ItemParams(id=ItemId(ITEM)))
        assert caught.value.reason == "blocked"


@pytest.mark.parametrize(
    ("size", "count"),
    [("1.31MiB", 1_373_635), ("236KiB", 241_664), ("1.5MB", 1_500_000), ("12B", 12), ("odd", None), (None, None)],
)
def test_size_is_a_number_of_bytes(size: str | None, count: int | None) -> None:
    assert listing.parse_size(size) == count


@pytest.mark.parametrize(
    "address",
    [
        f"https://chromewebstore.google.com/detail/{ITEM}",
        f"https://chromewebstore.google.com/detail/some-name/{ITEM}/reviews?hl=de#top",
        f"http://chrome.google.com/webstore/detail/{ITEM}/",
        f"https://chrome.google.com/webstore/detail/some%20name/{ITEM}/support",
        f"chromewebstore.google.com/detail/x/{ITEM}",
    ],
)
def test_every_address_of_a_listing_names_its_item(address: str) -> None:
    params = parse(ItemParams, [("url", address)])
    assert extractor.identity
    assert extractor.identity(params) == {"id": ITEM}


@pytest.mark.parametrize(
    "address",
    [
        f"https://example.com/detail/{ITEM}",
        "https://chromewebstore.google.com/detail/some-name",
        f"https://chromewebstore.google.com/category/{ITEM}",
        f"https://chrome.google.com/detail/{ITEM}x",
        "https://chromewebstore.google.com/",
        "https://[",
        "",
    ],
)
def test_other_addresses_are_refused(address: str) -> None:
    with pytest.raises(InvalidParams):
        parse(ItemParams, [("url", address)])


@given(st.data())
def test_damaged_answer_is_a_listing_or_an_error(data: st.DataObject) -> None:
    try:
        assert render(by_call(damaged_json(data, RICH)))
    except ServiceError:
        return


@given(st.data())
def test_damaged_page_is_a_listing_or_an_error(data: st.DataObject) -> None:
    found = case_of("extension_store_extension", "by_the_page")
    text = found.exchanges[1].answered().body.decode()
    try:
        assert render(listing.read_page(wire(damaged_text(data, text)), ItemParams(id=ItemId(found.params["id"]))))
    except ServiceError:
        return
