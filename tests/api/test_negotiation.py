"""Markdown responses and compressed bodies, for clients that request them."""

import gzip

import orjson
import pytest
import zstandard

from support.client import Client
from webquarry.api.negotiation import COMPRESSED_FROM, choose_coding, prefers_markdown
from webquarry.endpoints.registry import load
from webquarry.endpoints.snippets import example_path

LARGE = example_path(load().by_name["trends_interest"])
SMALL = example_path(load().by_name["domain_registration"])


@pytest.mark.parametrize(
    ("accept", "wanted"),
    [
        ("text/markdown", True),
        ("Text/Markdown;q=0.5, */*;q=0.1", True),
        ("text/markdown, application/json", True),
        ("text/markdown;q=0.4, application/json;q=0.5", False),
        ("text/markdown;q=0", False),
        ("text/markdown;q=high", False),
        ("application/json", False),
        ("*/*", False),
        ("text/*", False),
        ("", False),
    ],
)
def test_markdown_is_chosen_if_preferred_to_json(accept: str, wanted: bool) -> None:
    assert prefers_markdown(accept) == wanted


@pytest.mark.parametrize(
    ("accepted", "chosen"),
    [
        ("gzip, deflate, br, zstd", "zstd"),
        ("gzip, deflate, br", "gzip"),
        ("zstd;q=0.5, gzip", "gzip"),
        ("zstd;q=0, gzip;q=0", None),
        ("br", None),
        ("*", None),
        ("identity", None),
        ("", None),
    ],
)
def test_the_best_coding_that_the_caller_names_is_chosen(accepted: str, chosen: str | None) -> None:
    assert choose_coding(accepted) == chosen


def test_markdown_is_sent_alone_with_metadata_in_headers(client: Client) -> None:
    envelope = client.ask(SMALL)
    plain = client.ask(SMALL, "Accept: text/markdown")
    assert plain.headers["content-type"] == "text/markdown; charset=utf-8"
    assert plain.text == envelope.json["markdown"]
    assert plain.headers["x-conversion-id"] == envelope.json["id"]
    assert plain.headers["x-cache"] == "hit"
    again = client.ask(f"/api/v1/conversions/{envelope.json['id']}", "Accept: text/markdown")
    assert again.text == plain.text


def test_an_explicit_json_format_overrides_accept(client: Client) -> None:
    assert client.ask(f"{SMALL}&format=json", "Accept: text/markdown").headers["content-type"] == "application/json"


def test_an_error_is_json_whatever_is_accepted(client: Client) -> None:
    assert client.ask("/api/v1/nowhere", "Accept: text/markdown").code == "not_found"


def test_a_large_response_is_compressed_as_the_caller_accepts(client: Client) -> None:
    whole = client.ask(LARGE).body
    assert len(whole) >= COMPRESSED_FROM
    zipped = client.ask(LARGE, "Accept-Encoding: gzip")
    assert (zipped.headers["content-encoding"], zipped.headers["vary"]) == ("gzip", "Accept, Accept-Encoding")
    assert orjson.loads(gzip.decompress(zipped.body)) == {**orjson.loads(whole), "cached": True, "creditsCharged": 0}
    packed = client.ask(LARGE, "Accept-Encoding: gzip, zstd")
    assert packed.headers["content-encoding"] == "zstd"
    assert zstandard.ZstdDecompressor().decompress(packed.body) == gzip.decompress(zipped.body)
    assert len(packed.body) < len(whole) / 2


def test_small_responses_and_responses_without_an_accepted_coding_are_not_compressed(client: Client) -> None:
    assert "content-encoding" not in client.ask("/api/v1/nowhere", "Accept-Encoding: gzip").headers
    assert "content-encoding" not in client.ask(LARGE).headers


def test_a_response_states_when_its_source_was_requested(client: Client) -> None:
    reply = client.ask(SMALL)
    assert reply.headers["x-fetched-at"].endswith("Z")
    again = client.ask(f"/api/v1/conversions/{reply.json['id']}")
    assert again.headers["x-fetched-at"] == reply.headers["x-fetched-at"]
