"""Portions of responses: excerpts for a query, token budgets, picked fields, blocks, and `only-if-cached`."""

from hashlib import sha256
from urllib.parse import urlencode

import pytest

from convert_support.portable import Sheet, portable
from support.client import Client
from webquarry.endpoints.registry import load
from webquarry.endpoints.snippets import example_path
from webquarry.excerpts.tokens import estimate

PAGE = example_path(load().by_name["markdown_url"])
LONG = "/api/v1/markdown/url?url=" + "https%3A%2F%2Fexample.com%2Farticles%2Ftables"
SEARCH = example_path(load().by_name["search"])
EXAMPLES = {extractor.name: example_path(extractor) for extractor in load()}
ONLY_CACHED = "Cache-Control: only-if-cached"


def call(path: str, **query: str) -> str:
    return f"{path}{'&' if '?' in path else '?'}{urlencode(query)}"


def test_a_query_returns_excerpts_of_the_whole_markdown(client: Client) -> None:
    whole = client.ask(PAGE).json
    reply = client.ask(call(PAGE, query="hydration of the dough", max_tokens="200")).json
    assert (reply["id"], reply["cached"], reply["creditsCharged"]) == (whole["id"], True, 0)
    assert 0 < len(reply["excerpts"]) <= reply["matched"]
    assert estimate(reply["markdown"]) == reply["tokens"] <= 200
    assert reply["omitted"]["tokens"] > 0
    for excerpt in reply["excerpts"]:
        assert excerpt["text"] in whole["markdown"]
        assert excerpt["text"] in reply["markdown"]
        assert excerpt["sha256"] == sha256(excerpt["text"].encode()).hexdigest()
    assert reply["data"] == whole["data"]


def test_an_excerpt_can_be_verified_by_its_block(client: Client) -> None:
    reply = client.ask(call(PAGE, query="hydration")).json
    excerpt = reply["excerpts"][0]
    block = client.ask(f"/api/v1/conversions/{reply['id']}?block={excerpt['block']}").json
    (found,) = block["excerpts"]
    assert {**found, "score": excerpt["score"]} == excerpt
    assert not {"data", "markdown"} & block.keys()


def test_a_stored_conversion_answers_further_queries(client: Client) -> None:
    whole = client.ask(PAGE).json
    reply = client.ask(call(f"/api/v1/conversions/{whole['id']}", query="hydration", format="markdown")).json
    assert reply["excerpts"]
    assert "data" not in reply


def test_the_portion_is_not_part_of_the_request(client: Client) -> None:
    first = client.ask(call(PAGE, query="bread"), "Cache-Control: no-cache").json
    assert (first["cached"], first["creditsCharged"]) == (False, 1)
    for portion in ({}, {"query": "salt"}, {"max_tokens": "300"}, {"fields": "title"}, {"footer": "false"}):
        later = client.ask(call(PAGE, **portion)).json
        assert (later["id"], later["cached"], later["creditsCharged"]) == (first["id"], True, 0)


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_endpoint_shortens_its_markdown(client: Client, name: str) -> None:
    extractor = load().by_name[name]
    if extractor.upload is not None:
        reply = client.upload(extractor.upload.example.body, "a", "?max_tokens=200")
    else:
        reply = client.ask(call(EXAMPLES[name], max_tokens="200", format="markdown"))
    assert reply.status == 200, reply.text
    assert estimate(reply.json["markdown"]) == reply.json["tokens"] <= 200
    assert reply.json["excerpts"] is None


def test_a_long_table_is_shortened_to_whole_rows_below_its_head(client: Client) -> None:
    reply = client.ask(call(PAGE, max_tokens="400")).json
    assert estimate(reply["markdown"]) <= 400


def test_markdown_responses_are_shortened_too(client: Client) -> None:
    reply = client.ask(call(PAGE, query="hydration", max_tokens="200"), "Accept: text/markdown")
    assert reply.headers["content-type"].startswith("text/markdown")
    assert "hydration" in reply.text
    assert estimate(reply.text) <= 200


def test_fields_pick_from_the_data(client: Client) -> None:
    whole = client.ask(SEARCH).json["data"]
    picked = client.ask(call(SEARCH, fields="organic_results[].title,link", format="json")).json
    assert "data" not in picked
    assert picked["fields"] == {
        "organic_results": [{"title": row["title"], "link": row["link"]} for row in whole["organic_results"]]
    }


def test_the_footer_can_be_left_out(client: Client) -> None:
    with_footer = client.ask(PAGE).json["markdown"]
    without = client.ask(call(PAGE, footer="false")).json["markdown"]
    assert with_footer.startswith(without)
    assert with_footer.removeprefix(without).strip().startswith("*Fetched ")


@pytest.mark.parametrize(
    ("portion", "words"),
    [
        ({"query": ""}, "'query' is empty"),
        ({"query": "x" * 513}, "at most 512"),
        ({"max_tokens": "199"}, "from 200 to 100000"),
        ({"max_tokens": "many"}, "from 200 to 100000"),
        ({"max_tokens": "500", "format": "json"}, "shortens the markdown"),
        ({"fields": "titel"}, "did you mean 'title'?"),
        ({"fields": "title", "format": "markdown"}, "set `format` to json or both"),
        ({"fields": "a..b"}, "names separated by commas"),
        ({"footer": "no"}, "must be true or false"),
        ({"max_token": "500"}, "did you mean 'max_tokens'?"),
    ],
)
def test_an_invalid_portion_is_refused_and_free(client: Client, portion: dict[str, str], words: str) -> None:
    reply = client.ask(call(PAGE, **portion), "Cache-Control: no-cache")
    assert (reply.status, reply.code) == (400, "invalid_params")
    assert words in reply.json["error"]
    assert reply.headers["x-credits-charged"] == "0"


