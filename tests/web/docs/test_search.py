"""The search index of the docs: which words find which pages, and the time for a hostile query."""

import time

import pytest

from webquarry.web.docs.entries import ENDPOINTS, ERRORS, FIELDS, GUIDES, Entry
from webquarry.web.docs.search import Index

ENTRIES = (
    Entry("Billing", "Failed requests are refunded. Prices are fixed.", GUIDES, "/billing"),
    Entry("Limits and retries", "Each key can send 60 requests.", GUIDES, "/limits"),
    Entry("Web search", "Returns search results.", ENDPOINTS, "/search", "search"),
    Entry("Café finder", "Lists places.", ENDPOINTS, "/cafe"),
    Entry("organic_results[].title", "Title of a result.", FIELDS, "/field"),
    Entry("rate_limited", "Status 429. Wait.", ERRORS, "/error"),
    Entry("Domain rating", "A rating from 0 to 100.", ENDPOINTS, "/rating"),
)
INDEX = Index(ENTRIES)


def find(query: str) -> list[str]:
    return [hit.address for _, hits in INDEX.find(query).groups for hit in hits]


@pytest.mark.parametrize(
    ("query", "address"),
    [
        ("refund", "/billing"),
        ("REFUNDS", "/billing"),
        ("bill", "/billing"),
        ("biling", "/billing"),
        ("blilling", "/billing"),
        ("pricing", "/billing"),
        ("cost", "/billing"),
        ("limits", "/limits"),
        ("the limits", "/limits"),
        ("cafe", "/cafe"),
        ("organic_results", "/field"),
        ("organic", "/field"),
        ("429", "/error"),
        ("rate", "/error"),
        ("web search", "/search"),
    ],
)
def test_words_find_entries_by_form_beginning_synonym_and_typo(query: str, address: str) -> None:
    assert find(query)[0] == address


@pytest.mark.parametrize("query", ["", " ", "?!", "zzzz", "xy", "\0", "\ud800"])
def test_nothing_is_found_for_words_that_no_entry_has(query: str) -> None:
    assert find(query) == []


def test_all_words_must_be_in_an_entry_if_one_has_them_all() -> None:
    assert find("search results") == ["/search"]
    assert set(find("billing places")) == {"/billing", "/cafe"}
    found = INDEX.find("billing zzzz")
    assert found.misses == ("zzzz",)
    assert found.groups[0][1][0].address == "/billing"


def test_matched_words_are_marked_and_the_text_is_unchanged() -> None:
    ((_, (hit, *_)), *_) = INDEX.find("refund").groups
    assert ("refunded", True) in hit.excerpt
    assert "".join(text for text, _ in hit.excerpt) == ENTRIES[0].text


def test_an_excerpt_of_a_long_text_has_the_word() -> None:
    index = Index([Entry("Guide", f"{'word ' * 500}needle {'word ' * 500}", GUIDES, "/guide")])
    ((_, (hit,)),) = index.find("needle").groups
    assert ("needle", True) in hit.excerpt
    assert len("".join(text for text, _ in hit.excerpt)) < 200


@pytest.mark.parametrize("query", ["a" * 100, "ab " * 50, "é" * 100, "_" * 100, "%" * 100, "limt biling " * 9])
def test_every_query_is_fast(query: str) -> None:
    index = Index(Entry(f"name_{number}", f"text {number:x}", FIELDS, f"/{number}") for number in range(3000))
    started = time.process_time()
    index.find(query)
    assert time.process_time() - started < 0.5
