import copy
import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.broken_rows import count_losses
from support.damage import damaged_json, damaged_text
from support.store import ITEM, answer, case_of, content_of, needs_samples, sample, wire
from webquarry.core.errors import Absent, ProviderError, ServiceError
from webquarry.extractors.extension_store import reviews
from webquarry.extractors.extension_store.model.params import ItemId
from webquarry.extractors.extension_store.reviews import Reviews, ReviewsParams, render

ENDPOINT = "extension_store_reviews"
RICH = content_of(ENDPOINT, "rich")


def by_call(content: Any, code: int | None = None) -> Reviews:
    return reviews.read_call(answer("x1DgCd", content, code), ReviewsParams(id=ItemId(ITEM)))


def of_sample(name: str, item: str) -> Reviews:
    return reviews.read_page(sample(name), ReviewsParams(id=ItemId(item)))


@needs_samples
class TestRecorded:
    def test_page_of_2024_holds_its_newest_reviews(self) -> None:
        item = "efaidnbmnnnibpcajpcglclefindmkaj"
        r = of_sample(f"detail_{item}_2024-04-13.html", item)
        assert (r.total, r.count, r.has_more, r.language_filter) == (11570, 3, True, "en")
        assert [(one.rating, one.version, one.language) for one in r.reviews] == [
            (4, "24.4.1.1", "en"),
            (5, "24.4.1.1", "en"),
            (4, "24.4.1.1", "en"),
        ]
        assert [one.helpful for one in r.reviews] == [None, 1, None]

    def test_replies_of_the_developer_are_read_although_the_listing_is_cut(self) -> None:
        item = "nllcnknpjnininklegdoijpljgdjkijc"
        r = of_sample(f"detail_{item}_with_dev_replies_2024-04.html", item)
        replies = [one.developer_reply for one in r.reviews]
        assert [reply and reply.author for reply in replies] == [None, "Support agent", "Support agent"]
        assert replies[1] is not None
        assert replies[1].text.startswith("Hi there!\n\nI appreciate")
        assert (r.reviews[2].helpful, r.reviews[2].not_helpful) == (None, 1)

    def test_item_without_reviews_has_an_empty_list(self) -> None:
        item = "enoefonmnokjconjjeknncmfghbidokn"
        r = of_sample(f"detail_no_ratings_{item}_2024-04-16.html", item)
        assert (r.total, r.reviews, r.has_more) == (0, [], False)

    def test_missing_item_with_an_empty_review_list_is_absent(self) -> None:
        item = "fmamogbdpldjdkjldlcicflgecgahalp"
        with pytest.raises(Absent):
            of_sample(f"detail_unavailable_{item}_2024-04-16.html", item)

    def test_answer_of_2026_is_read(self) -> None:
        read = reviews.read_call(sample("reviews_rpc_body_2026-09-16.synthetic.txt"), ReviewsParams(id=ItemId(ITEM)))
        [one] = read.reviews
        assert (one.rating, one.text, one.version, one.helpful) == (5, "Best tool!", "1.6.0", 1)
        assert one.date is not None
        assert one.date.isoformat() == "2026-09-12T11:06:49+00:00"
        assert (read.total, read.has_more) == (1, True)


