"""Every page of every source is parsed into its content, and any other response is an error with a reason."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.kit import KIT
from support.damage import JUNK, damaged_json, damaged_text
from support.results import page
from support.world import NOW
from webquarry.core.errors import ProviderError
from webquarry.extractors.search.model.params import SearchParams
from webquarry.extractors.search.model.result import AnswerBox, Page, Search
from webquarry.extractors.search.search import SOURCES, extractor, render
from webquarry.extractors.search.sources import bing, brave_html, duckduckgo, mojeek, serper, startpage
from webquarry.extractors.search.sources.bing import unwrap_link
from webquarry.extractors.search.sources.result_links import leads_to_page
from webquarry.extractors.search.sources.row_parts import read_day
from webquarry.extractors.search.sources.untested import brave_api, google_cse, searxng
from webquarry.read import Wire, counting
from webquarry.sandbox.cases import cases

SAMPLES = KIT / "upstreams/samples/search"
needs_samples = pytest.mark.skipif(not SAMPLES.exists(), reason="the samples are not here")
BRAVE_URL = "https://search.brave.com/search?q=javascript+tutorial&source=web"
MOJEEK_URL = "https://www.mojeek.com/search?q=javascript+tutorial&safe=0"


def sample(name: str, url: str = "https://source.example/") -> Wire:
    return page((SAMPLES / name).read_bytes(), url)


def answer(body: Any) -> Wire:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Wire(content, "https://api.example/", "", 200, {"content-type": "application/json"}, NOW)


def refusal(read: Callable[[Wire], Page], wire: Wire) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        read(wire)
    return caught.value


@needs_samples
class TestSamples:
    def test_brave_sample_is_read(self) -> None:
        found = brave_html.read(sample("brave-web-javascript-tutorial.html", BRAVE_URL))
        assert [row.position for row in found.organic] == list(range(1, 21))
        first, third, fifth = found.organic[0], found.organic[2], found.organic[4]
        assert (first.title, first.link) == ("JavaScript Tutorial", "https://www.w3schools.com/js/")
        assert (first.displayed_link, first.source) == ("w3schools.com › js", "W3Schools")
        assert [near.title for near in first.sitelinks] == ["Learn CSS", "Learn HTML", "Spaces", "Reference"]
        assert (third.date, (third.snippet or "")[:14]) == ("December 13, 2024", "Welcome to the")
        assert (fifth.date, (fifth.thumbnail or "")[:30]) == ("3 weeks ago", "https://imgs.search.brave.com/")
        assert all(row.snippet and "Published" not in row.snippet for row in found.organic)
        graph = found.knowledge_graph
        assert graph is not None
        assert (graph.title, graph.type, graph.website) == (
            "W3Schools",
            "Web development information website",
            "https://www.w3schools.com",
        )
        assert graph.source is not None
        assert (graph.source.name, graph.source.link) == ("Wikipedia", "https://en.wikipedia.org/wiki/W3Schools")
        assert graph.attributes == {
            "Type of site": "Web development portal",
            "Available in": "Multiple languages",
            "Owner": "Refsnes Data AS",
        }
        asked = found.related_questions[0]
        assert (len(found.related_questions), asked.question) == (3, "What is JavaScript?")
        assert asked.link == "https://www.codecademy.com/learn/introduction-to-javascript"
        assert (asked.snippet or "").startswith("JavaScript is one of the most popular languages")
        assert [near.query for near in found.related_searches][:2] == [
            "javascript tutorialspoint",
            "javascript tutorial video",
        ]
        assert (len(found.related_searches), found.has_more) == (8, True)

    def test_startpage_sample_with_a_broken_object_is_read_from_the_page(self) -> None:
        found = startpage.read(sample("startpage-web-javascript-tutorial.html"))
        assert len(found.organic) == 10
        first = found.organic[0]
        assert (first.title, first.link) == ("JavaScript Tutorial - W3Schools", "https://www.w3schools.com/js/")
        assert (first.source, first.displayed_link) == ("W3Schools", "https://www.w3schools.com/js/")
        assert all(row.snippet and "\u00a0" not in row.snippet for row in found.organic)
        assert found.has_more is True

    def test_mojeek_sample_is_read(self) -> None:
        found = mojeek.read(sample("mojeek-web-javascript-tutorial.html", MOJEEK_URL))
        assert (len(found.organic), found.total_results, found.has_more) == (10, 5_280_016, True)
        first, second = found.organic[:2]
        assert (first.title, first.link) == ("The Modern JavaScript Tutorial", "https://javascript.info/")
        assert (second.link, second.snippet, second.displayed_link) == (
            "https://www.w3schools.com/js/",
            None,
            "https://www.w3schools.com › js",
        )
        deep = mojeek.read(sample("mojeek-web-javascript-tutorial.html", MOJEEK_URL + "&s=41"))
        assert deep.has_more is False

    def test_bing_sample_is_read_and_refused_as_unrelated(self) -> None:
        wire = sample("bing-http-javascript-tutorial.html")
        found = bing.read(wire)
        assert (len(found.organic), found.has_more) == (10, True)
        assert [row.link.split("/")[2] for row in found.organic] == ["www.w3schools.com"] * 9 + [
            "support.w3schools.com"
        ]
        assert found.organic[0].link == "https://www.w3schools.com/Js/"
        [source] = [source for source in extractor.sources if source.provider.name == "bing_html"]
        with pytest.raises(ProviderError) as caught:
            source.read(wire, SearchParams(q="javascript tutorial"))
        assert caught.value.reason == "blocked"
        assert source.read(wire, SearchParams(q="w3schools javascript"))

    def test_duckduckgo_sample_is_read(self) -> None:
        found = duckduckgo.read(sample("duckduckgo-html-results.trimmed.html"))
        assert [row.link for row in found.organic] == [
            "https://www.harness.io/",
            "https://www.thetoolnerd.com/p/10-agent-harnesses-every-ai-builder",
            "https://developer.harness.io/",
        ]
        assert [row.date for row in found.organic] == [None, "2026-06-25", None]
        assert [row.displayed_link for row in found.organic] == [
            "www.harness.io",
            "www.thetoolnerd.com/p/10-agent-harnesses-every-ai-builder",
            None,
        ]

    def test_duckduckgo_whole_page_is_read(self) -> None:
        found = duckduckgo.read(sample("duckduckgo-html-page.html"))
        assert (len(found.organic), found.has_more, found.says_empty) == (10, None, False)
        assert (found.organic[0].link, found.organic[9].title) == (
            "https://github.com/cloudwego/eino",
            "Eino - Wikipedia",
        )
        assert all(row.snippet and row.displayed_link for row in found.organic)

    @pytest.mark.parametrize("name", ["duckduckgo-html-nothing-found.html", "duckduckgo-html-end.html"])
    def test_duckduckgo_page_with_the_nothing_found_mark_is_empty(self, name: str) -> None:
        found = duckduckgo.read(sample(name))
        assert (found.organic, found.has_more, found.says_empty) == ([], False, True)

    def test_serper_sample_is_read(self) -> None:
        found = serper.read(sample("serper-search-apple-inc.json"))
        assert [row.link for row in found.organic][::4] == [
            "https://www.apple.com/",
            "https://www.google.com/finance/quote/AAPL:NASDAQ?hl=en",
        ]
        assert [near.title for near in found.organic[0].sitelinks] == ["Support", "iPhone"]
        assert found.organic[2].date == "Aug 31, 2022"
        graph = found.knowledge_graph
        assert graph is not None
        assert (graph.type, graph.website, len(graph.attributes)) == ("Technology company", "http://www.apple.com/", 4)
        assert [asked.question for asked in found.related_questions] == ["What does Apple Inc mean?"]
        assert [near.query for near in found.related_searches] == ["Who invented the iPhone", "Apple Inc competitors"]

    @pytest.mark.parametrize(
        ("name", "read"),
        [
            ("duckduckgo-html-anomaly-202.trimmed.html", duckduckgo.read),
            ("mojeek-captcha.trimmed.html", mojeek.read),
            ("bing-browser-capture-no-organic-blocks.html", bing.read),
            ("google-sorry-captcha.html", startpage.read),
        ],
    )
    def test_page_that_demands_a_human_check_is_a_block_page(self, name: str, read: Callable[[Wire], Page]) -> None:
        error = refusal(read, sample(name))
        assert (error.reason, error.retry_after_s) == ("blocked", 600)

    @pytest.mark.parametrize("read", [brave_html.read, mojeek.read, duckduckgo.read])
    def test_page_of_another_source_is_never_an_empty_result(self, read: Callable[[Wire], Page]) -> None:
        error = refusal(read, sample("google-serp-zero-results.html"))
        assert error.reason in ("blocked", "changed")


class TestDuckDuckGo:
    @staticmethod
    def rows(*links: str, before: str = "", title: str = "T") -> Wire:
        listed = "".join(
            f'<div class="result web-result"><h2 class="result__title"><a class="result__a" href="{link}">{title}</a>'
            "</h2></div>"
            for link in links
        )
        return page(f'{before}<div id="links">{listed}</div>', "https://html.duckduckgo.com/html/")

    @pytest.mark.parametrize(
        ("href", "link"),
        [
            ("https://a.example/x", "https://a.example/x"),
            ("//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2Fx%3Fa%3D1%26b&amp;rut=1", "https://a.example/x?a=1&b"),
            ("https://duckduckgo.com/about", "https://duckduckgo.com/about"),
        ],
    )
    def test_link_is_the_target_of_the_row(self, href: str, link: str) -> None:
        assert [row.link for row in duckduckgo.read(self.rows(href)).organic] == [link]

    @pytest.mark.parametrize(
        "href",
        [
            "https://duckduckgo.com/y.js?ad=1",
            "//duckduckgo.com/l/?uddg=https%3A%2F%2Fduckduckgo.com%2Fy.js%3Fad_domain%3Dshop.example&amp;rut=1",
            "//duckduckgo.com/l/?uddg=%2F%2Fduckduckgo.com%2Fl%2F%3Fuddg%3Dhttps%253A%252F%252Fduckduckgo.com%252Fy.js",
            "//duckduckgo.com/l/?uddg=https%3A%2F%2Fwww.bing.com%2Faclick%3Fld%3De8",
            "https://www.google.com/search?hl=en&amp;q=x",
            "//duckduckgo.com/l/?uddg=javascript:1",
            "//duckduckgo.com/l/",
        ],
    )
    def test_row_without_a_target_or_with_an_ad_is_dropped(self, href: str) -> None:
        found = duckduckgo.read(self.rows(href, "https://a.example/"))
        assert [(row.position, row.link) for row in found.organic] == [(1, "https://a.example/")]

    @pytest.mark.parametrize("status", [202, 302, 303, 403])
    def test_status_alone_shows_a_block_page(self, status: int) -> None:
        wire = self.rows("https://a.example/")
        refused = Wire(wire.body, wire.url, wire.url, status, wire.headers, NOW)
        assert refusal(duckduckgo.read, refused).reason == "blocked"

    @pytest.mark.parametrize("message", ["Your IP address is 192.0.2.1", "Your user agent: x", "URL Decoded: a b"])
    def test_answer_about_the_client_is_left_out(self, message: str) -> None:
        zero = '<div id="zero_click_abstract">{}<a href="https://wiki.example/">More</a></div>'
        link = "https://a.example/"
        assert duckduckgo.read(self.rows(link, before=zero.format(message))).answer_box is None
        found = duckduckgo.read(self.rows(link, before=zero.format("A thing. ")))
        assert found.answer_box == AnswerBox(snippet="A thing.", link="https://wiki.example/")

    def test_row_with_the_badge_of_an_advertisement_is_dropped(self) -> None:
        ad = '<span class="badge--ad__x">Ad</span>'
        wire = self.rows("https://shop.example/", "https://a.example/")
        marked = wire.body.decode().replace("</h2>", f"</h2>{ad}", 1)
        found = duckduckgo.read(page(marked, wire.url))
        assert [row.link for row in found.organic] == ["https://a.example/"]

    def test_rows_above_the_end_mark_are_the_last(self) -> None:
        wire = self.rows("https://a.example/")
        ended = wire.body.decode().replace("</div></div>", '</div><div class="no-results">No more results.</div></div>')
        found = duckduckgo.read(page(ended + '<input name="vqd">', wire.url))
        assert ([row.link for row in found.organic], found.has_more) == (["https://a.example/"], False)


class TestLeads:
    @pytest.mark.parametrize(
        "link",
        [
            "https://www.google.com/",
            "https://www.google.com/finance/quote/AAPL:NASDAQ?q=1",
            "https://www.google.com/search/about/",
            "https://www.bing.com/?form=1",
            "https://duckduckgo.com/about?q=1",
            "https://a.example/search?q=1",
            "https://a.example/aclick?ad_domain=1",
            "https://notbing.com/search?q=1",
            "https://www.google.com.evil.example/search?q=1",
            "https://[bad/search?q=x",
            "https://a.example/?" + "&" * 500,
        ],
    )
    def test_link_to_a_page_is_a_result(self, link: str) -> None:
        assert leads_to_page(link)

    @pytest.mark.parametrize(
        "link",
        [
            None,
            "http://www.google.com/search?hl=en&q=x",
            "https://google.co.uk/search?q=x",
            "https://www.google.com.au/search?q=x",
            "https://duckduckgo.com/?q=x",
            "https://html.duckduckgo.com/html/?q=x",
            "https://www.bing.com/search?q=x",
            "https://search.yahoo.com/search?p=x",
            "https://yandex.com/search/?text=x",
            "https://www.baidu.com/s?wd=x",
            "https://search.brave.com/search?q=x",
            "https://www.startpage.com/do/search?query=x",
            "https://www.bing.com/aclick?ld=x",
            "https://www.google.com/aclk?sa=l",
            "https://www.googleadservices.com/pagead/aclk?x=1",
            "https://ad.doubleclick.net/ddm/clk/1",
            "https://search.brave.com/a/redirect?click_url=x",
            "https://duckduckgo.com/x?ad_domain=shop.example",
        ],
    )
    def test_advertisement_and_other_engine_are_not_results(self, link: str | None) -> None:
        assert not leads_to_page(link)


class TestBing:
    def test_mark_of_nothing_found_is_an_empty_list(self) -> None:
        found = bing.read(page('<ol id="b_results"><li class="b_no"><h1>There are no results</h1></ol>'))
        assert (found.organic, found.says_empty) == ([], True)

    @pytest.mark.parametrize(
        ("link", "address"),
        [
            ("https://www.bing.com/ck/a?!&&p=1&u=a1aHR0cHM6Ly9hLmV4YW1wbGUvP2E9MQ&ntb=1", "https://a.example/?a=1"),
            ("https://a.example/ck/a?u=a1aHR0", "https://a.example/ck/a?u=a1aHR0"),
            ("https://www.bing.com/ck/a?u=a1amF2YXNjcmlwdDox", None),
            ("https://www.bing.com/ck/a?u=a1", None),
            ("https://www.bing.com/ck/a?u=a1%ff", None),
            ("https://www.bing.com/ck/a?u=zz", None),
            ("https://www.bing.com/ck/a", None),
            (None, None),
        ],
    )
    def test_redirect_is_removed(self, link: str | None, address: str | None) -> None:
        assert unwrap_link(link) == address


class TestStartpage:
    CALL = "<script>React.createElement(UIStartpage.AppSerpWeb, {});</script>"

    @staticmethod
    def given(results: list[Any], **pagination: Any) -> dict[str, Any]:
        regions = {"mainline": [{"display_type": "ads-google-top"}, {"display_type": "web-google", "results": results}]}
        return {"render": {"presenter": {"regions": regions, "pagination": pagination}}}

    def test_object_is_preferred_to_the_page(self) -> None:
        row = {"clickUrl": "https://a.example/", "title": "<b>A</b> &amp; b", "description": "x&nbsp;y", "date": ""}
        pages = [{"number": 1, "selected": False}, {"number": 2, "selected": True}]
        call = self.CALL.format(json.dumps(self.given([row], pages=pages)))
        dom = '<div class="result"><a class="result-title" href="https://b.example/"><h2>B</h2></a></div>'
        found = startpage.read(page(dom + call))
        assert [(row.title, row.link, row.snippet) for row in found.organic] == [("A & b", "https://a.example/", "x y")]
        assert found.has_more is False

    @pytest.mark.parametrize("broken", ["{render: 1}", "{", "[" * 100_000, "null", "3", '{"render": []}', ""])
    def test_page_is_read_if_the_object_is_unreadable(self, broken: str) -> None:
        dom = '<div class="result"><a class="result-title" href="https://b.example/"><h2>B</h2></a></div>'
        found = startpage.read(page(dom + self.CALL.format(broken)))
        assert [row.link for row in found.organic] == ["https://b.example/"]
        assert refusal(startpage.read, page(self.CALL.format(broken))).reason == "changed"


class TestSearxng:
    EMPTY: dict[str, Any] = {"results": [], "unresponsive_engines": []}  # noqa: RUF012  # never changed

    def test_nothing_found_is_accepted_if_every_engine_responded(self) -> None:
        found = searxng.read(answer(self.EMPTY))
        assert (found.organic, found.says_empty) == ([], True)

    @pytest.mark.parametrize("engines", [[["one", "timeout"]], None, "x"])
    def test_nothing_found_by_failed_engines_is_a_block_page(self, engines: Any) -> None:
        error = refusal(searxng.read, answer({**self.EMPTY, "unresponsive_engines": engines}))
        assert error.reason == "blocked"

    @pytest.mark.parametrize("results", [None, {}, [{}], [{"title": "A", "url": "ftp://a.example"}], ["x"]])
    def test_results_without_rows_are_a_changed_response(self, results: Any) -> None:
        assert refusal(searxng.read, answer({**self.EMPTY, "results": results})).reason == "changed"

    def test_answer_may_be_a_string(self) -> None:
        row = {"title": "A", "url": "https://a.example/"}
        found = searxng.read(answer({"results": [row], "answers": ["", "It is <b>so</b>."]}))
        assert found.answer_box == AnswerBox(answer="It is so.")


BRAVE_FOUND_NONE = {"type": "search", "query": {"original": "x", "more_results_available": False}}
CSE_FOUND_NONE = {"queries": {"request": [{"startIndex": 1}]}, "searchInformation": {"totalResults": "0"}}


@pytest.mark.parametrize(
    ("read", "body"),
    [
        (serper.read, {"searchParameters": {"q": "x"}, "organic": [], "credits": 1}),
        (brave_api.read, BRAVE_FOUND_NONE),
        (brave_api.read, {**BRAVE_FOUND_NONE, "web": {"type": "search", "results": []}}),
        (google_cse.read, CSE_FOUND_NONE),
        (
            google_cse.read,
            {"queries": {"request": [{"startIndex": 31}]}, "searchInformation": {"totalResults": "27"}},
        ),
    ],
)
def test_nothing_found_reported_by_a_source_with_a_key_is_an_empty_list(
    read: Callable[[Wire], Page], body: Any
) -> None:
    found = read(answer(body))
    assert (found.organic, found.says_empty, found.has_more) == ([], True, False)


@pytest.mark.parametrize(
    ("read", "body"),
    [
        (serper.read, {"searchParameters": {"q": "x"}}),
        (serper.read, {"organic": [], "credits": 1}),
        (brave_api.read, {**BRAVE_FOUND_NONE, "query": {"original": "x", "more_results_available": True}}),
        (brave_api.read, {**BRAVE_FOUND_NONE, "type": "ErrorResponse"}),
        (brave_api.read, {**BRAVE_FOUND_NONE, "web": {"results": [{"title": "no address"}]}}),
        (google_cse.read, {**CSE_FOUND_NONE, "items": []}),
        (google_cse.read, {**CSE_FOUND_NONE, "searchInformation": {"totalResults": "8"}}),
        (google_cse.read, {**CSE_FOUND_NONE, "searchInformation": {}}),
    ],
)
def test_response_without_a_nothing_found_mark_is_never_empty(read: Callable[[Wire], Page], body: Any) -> None:
    assert refusal(read, answer(body)).reason == "changed"


def test_brave_reports_nothing_found_in_text() -> None:
    text = '<div id="results"><h4>Not many great matches came back for your search</h4></div>'
    assert brave_html.read(page(text, BRAVE_URL)).says_empty
    assert refusal(brave_html.read, page(text.replace("great", "good"), BRAVE_URL)).reason == "changed"


@pytest.mark.parametrize("read", [serper.read, brave_api.read, google_cse.read])
@pytest.mark.parametrize("body", [{}, {"organic": [], "items": [], "web": {"results": []}}, [], "x", b"<html>"])
def test_response_without_rows_is_a_changed_response(read: Callable[[Wire], Page], body: Any) -> None:
    assert refusal(read, answer(body)).reason == "changed"


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("2026-06-25T00:00:00.0000000", "2026-06-25"),
        ("2026-06-25T00:00:00Z", "2026-06-25"),
        ("2026-06-25T08:30:00", "2026-06-25T08:30:00"),
        ("3 days ago", "3 days ago"),
        (None, None),
    ],
)
def test_timestamp_at_midnight_is_a_day(message: str | None, shown: str | None) -> None:
    assert read_day(message) == shown


def test_losses_are_counted() -> None:
    row = {"title": "A", "link": "https://a.example/", "snippet": 3}
    with counting() as losses:
        serper.read(answer({"organic": [row, {"title": "B", "snippet": "b"}, 4]}))
    assert (losses["snippet"], losses["link"], losses["organic[]"]) == (1, 1, 2)


NESTED = {
    "bing_html": ("<ol id=b_results>", '<li class=b_algo><div><h2><a href="https://a.example/{}">t</a></h2>'),
    "brave_html": ("", '<div class=snippet data-type=web><a href="https://a.example/{}"><div class=title>t</div></a>'),
    "duckduckgo_html": (
        "<div id=links>",
        '<div class=web-result><h2 class=result__title><a class=result__a href="https://a.example/{}">t</a></h2>',
    ),
    "mojeek": ("<ul class=results-standard>", '<li><div><h2><a>t</a></h2><a class=ob href="https://a.example/{}"></a>'),
    "startpage": ("", '<div class=result><a class=result-title href="https://a.example/{}"><h2>t</h2></a>'),
}


@pytest.mark.parametrize("name", NESTED)
def test_rows_within_rows_are_not_rows(name: str) -> None:
    before, row = NESTED[name]
    [read] = [source.read for source in SOURCES if source.provider.name == name]
    found = read(page(before + "".join(row.format(i) for i in range(3))))
    kinds = {"bing_html": 3, "mojeek": 3}  # a list item ends the previous one
    assert len(found.organic) == kinds.get(name, 1)


def test_shown_query_cannot_break_the_markdown() -> None:
    title, snippet = "a](https://evil.example) | <script>", "# no\n\n- heading"
    row = {"title": title, "link": "https://a.example/x)y", "snippet": snippet}
    found = serper.read(answer({"organic": [row]}))
    shown = render(search(found, "x\n# y"))
    assert shown.splitlines()[0] == "# Search: x # y"
    assert "<script>" not in shown.replace(r"\<script>", "")
    assert "\n# no" not in shown


def search(found: Page, query: str) -> Search:
    return Search(
        query=query,
        gl=SearchParams(q="x").gl,
        hl=SearchParams(q="x").hl,
        page=1,
        num=10,
        provider="mojeek",
        organic_results=found.organic,
        answer_box=found.answer_box,
        knowledge_graph=found.knowledge_graph,
        videos=found.videos,
        related_questions=found.related_questions,
        related_searches=found.related_searches,
        total_results=found.total_results,
        has_more=found.has_more is not False,
        warnings=[],
    )


READERS = {source.provider.name: source for source in extractor.sources}
BY_HOST = {
    "html.duckduckgo.com": "duckduckgo_html",
    "search.brave.com": "brave_html",
    "www.startpage.com": "startpage",
    "www.mojeek.com": "mojeek",
    "www.bing.com": "bing_html",
    "google.serper.dev": "serper",
    "api.search.brave.com": "brave_api",
    "www.googleapis.com": "google_cse",
    "searx.example": "searxng",
}


def tapes() -> list[tuple[str, str, Wire]]:
    """Return the provider, query and wire of every taped response."""
    found = []
    for case in cases("search"):
        for exchange in case.exchanges:
            shown, url = exchange.answered(), exchange.request.url
            wire = Wire(shown.body, url, url, shown.status, shown.headers, shown.fetched_at)
            found.append((BY_HOST[url.split("/")[2]], case.params["q"], wire))
    return found


TAPES = tapes()


def read_or_refused(name: str, query: str, wire: Wire) -> None:
    """Assert that a reader returns a result or raises a `ProviderError` with a reason."""
    try:
        result = READERS[name].read(wire, SearchParams(q=query))
    except ProviderError as error:
        assert error.reason in ("blocked", "changed", "unavailable")  # noqa: PT017  # both ways out are right
    else:
        assert isinstance(result, Search)
        assert json.loads(result.model_dump_json())["query"] == query
        assert render(result).startswith("# Search: ")
        assert len({row.link for row in result.organic_results}) == len(result.organic_results) <= 10


def test_every_source_has_a_tape() -> None:
    assert {name for name, _, _ in TAPES} == READERS.keys()


@given(st.data())
def test_damaged_answers_are_read_or_refused(data: st.DataObject) -> None:
    name, query, wire = data.draw(st.sampled_from(TAPES))
    try:
        body = json.dumps(damaged_json(data, json.loads(wire.body)))
    except ValueError:
        body = damaged_text(data, wire.body.decode())
    read_or_refused(name, query, Wire(body.encode(), wire.url, wire.url, wire.status, wire.headers, NOW))


@pytest.mark.parametrize("name", READERS)
@given(st.one_of(JUNK.map(json.dumps), st.text(max_size=80)))
def test_any_body_is_read_or_refused(name: str, body: str) -> None:
    read_or_refused(name, "x", page(body.encode("utf-8", "replace"), ""))
