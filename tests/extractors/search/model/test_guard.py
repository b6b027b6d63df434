"""Rows that are unrelated to the query are rejected, and related rows are accepted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.core.errors import ProviderError
from webquarry.extractors.search.model.guard import check
from webquarry.extractors.search.model.result import Organic


def passes(query: str, *rows: Organic) -> bool:
    try:
        check(rows, query, "Made")
    except ProviderError as error:
        return error.reason != "blocked"
    return True


def titled(*titles: str, snippet: str | None = None) -> list[Organic]:
    return [
        Organic(position=i, title=title, link=f"https://site{i}.example/", snippet=snippet)
        for i, title in enumerate(titles, 1)
    ]


def hosted(title: str, *hosts: str) -> list[Organic]:
    return [Organic(position=i, title=title, link=f"https://{host}/{i}") for i, host in enumerate(hosts, 1)]


class TestSites:
    @pytest.mark.parametrize(
        ("query", "host"),
        [
            ("javascript tutorial", "www.filler.com"),
            ("javascript -site:filler.com", "filler.com"),
            ("fill javascript", "filler.com"),
            ("address", "192.0.2.1"),
        ],
    )
    def test_rows_of_one_site_are_refused(self, query: str, host: str) -> None:
        assert not passes(query, *hosted(query, *[host] * 10))

    @pytest.mark.parametrize(
        ("query", "host"),
        [
            ("site:filler.com javascript", "filler.com"),
            ("javascript SITE:filler.com", "www.filler.com"),
            ("filler javascript", "www.filler.com"),
            ("FILLER.com", "support.filler.com"),
            ("stack overflow jobs", "stackoverflow.com"),
            ("home depot opening hours", "www.home-depot.co.uk"),
            ("bbc news", "www.bbc.co.uk"),
            ("github", "github.com"),
            ("münchen", "www.xn--mnchen-3ya.de"),
            ("президент", "xn--d1abbgf6aiiy.xn--p1ai"),
        ],
    )
    def test_requested_site_may_have_all_rows(self, query: str, host: str) -> None:
        assert passes(query, *hosted(query, *[host] * 10))

    @pytest.mark.parametrize(
        ("query", "title"),
        [
            ("new york times", "The New York Times - Breaking News"),
            ("госуслуги", "Портал Госуслуги"),
            ("淘宝", "淘宝网"),
        ],
    )
    def test_site_whose_front_page_is_first_counts_as_requested(self, query: str, title: str) -> None:
        home = Organic(position=1, title=title, link="https://www.filler.com/")
        deeper = hosted(title, *["www.filler.com"] * 9)
        assert passes(query, home, *deeper)
        assert not passes(query, *deeper)
        assert not passes("javascript tutorial", home, *hosted("javascript tutorial", *["www.filler.com"] * 9))

    def test_name_spelled_in_another_script_finds_its_front_page(self) -> None:
        rows = hosted("GitHub: build software", *["github.com"] * 9)
        home = Organic(position=1, title="GitHub", link="https://github.com/")
        assert passes("гитхаб", home, *rows)
        assert not passes("гитхаб", *rows)
        assert not passes("погода на завтра", home, *rows)
        assert not passes("5551234567", home, *rows)

    def test_subdomains_are_one_site(self) -> None:
        assert not passes("tutorial", *hosted("tutorial", *["www.filler.com"] * 9, "support.filler.com"))
        assert passes("tutorial", *hosted("tutorial", *["a.co.uk"] * 7, "b.co.uk"))

    def test_only_the_first_rows_are_judged(self) -> None:
        assert not passes("tutorial", *hosted("tutorial", *["www.filler.com"] * 8, "other.example", "third.example"))

    def test_few_rows_of_one_site_are_a_rare_query(self) -> None:
        assert passes("rare", *hosted("rare", *["www.filler.com"] * 4))


class TestWords:
    @pytest.mark.parametrize(
        ("query", "title"),
        [
            ("coffee", "Quarterly report"),
            ("Kaffee rösten", "Tea and cake"),
            ("東京 天気", "Lorem ipsum dolor"),
            ("서울 날씨", "Lorem ipsum dolor"),
            ("coffee -report", "Quarterly report"),
            ("how to make the best coffee", "to the how"),
            ("हिन्दी समाचार", "Quarterly report"),
        ],
    )
    def test_rows_without_a_word_of_the_query_are_refused(self, query: str, title: str) -> None:
        assert not passes(query, *titled(*[title] * 3))

    @pytest.mark.parametrize(
        ("query", "title"),
        [
            ("coffee", "COFFEE!"),
            ("café", "The best cafe"),
            ("cafe", "Das Café"),
            ("MÜNCHEN wetter", "Munchen"),
            ("coffee", "Filtercoffeemaker"),
            ("javscript tutrial", "JavaScript Tutorial"),
            ("кофейни москвы", "Лучшая кофейня города"),
            ("東京 天気", "東京の天気予報"),
            ("台灣 旅遊", "台湾 旅游"),
            ("ガンダム", "機動戦士ガンダム"),
            ("서울 날씨", "서울의 오늘"),
            ("ประเทศไทย", "ประเทศ"),
            ("हिन्दी समाचार", "आज के समाचार"),
            ("5551234567", "Call 555-123-4567"),
            ("ｃｏｆｆｅｅ", "Coffee"),  # full-width letters, as some keyboards write them
        ],
    )
    def test_one_word_in_common_is_enough(self, query: str, title: str) -> None:
        assert passes(query, *titled("Lorem", title, "ipsum"))

    @pytest.mark.parametrize("query", ["filetype:pdf cv", "intitle:cv site:example.com", "before:2020 lang:de gdp"])
    def test_operators_are_not_words_of_the_query(self, query: str) -> None:
        assert passes(query, *titled("My CV and the GDP"))

    def test_words_are_also_searched_in_snippet_and_address(self) -> None:
        assert passes("coffee", *titled("Lorem", snippet="All about coffee."))
        assert passes("東京", Organic(position=1, title="x", link="https://a.example/%E6%9D%B1%E4%BA%AC"))

    @pytest.mark.parametrize("query", ["+++", "C#", "R", "2+2", "a", "-coffee", "🙂"])
    def test_too_little_text_is_not_judged(self, query: str) -> None:
        assert passes(query, *titled("Lorem ipsum"))


def test_long_texts_are_judged_by_their_beginning() -> None:
    assert passes("coffee", *titled("x", snippet="lorem " * 600 + "coffee"))
    assert not passes("coffee", *titled("x", snippet="lorem " * 1000 + "coffee"))


def test_page_without_rows_passes() -> None:
    assert passes("coffee")


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_row_that_repeats_the_query_passes(query: str, more: str) -> None:
    assert passes(query, *titled(f"{query} {more}"))
