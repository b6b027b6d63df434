"""A search with excerpts: the first pages are read under one hold, and only pages that were read are charged."""

from urllib.parse import urlencode

import pytest

from support.client import Client
from support.sandbox import Sandbox

ONLY_CACHED = "Cache-Control: only-if-cached"
FRESH = "Cache-Control: no-cache"


def search(**query: str) -> str:
    return f"/api/v1/search?{urlencode({'q': 'coffee', **query})}"


def test_pages_that_were_read_have_excerpts_and_are_charged(client: Client) -> None:
    reply = client.ask(search(**{"with": "excerpts"}), FRESH)
    assert (reply.status, reply.json["cached"]) == (200, False), reply.text
    rows = reply.json["data"]["organic_results"]
    read = [row for row in rows if "excerpts" in row]
    assert [row["position"] for row in read] == [1, 2, 3]
    assert reply.json["creditsCharged"] == int(reply.headers["x-credits-charged"]) == 1 + len(read)
    for row in read:
        page = client.ask(f"/api/v1/conversions/{row['conversion_id']}").json
        assert page["data"]["url"] == row["link"]
        assert row["excerpts"]
        for excerpt in row["excerpts"]:
            assert excerpt["text"] in page["markdown"]
            assert excerpt["text"] in reply.json["markdown"]


def test_pages_that_failed_are_named_and_free(client: Client) -> None:
    reply = client.ask(search(**{"with": "excerpts"})).json
    rows = reply["data"]["organic_results"]
    for row in rows[3:5]:
        assert "excerpts" not in row
        assert any(text.startswith(f"Result {row['position']} (") for text in reply["data"]["warnings"])
    assert not any(f"Result {row['position']} (" in text for row in rows[5:] for text in reply["data"]["warnings"])


def test_cached_pages_are_free(client: Client) -> None:
    client.ask(search(num="3", **{"with": "excerpts"}))
    again = client.ask(search(num="3", **{"with": "excerpts"})).json
    assert (again["cached"], again["creditsCharged"]) == (True, 0)
    assert [("excerpts" in row) for row in again["data"]["organic_results"]] == [True, True, True]


def test_fewer_results_read_fewer_pages(client: Client) -> None:
    client.ask(search(num="2"), FRESH)
    reply = client.ask(search(num="2", **{"with": "excerpts"})).json
    assert [("excerpts" in row) for row in reply["data"]["organic_results"]] == [True, True]


def test_a_plain_search_is_the_same_as_before(client: Client) -> None:
    plain = client.ask(search(num="3"), FRESH).json
    client.ask(search(num="3", **{"with": "excerpts"}))
    later = client.ask(search(num="3")).json
    assert (later["id"], later["data"], later["markdown"]) == (plain["id"], plain["data"], plain["markdown"])
    assert not any("excerpts" in row or "conversion_id" in row for row in later["data"]["organic_results"])


def test_the_result_can_be_fetched_again_and_shortened(client: Client) -> None:
    reply = client.ask(search(num="2", **{"with": "excerpts"})).json
    assert client.ask(f"/api/v1/conversions/{reply['id']}").json["data"] == reply["data"]
    picked = client.ask(
        f"/api/v1/conversions/{reply['id']}?format=json&fields=organic_results%5B%5D.link,excerpts"
    ).json["fields"]
    assert [list(row) for row in picked["organic_results"]] == [["link", "excerpts"]] * 2


def test_the_maximum_is_reserved_unless_everything_is_cached(client: Client, sandbox: Sandbox) -> None:
    poor = sandbox.open_account("poor-reader@example.com", 2)
    refused = client.ask(search(num="3", **{"with": "excerpts"}), FRESH, key=poor)
    assert (refused.status, refused.code) == (402, "insufficient_credits")
    assert "4 credits" in refused.json["error"]
    client.ask(search(num="3", **{"with": "excerpts"}))
    assert client.ask(search(num="3", **{"with": "excerpts"}), key=poor).json["creditsCharged"] == 0


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (search(**{"with": "pages"}), "must be one of excerpts"),
        (search(**{"with": ""}), "must be one of excerpts"),
        (f"{search()}&with=excerpts&with=excerpts", "send it once"),
        ("/api/v1/trends/interest?q=a&with=excerpts", "Unknown parameter 'with'"),
    ],
)
def test_with_is_refused_for_other_values_and_endpoints(client: Client, path: str, words: str) -> None:
    reply = client.ask(path)
    assert (reply.status, reply.code) == (400, "invalid_params")
    assert words in reply.json["error"]
    assert reply.headers["x-credits-charged"] == "0"


def test_only_if_cached_fetches_nothing(client: Client) -> None:
    reply = client.ask(search(**{"with": "excerpts"}), ONLY_CACHED)
    assert (reply.status, reply.code) == (404, "not_cached")