@pytest.mark.parametrize(
    ("query", "words"),
    [("block=100000", "must be from 0 to"), ("block=-1", "0 or more"), ("block=1&query=a", "can't be combined")],
)
def test_a_block_that_does_not_exist_is_refused(client: Client, query: str, words: str) -> None:
    whole = client.ask(PAGE).json
    reply = client.ask(f"/api/v1/conversions/{whole['id']}?{query}")
    assert reply.status == 400
    assert words in reply.json["error"]


def test_only_if_cached_answers_from_the_cache_or_not_at_all(client: Client) -> None:
    client.ask(PAGE)
    assert client.ask(PAGE, ONLY_CACHED).json["cached"] is True
    missing = client.ask(call(PAGE, url="https://example.com/never-fetched"), ONLY_CACHED)
    assert missing.status == 400  # the URL is sent twice
    missing = client.ask("/api/v1/search?q=never+asked+before", ONLY_CACHED)
    assert (missing.status, missing.code) == (404, "not_cached")
    assert missing.headers["x-credits-charged"] == "0"
    assert missing.headers["x-retryable"] == "false"


def test_chunks_have_the_whole_markdown(client: Client) -> None:
    whole = client.ask(call(PAGE, footer="false")).json["markdown"]
    reply = client.ask(call(PAGE, chunks="100", format="json")).json
    assert "markdown" not in reply
    words = [word for chunk in reply["chunks"] for word in chunk["text"].split()]
    assert set(words) >= set(whole.split())
    assert all(chunk["tokens"] == estimate(chunk["text"]) for chunk in reply["chunks"])
    assert any(len(chunk["heading_path"]) > 1 for chunk in reply["chunks"])


BOOK = portable(
    *(
        Sheet().text(72, 400 - 60 * page, f"Page number {page} is about {subject}.").text(72, 420, "It ends here.")
        for page, subject in enumerate(("bread", "wine", "cheese"), 1)
    )
)


def test_pages_are_marked_and_have_positions(client: Client) -> None:
    whole = client.upload(BOOK, "book.pdf").json
    reply = client.ask(f"/api/v1/conversions/{whole['id']}?pages=true").json
    assert [each["page"] for each in reply["pages"]] == [1, 2, 3]
    for each, subject in zip(reply["pages"], ("bread", "wine", "cheese"), strict=True):
        text = reply["markdown"][each["start"] : each["end"]]
        assert text.startswith(f"Page number {each['page']} is about {subject}.")
        assert reply["markdown"][: each["start"]].endswith(f"<!-- page {each['page']} -->\n\n")
    unmarked = [line for line in reply["markdown"].split("\n\n") if not line.startswith("<!-- page")]
    assert "\n\n".join(unmarked) == whole["markdown"]
    assert reply["data"] == whole["data"]
    assert client.upload(BOOK, "book.pdf", "?pages=true").json["pages"] == reply["pages"]


def test_excerpts_and_chunks_name_their_page(client: Client) -> None:
    id = client.upload(BOOK, "book.pdf").json["id"]
    reply = client.ask(f"/api/v1/conversions/{id}?query=cheese").json
    assert [excerpt["page"] for excerpt in reply["excerpts"]] == [3]
    assert "pages" not in reply
    block = reply["excerpts"][0]["block"]
    assert client.ask(f"/api/v1/conversions/{id}?block={block}").json["excerpts"][0]["page"] == 3
    reply = client.ask(f"/api/v1/conversions/{id}?query=cheese&pages=true").json
    assert reply["markdown"].startswith("…\n\n<!-- page 3 -->\n\nPage number 3")
    assert [each["page"] for each in reply["pages"]] == [3]
    reply = client.ask(f"/api/v1/conversions/{id}?chunks=100").json
    assert [chunk["page"] for chunk in reply["chunks"]] == [1]


def test_a_result_without_pages_has_no_page_markers(client: Client) -> None:
    whole = client.ask(PAGE).json
    reply = client.ask(call(PAGE, pages="true")).json
    assert (reply["pages"], reply["markdown"]) == ([], whole["markdown"])
    assert client.ask(call(SEARCH, pages="true", format="json")).json["pages"] == []


def test_a_fetched_document_keeps_its_pages_in_the_cache(client: Client) -> None:
    path = "/api/v1/markdown/url?url=https%3A%2F%2Fexample.com%2Freports%2Fbrewing.pdf"
    first = client.ask(call(path, pages="true")).json
    again = client.ask(call(path, pages="true")).json
    assert again["cached"]
    assert first["pages"] == again["pages"] != []
    assert len(first["pages"]) == first["data"]["pages"]


def test_chunks_of_an_excerpt_are_refused(client: Client) -> None:
    reply = client.ask(call(PAGE, chunks="100", query="salt"))
    assert reply.status == 400
    assert "divides the whole markdown" in reply.json["error"]