class TestPlaces:
    @pytest.mark.parametrize("place", range(5))
    @pytest.mark.parametrize("added", [None, "x", []])
    def test_position_added_before_the_date_is_a_changed_response(self, place: int, added: Any) -> None:
        shifted = copy.deepcopy(RICH)
        for row in shifted[1]:
            row.insert(place, added)
        with pytest.raises(ProviderError) as caught:
            by_call(shifted)
        assert caught.value.reason == "changed"

    @pytest.mark.parametrize("place", [5, 6, 7, 8, 9, 11, 12, 13])
    def test_position_added_after_the_date_omits_later_fields(self, place: int) -> None:
        shifted = copy.deepcopy(RICH)
        shifted[1][1].insert(place, None)
        found = by_call(shifted)
        second = found.reviews[1]
        assert (second.version, second.language, second.helpful, second.developer_reply) == (None,) * 4
        assert (second.rating, second.date) == (1, by_call(RICH).reviews[1].date)
        assert found.reviews[0] == by_call(RICH).reviews[0]
        assert len(found.warnings) == 1

    def test_unreadable_rows_are_reported(self) -> None:
        found = by_call([None, [*RICH[1], "odd", [], ["id", ["x"], 9, "x", [1789211209, 0]]], 42])
        assert (found.count, found.warnings) == (3, ["3 reviews could not be parsed and were omitted."])

    @pytest.mark.parametrize("row", ["odd", [], ["id", ["x"], 9, "x", [1789211209, 0]]])
    def test_broken_review_is_one_loss(self, row: Any) -> None:
        losses = count_losses(lambda content: by_call(content).reviews, RICH, "1", row)
        assert losses["[1]"] == 1

    def test_row_of_2024_ends_before_its_item(self) -> None:
        older = [[*row[:14]] for row in RICH[1]]
        assert by_call([RICH[0], older, 42]).reviews == by_call(RICH).reviews


class TestMore:
    @pytest.mark.parametrize(
        ("first", "has_more"), [([["t"]][0], True), ([], False), (None, False), ([None], False), ([""], False)]
    )
    def test_a_token_means_that_there_is_more(self, first: Any, has_more: bool) -> None:
        assert by_call([first, RICH[1], 3]).has_more is has_more

    def test_no_reviews_are_an_empty_list_only_by_the_stores_own_mark(self) -> None:
        assert (by_call([[]]).reviews, by_call([[]]).total) == ([], 0)
        assert by_call([None, [], 130]).total == 130
        others: list[Any] = [[], [None], [["token"]], [1], {}, "x", [[[]]], [None, None, 0]]
        for content in others:
            with pytest.raises(ProviderError) as caught:
                by_call(content)
            assert caught.value.reason == "changed"

    def test_call_that_knows_no_item_is_absent(self) -> None:
        with pytest.raises(Absent):
            by_call(None, 3)


class TestRequests:
    def test_pages_are_requested_newest_first_with_a_hundred_rows(self) -> None:
        first, second = case_of(ENDPOINT, "two_pages").exchanges
        item = case_of(ENDPOINT, "two_pages").params["id"]
        asked = [_arguments(exchange.request.body) for exchange in (first, second)]
        token = json.loads(json.loads(first.answered().body.decode().split("\n")[3])[0][2])[0][0]
        assert asked == [
            ["x1DgCd", [item, [100], 2, None, None, None, 0]],
            ["x1DgCd", [item, [100, token], 2, None, None, None, 0]],
        ]
        query = parse_qs(urlsplit(first.request.url).query)
        assert (query["hl"], query["rpcids"]) == (["en"], ["x1DgCd"])
        assert query["source-path"] == [f"/detail/{item}/reviews"]

    def test_session_and_build_of_the_page_are_sent_with_the_call(self) -> None:
        page, call = case_of(ENDPOINT, "by_the_page_call").exchanges[1:]
        assert urlsplit(page.request.url).path.endswith("/reviews")
        query = parse_qs(urlsplit(call.request.url).query)
        assert query["f.sid"] == ["-256032010875875347"]
        assert query["bl"] == ["boq_chrome-webstore-consumerfe-ui_20261103.06_p0"]


def _arguments(body: bytes | None) -> list[Any]:
    [[[name, arguments, *_]]] = json.loads(parse_qs((body or b"").decode())["f.req"][0])
    return [name, json.loads(arguments)]


@given(st.data())
def test_damaged_answer_is_reviews_or_an_error(data: st.DataObject) -> None:
    try:
        assert render(by_call(damaged_json(data, RICH)))
    except ServiceError:
        return


@given(st.data())
def test_damaged_page_is_reviews_or_an_error(data: st.DataObject) -> None:
    case = case_of(ENDPOINT, "by_the_page")
    text = case.exchanges[1].answered().body.decode()
    try:
        assert render(reviews.read_page(wire(damaged_text(data, text)), ReviewsParams(id=ItemId(case.params["id"]))))
    except ServiceError:
        return
