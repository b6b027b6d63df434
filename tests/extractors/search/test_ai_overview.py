import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.kit import KIT
from support.damage import JUNK, damaged_json, damaged_text
from support.world import House, Told, World, query_of
from webquarry.core.errors import EmptyResult, ProviderError
from webquarry.core.types import Wire
from webquarry.endpoints.declare import Result
from webquarry.extractors.search.ai_overview import extractor, render
from webquarry.extractors.search.model.overview import Cited, Entry, Overview, OverviewParams, Piece, put_together
from webquarry.extractors.search.sources import gemini
from webquarry.extractors.search.sources.untested import search_page, serpapi
from webquarry.providers.serpapi import SERPAPI
from webquarry.read import counting
from webquarry.sandbox.cases import Case, cases

SAMPLES = KIT / "upstreams/samples"
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
PARAMS = OverviewParams.model_validate({"q": "green tea"})
ADDRESS = "https://www.google.com/search?q=green+tea"

needs_samples = pytest.mark.skipif(not SAMPLES.exists(), reason="the samples are not here")
Reader = Callable[[Wire, OverviewParams], Overview]


def wire(body: Any, url: str = ADDRESS) -> Wire:
    content = body.encode("utf-8", "replace") if isinstance(body, str) else json.dumps(body).encode()
    return Wire(body=content, url=url, requested_url=url, status=200, headers={}, fetched_at=NOW)


def sample(name: str) -> Any:
    return json.loads((SAMPLES / "ai-overview" / name).read_bytes())


def case(name: str) -> Case:
    [found] = [c for c in cases("search_ai_overview") if c.folder.name == name]
    return found


def body_of(name: str) -> bytes:
    return case(name).exchanges[-1].answered().body


def markup(inside: str, beside: str = "") -> str:
    return f'<html><body><div class="mZJni">{inside}</div>{beside}</body></html>'


def read_page(inside: str, beside: str = "") -> Overview:
    return search_page.read(wire(markup(inside, beside)), PARAMS)


def comment(*rows: Any) -> str:
    return "<!--TgQPHd|" + json.dumps(list(rows)).replace("&", "&amp;").replace('"', "&quot;") + "-->"


def check_markers(overview: Overview) -> None:
    """Assert that each number in the text refers to the reference with that number."""
    assert [reference.index for reference in overview.references] == list(range(1, len(overview.references) + 1))
    blocks = [block.reference_indexes for block in overview.text_blocks]
    items = [item.reference_indexes for block in overview.text_blocks for item in block.items or ()]
    for index in (index for indexes in (*blocks, *items) for index in indexes):
        assert overview.references[index - 1].index == index


class TestNumbers:
    @staticmethod
    def made(*row_parts: Piece, sources: list[Cited]) -> Overview:
        return put_together(PARAMS, "google_ai_overview", "made", row_parts, sources)

    def test_sources_are_numbered_in_their_order_and_pages_once(self) -> None:
        sources = [
            Cited(frozenset({"a"}), "https://x.example/1#:~:text=blue"),
            Cited(frozenset({"b"}), "https://y.example/"),
            Cited(frozenset({"c"}), "https://x.example/1"),
            Cited(frozenset({"d"}), "https://x.example/1#part"),
        ]
        overview = self.made(Piece("paragraph", "Text.", cites=["c", "b", "a", "d", "gone"]), sources=sources)
        assert [reference.link for reference in overview.references] == [
            "https://x.example/1#:~:text=blue",
            "https://y.example/",
            "https://x.example/1#part",
        ]
        assert overview.text == "Text. [1][2][3]"
        check_markers(overview)

    def test_text_of_lists_and_tables_is_written(self) -> None:
        entries = [Entry("first", "Title", 0, ["a"]), Entry("inner", None, 1), Entry("second")]
        overview = self.made(
            Piece("heading", "Head", level=2),
            Piece("list", ordered=True, entries=entries),
            Piece("table", rows=[["A", "B"], ["1"]]),
            Piece("code", "x = 1", language="python"),
            sources=[Cited(frozenset({"a"}), "https://x.example/")],
        )
        assert overview.text == "Head\n\n1. Title: first [1]\n  - inner\n2. second\n\nA | B\n1 | \n\nx = 1"
        assert overview.text_blocks[2].rows == [["A", "B"], ["1", ""]]
        assert "```python\nx = 1\n```" in render(overview)

    def test_repeated_page_merges_the_values_of_both(self) -> None:
        sources = [
            Cited(frozenset({"a"}), "https://x.example/", snippet="Says x."),
            Cited(frozenset({"b"}), "https://x.example/", title="X", snippet="Other."),
        ]
        [reference] = self.made(Piece("paragraph", "Text.", cites=["b"]), sources=sources).references
        assert (reference.title, reference.snippet) == ("X", "Says x.")

    @pytest.mark.parametrize("icon", ["data:image/png;base64,AAAA", "/favicon.ico", "javascript:1", "http://[bad", ""])
    def test_icon_is_an_absolute_url_or_null(self, icon: str) -> None:
        sources = [Cited(frozenset(), "https://x.example/", favicon=icon)]
        assert self.made(Piece("paragraph", "Text."), sources=sources).references[0].favicon is None

    def test_blank_overview_is_an_empty_result(self) -> None:
        with pytest.raises(EmptyResult):
            self.made(Piece("paragraph", " "), Piece("list"), sources=[])


class TestPage:
    @needs_samples
    def test_synthetic_sample_is_read(self) -> None:
        body = (SAMPLES / "ai-overview/payload-forms.synthetic.html").read_text()
        overview = search_page.read(wire(body), PARAMS)
        assert [(block.type, block.text, block.reference_indexes) for block in overview.text_blocks] == [
            ("paragraph", "First paragraph of the answer.", [1]),
            ("heading", "A section heading", []),
            ("list", None, []),
        ]
        assert [item.text for item in overview.text_blocks[2].items or ()] == ["First bullet", "Second bullet"]
        [reference] = overview.references
        assert (reference.title, reference.link, reference.source, reference.snippet, reference.domain) == (
            "Source title",
            "https://example.com/a",
            "Example News",
            "Source snippet",
            "example.com",
        )

    @needs_samples
    def test_real_page_without_results_has_no_overview(self) -> None:
        with pytest.raises(EmptyResult):
            search_page.read(wire((SAMPLES / "search/google-serp-zero-results.html").read_text()), PARAMS)

    @needs_samples
    def test_real_captcha_is_a_block_page(self) -> None:
        with pytest.raises(ProviderError) as caught:
            search_page.read(wire((SAMPLES / "search/google-sorry-captcha.html").read_text()), PARAMS)
        assert (caught.value.reason, caught.value.retry_after_s) == ("blocked", 600)

    def test_repeated_block_is_read_once(self) -> None:
        overview = read_page(
            '<div class="Y3BBE">Same.</div><div class="Y3BBE">Same.</div><div class="Y3BBE">Other.</div>'
        )
        assert [block.text for block in overview.text_blocks] == ["Same.", "Other."]

    def test_copy_of_a_repeated_block_with_sources_is_kept(self) -> None:
        text = '<ul class="KsbFXc"><li>One.{}</li></ul>'
        twice = text.format("") + '<div class="Y3BBE">Other.</div>' + text.format('<button data-icl-uuid="u"></button>')
        overview = read_page(twice, comment(["u", "0", 0, "https://a.example/", "", ""]))
        assert overview.text == "- One. [1]\n\nOther."

    def test_item_has_only_its_own_text(self) -> None:
        inner = '<ul><li><b>Tea:</b> inner.<button data-icl-uuid="u"></button></li></ul>'
        inside = f'<ul class="KsbFXc"><li>Tea outer.{inner}</li></ul>'
        overview = read_page(inside, comment(["u", "0", 0, "https://a.example/", "", ""]))
        items = overview.text_blocks[0].items or ()
        assert [(item.title, item.text, item.level, item.reference_indexes) for item in items] == [
            (None, "Tea outer.", 0, []),
            ("Tea", "inner.", 1, [1]),
        ]

    def test_items_nested_too_deeply_are_counted(self) -> None:
        nested = "<li>a<ul>" * (search_page.MAX_NESTING + 3) + "</ul></li>" * (search_page.MAX_NESTING + 3)
        with counting() as losses:
            [block] = read_page(f'<ul class="KsbFXc">{nested}</ul>').text_blocks
        assert [item.level for item in block.items or ()] == list(range(search_page.MAX_NESTING + 1))
        assert losses["li"] == 2

    def test_button_without_sources_is_counted(self) -> None:
        with counting() as losses:
            read_page('<div class="Y3BBE">Text.<button data-icl-uuid="u"></button></div>')
        assert losses.total() == 1

    def test_sources_of_a_related_question_are_left_out(self) -> None:
        other = (
            '<div class="related-question-pair"><ul><li class="LLtSOc"><a href="https://other.example/">o</a></li></ul>'
            "</div>" + comment(["elsewhere", "0", 0, "https://third.example/", "", ""])
        )
        assert read_page('<div class="Y3BBE">Own.</div>', other).references == []

    def test_comment_with_a_broken_url_is_ignored(self) -> None:
        beside = comment(["u", "0", 0, "http://[bad", "", ""], ["u", "1", 0, "https://a.example/", "", ""])
        overview = read_page('<div class="Y3BBE">Text.<button data-icl-uuid="u"></button></div>', beside)
        assert [reference.link for reference in overview.references] == ["https://a.example/"]

    def test_table_within_a_table_is_part_of_its_cell(self) -> None:
        inner = "<table><tr><td>1</td><td>2</td></tr></table>"
        overview = read_page(f"<table><tr><th>A</th><th>B</th></tr><tr><td>{inner}</td><td>3</td></tr></table>")
        assert overview.text_blocks[0].rows == [["A", "B"], ["1 2", "3"]]

    def test_answer_to_a_related_question_is_left_out(self) -> None:
        other = '<div class="related-question-pair"><div class="mZJni"><div class="Y3BBE">Other.</div></div></div>'
        assert [block.text for block in read_page('<div class="Y3BBE">Own.</div>', other).text_blocks] == ["Own."]

    def test_cited_source_missing_from_the_tray_is_listed_last(self) -> None:
        beside = (
            '<ul class="bTFeG"><li class="CyMdWb"><div data-src-id="5"><a href="https://a.example/">a</a></div></li></ul>'
            + comment(
                ["u", ["B", "Says b.", "https://b.example/icon", None, ["Bee"], "https://b.example/", None, None, 7]]
            )
        )
        overview = read_page('<div class="Y3BBE">Text.<button data-icl-uuid="u"></button></div>', beside)
        assert [(r.index, r.link, r.title) for r in overview.references] == [
            (1, "https://a.example/", None),
            (2, "https://b.example/", "B"),
        ]
        assert (overview.references[1].source, overview.references[1].snippet, overview.references[1].favicon) == (
            "Bee",
            "Says b.",
            "https://b.example/icon",
        )
        assert overview.text == "Text. [2]"

    def test_pages_of_the_engine_are_not_sources(self) -> None:
        beside = (
            '<ul class="bTFeG"><li class="CyMdWb"><a href="/url?q=https://a.example/x%3Fy%3D1&sa=U">a</a></li>'
            '<li class="CyMdWb"><a href="/search?q=more">more</a></li>'
            '<li class="CyMdWb"><a href="javascript:x()">x</a></li></ul>'
        )
        overview = read_page('<div class="Y3BBE">Text.</div>', beside)
        assert [reference.link for reference in overview.references] == ["https://a.example/x?y=1"]

    def test_older_markup_is_read(self) -> None:
        tray = (
            '<ul><li class="LLtSOc"><a class="KEVENd" href="https://a.example/"></a><div class="mNme1d">Title</div>'
            '<div class="gxZfx">Snippet.</div></li></ul>'
        )
        overview = read_page('<div class="rPeykc">Old text.</div>', tray)
        [reference] = overview.references
        assert (overview.text, reference.title, reference.snippet) == ("Old text.", "Title", "Snippet.")

    def test_phone_layout_is_one_text(self) -> None:
        body = '<html><body><div class="Gx5Zad">AI Overview<div>All of it. Show more</div></div></body></html>'
        assert search_page.read(wire(body), PARAMS).text == "All of it."

    def test_phone_layout_has_its_links_as_references(self) -> None:
        body = (
            '<html><body><div class="Gx5Zad">AI Overview<div>An AI Overview is text. Learn more about it below.</div>'
            '<a href="/url?q=https://a.example/x&sa=U">A page</a><a href="/search?q=y">more</a> Show more</div>'
        )
        overview = search_page.read(wire(body), PARAMS)
        assert overview.text.startswith("An AI Overview is text. Learn more about it below.")
        assert [(reference.link, reference.title) for reference in overview.references] == [
            ("https://a.example/x", "A page")
        ]

    @pytest.mark.parametrize(
        ("body", "outcome"),
        [
            ("<div>An AI Overview is not available for this search</div>", search_page.Declined),
            ('<div id="rso"><h3>A result</h3></div>', EmptyResult),
            ("<p>Your search - x - did not match any documents.</p>", EmptyResult),
        ],
    )
    def test_page_without_an_overview_is_empty(self, body: str, outcome: type[Exception]) -> None:
        with pytest.raises(outcome):
            search_page.read(wire(f"<html><body>{body}</body></html>"), PARAMS)

    @pytest.mark.parametrize(
        ("body", "reason"),
        [
            ("", "blocked"),
            ("<noscript>enablejs</noscript>", "blocked"),
            ("Searching...", "timeout"),
            ('<p>Searching…</p><div id="rso"><h3>A result</h3></div>', "timeout"),
            (
                '<p>Searching…</p><p style="display:none">Can\'t generate an AI overview right now.</p>',
                "timeout",
            ),
        ],
    )
    def test_page_without_content_is_never_empty(self, body: str, reason: str) -> None:
        with pytest.raises(ProviderError) as caught:
            search_page.read(wire(f"<html><body>{body}</body></html>"), PARAMS)
        assert caught.value.reason == reason

    def test_hidden_sentence_about_a_declined_overview_is_ignored(self) -> None:
        beside = "<div>Can't generate an AI overview right now. Try again later.</div>"
        assert read_page('<div class="Y3BBE">Text.</div>', beside).text == "Text."


class TestSerpApi:
    def read(self, answer: Any) -> Overview:
        return serpapi.read(wire(answer), PARAMS)

    def test_code_and_comparison_are_read(self) -> None:
        blocks = [
            {"type": "code", "snippet": "print(1)", "language": "python"},
            {
                "type": "comparison",
                "product_labels": ["Green", "Black"],
                "comparison": [{"feature": "Caffeine", "values": ["30 mg", "50 mg"]}],
            },
        ]
        overview = self.read({"ai_overview": {"text_blocks": blocks}})
        assert overview.text_blocks[0].language == "python"
        assert overview.text_blocks[1].rows == [["", "Green", "Black"], ["Caffeine", "30 mg", "50 mg"]]

    def test_lines_of_code_are_kept(self) -> None:
        code = "def f():\n    return 1\n"
        overview = self.read({"ai_overview": {"text_blocks": [{"type": "code", "snippet": code}]}})
        assert overview.text_blocks[0].text == "def f():\n    return 1"

    @pytest.mark.parametrize("bad", [{}, {"link": ""}, {"link": "/relative"}, {"link": "javascript:x"}, {"link": 5}])
    def test_reference_without_a_url_is_dropped(self, bad: Any) -> None:
        block = {"type": "paragraph", "snippet": "Text.", "reference_indexes": [0, 1]}
        references = [{"index": 0, **bad}, {"index": 1, "link": "https://b.example/"}]
        overview = self.read({"ai_overview": {"text_blocks": [block], "references": references}})
        assert [reference.link for reference in overview.references] == ["https://b.example/"]
        assert overview.text == "Text. [1]"

    @pytest.mark.parametrize(
        ("message", "error"),
        [("Google hasn't returned any results for this query.", EmptyResult), ("Out of searches", ProviderError)],
    )
    def test_error_in_the_response_is_reported(self, message: str, error: type[Exception]) -> None:
        with pytest.raises(error):
            self.read({"error": message})

    @pytest.mark.parametrize("answer", [{}, {"organic_results": []}, {"search_metadata": {"status": "Processing"}}])
    def test_response_that_is_not_of_a_search_is_never_empty(self, answer: Any) -> None:
        with pytest.raises(ProviderError) as caught:
            self.read(answer)
        assert caught.value.reason == "changed"

    def test_token_alone_is_not_an_overview(self) -> None:
        answer = {"ai_overview": {"page_token": "t"}}
        assert serpapi.read_token(wire(answer)) == "t"
        with pytest.raises(ProviderError):
            self.read(answer)

    @pytest.mark.parametrize("overview", [{}, {"text_blocks": []}, {"text_blocks": [{"type": "paragraph"}]}])
    def test_overview_without_content_can_be_retried(self, overview: Any) -> None:
        with pytest.raises(serpapi.Unwritten):
            self.read({"ai_overview": overview})

    def test_endlessly_nested_blocks_are_cut(self) -> None:
        block: dict[str, Any] = {"type": "paragraph", "snippet": "deep"}
        for _ in range(200):
            block = {"type": "expandable", "title": "more", "text_blocks": [block]}
        assert len(self.read({"ai_overview": {"text_blocks": [block]}}).text_blocks) <= serpapi.MAX_NESTING + 1


class TestGrounded:
    MEMORY: dict[str, Any] = {"content": {"parts": [{"text": "From memory."}]}}  # noqa: RUF012  # never changed

    def test_answer_without_a_search_is_an_empty_result(self) -> None:
        with pytest.raises(EmptyResult):
            gemini.read(wire({"candidates": [{**self.MEMORY, "finishReason": "STOP"}]}), PARAMS)

    @pytest.mark.parametrize("answer", [{}, {"candidates": [{}]}, {"candidates": [MEMORY]}, {"promptFeedback": {}}])
    def test_incomplete_response_is_a_changed_response(self, answer: Any) -> None:
        with pytest.raises(ProviderError) as caught:
            gemini.read(wire(answer), PARAMS)
        assert caught.value.reason == "changed"

    @needs_samples
    def test_recorded_answer_with_pages_is_read(self) -> None:
        overview = gemini.read(wire(sample("gemini-grounding-1.json")), PARAMS)
        assert [block.type for block in overview.text_blocks] == ["heading", *["paragraph"] * 4]
        assert [block.reference_indexes for block in overview.text_blocks] == [[], [1], [2, 3], [1, 2], []]
        assert [(reference.domain, reference.source) for reference in overview.references] == [
            ("www.google.com", None),
            ("weather.gov", "weather.gov"),
            ("wunderground.com", "wunderground.com"),
        ]
        assert overview.references[0].title == "Weather information for San Francisco, CA, US"

    @needs_samples
    def test_recorded_answer_of_one_paragraph_is_read(self) -> None:
        overview = gemini.read(wire(sample("gemini-grounding-2.json")), PARAMS)
        assert [block.reference_indexes for block in overview.text_blocks] == [[1, 2]]
        assert overview.text.startswith("It is currently 3:56 AM PDT")
        assert "58°F (14°C)" in overview.text

    @pytest.mark.parametrize("metadata", [{}, {"groundingChunks": []}, {"groundingChunks": [{"web": {}}]}])
    def test_answer_without_sources_is_an_empty_result(self, metadata: Any) -> None:
        candidate = {**self.MEMORY, "groundingMetadata": metadata, "finishReason": "STOP"}
        with pytest.raises(EmptyResult):
            gemini.read(wire({"candidates": [candidate]}), PARAMS)

    def test_unanswered_query_is_an_empty_result(self) -> None:
        with pytest.raises(EmptyResult, match="refused to answer"):
            gemini.read(wire({"promptFeedback": {"blockReason": "SAFETY"}}), PARAMS)

    def test_supports_count_from_the_beginning_of_their_part(self) -> None:
        metadata = {
            "groundingChunks": [{"web": {"uri": f"https://{n}.example/", "title": n}} for n in "ab"],
            "groundingSupports": [
                {"segment": {"endIndex": 6}, "groundingChunkIndices": [0]},
                {"segment": {"partIndex": 2, "endIndex": 7}, "groundingChunkIndices": [1]},
                {"segment": {"partIndex": 1, "endIndex": 6}, "groundingChunkIndices": [1]},
                {"segment": {"partIndex": 9, "endIndex": 6}, "groundingChunkIndices": [1]},
                {"segment": {"endIndex": 6, "text": "First."}, "groundingChunkIndices": [0]},
                {"segment": {"endIndex": 6, "text": "Second."}, "groundingChunkIndices": [1]},
            ],
        }
        parts = [{"text": "First.\n\n"}, {"text": "A thought.", "thought": True}, {"text": "Second."}]
        answer = {"candidates": [{"content": {"parts": parts}, "groundingMetadata": metadata}]}
        assert gemini.read(wire(answer), PARAMS).text == "First. [1]\n\nSecond. [2]"

    def test_all_content_of_an_item_is_one_item(self) -> None:
        text = "1. First\n\n   more\n\n   ```\n   code\n   ```\n\n   - inner\n\n2. Second\n"
        metadata = {"groundingChunks": [{"web": {"uri": "https://a.example/"}}]}
        answer = {"candidates": [{"content": {"parts": [{"text": text}]}, "groundingMetadata": metadata}]}
        assert gemini.read(wire(answer), PARAMS).text == "1. First more code\n  - inner\n2. Second"

    def test_supports_count_bytes(self) -> None:
        text = "Größe zählt.\n\nZweiter Absatz."
        first = len("Größe zählt.".encode())
        metadata = {
            "groundingChunks": [{"web": {"uri": f"https://{n}.example/", "title": n}} for n in "ab"],
            "groundingSupports": [
                {"segment": {"endIndex": first}, "groundingChunkIndices": [0]},
                {"segment": {"startIndex": first + 2, "endIndex": len(text.encode())}, "groundingChunkIndices": [1]},
            ],
        }
        answer = {"candidates": [{"content": {"parts": [{"text": text}]}, "groundingMetadata": metadata}]}
        overview = gemini.read(wire(answer), PARAMS)
        assert overview.text == "Größe zählt. [1]\n\nZweiter Absatz. [2]"

    def test_markdown_names_the_author_of_the_answer(self) -> None:
        assert "not the search engine's AI overview" in (case("grounded").markdown or "")


READERS: list[tuple[Reader, str]] = [
    (serpapi.read, "why_is_the_sky_blue"),
    (serpapi.read, "inline"),
    (gemini.read, "grounded"),
]


def is_total(read: Reader, body: Any) -> None:
    try:
        overview = read(wire(body), PARAMS)
    except ProviderError as exc:
        assert exc.reason in ("changed", "refused", "blocked", "timeout")  # noqa: PT017  # all ways out are right
    except EmptyResult:
        pass
    else:
        check_markers(overview)
        assert isinstance(Overview.model_validate_json(overview.model_dump_json()), Result)
        assert render(overview).startswith("# AI overview: green tea")


@pytest.mark.parametrize(("read", "name"), READERS)
@given(data=st.data())
def test_damaged_answers_are_read_or_refused(read: Reader, name: str, data: st.DataObject) -> None:
    is_total(read, damaged_json(data, json.loads(body_of(name))))


@pytest.mark.parametrize("read", [serpapi.read, gemini.read, search_page.read])
@given(body=JUNK)
def test_any_json_is_read_or_refused(read: Reader, body: Any) -> None:
    is_total(read, body)


@given(data=st.data())
def test_damaged_pages_are_read_or_refused(data: st.DataObject) -> None:
    is_total(search_page.read, damaged_text(data, body_of("in_the_page").decode()))


def test_hostile_carriers_take_linear_time() -> None:
    body = markup('<div class="Y3BBE">Text.</div>', "<!--TgQPHd|" * 100_000 + 'lDPB||[]).push([["' * 50_000)
    assert search_page.read(wire(body), PARAMS).text == "Text."


@pytest.mark.parametrize(
    "inside",
    [
        '<ul class="KsbFXc">' + "<li>a<ul>" * 150 + "<li>b</li>" * 3000 + "</ul></li>" * 150 + "</ul>",
        '<ul class="KsbFXc">' + "<li>a<div>" * 190 + "<p>b</p>" * 3000,
        "<table>" + "<tr><td>a<table>" * 100 + "<tr><td>b</td></tr>" * 3000,
        '<div class="mZJni">' * 190 + '<div class="Y3BBE">a</div>' * 150 + "<p>b</p>" * 10_000,
    ],
)
def test_blocks_within_blocks_take_linear_time(inside: str) -> None:
    assert read_page(inside, '<ul class="bTFeG">' + '<li class="h7wxwc"><div>' * 190 + "<p>x</p>" * 3000).text_blocks


def test_many_supports_take_linear_time() -> None:
    text = "a\n\n" * 9_000
    supports = [{"segment": {"endIndex": end}, "groundingChunkIndices": [0]} for end in range(27_000)]
    metadata = {"groundingChunks": [{"web": {"uri": "https://a.example/"}}], "groundingSupports": supports}
    answer = {"candidates": [{"content": {"parts": [{"text": text}]}, "groundingMetadata": metadata}]}
    assert len(gemini.read(wire(answer), PARAMS).text_blocks) == 9_000


class TestAsking:
    """From parameters to a result, with a simulated SerpApi."""

    LATE = Told(200, b'{"ai_overview": {"page_token": "t"}}')
    WRITTEN = Told(200, b'{"ai_overview": {"text_blocks": [{"type": "paragraph", "snippet": "Text."}]}}')

    async def ask(self, *answer: Told, hl: str = "en") -> tuple[Overview, list[dict[str, str]]]:
        house = House(World({"/search.json": list(answer)}), serpapi_key="k")
        with house.net(SERPAPI) as net:
            overview, _ = await serpapi.ask(OverviewParams.model_validate({"q": "tea", "hl": hl}), net)
        return overview, [query_of(request) for _, request in house.world.asked]

    async def test_token_is_used_immediately(self) -> None:
        overview, asked = await self.ask(self.LATE, self.WRITTEN)
        assert overview.text == "Text."
        assert [query["engine"] for query in asked] == ["google", "google_ai_overview"]
        assert asked[1]["page_token"] == "t"

    @pytest.mark.parametrize(
        "late", [b'{"search_information": {}}', b'{"ai_overview": {}}', b'{"ai_overview": {"error": "Not now."}}']
    )
    async def test_late_answer_without_content_restarts_the_search(self, late: bytes) -> None:
        overview, asked = await self.ask(self.LATE, Told(200, late), self.LATE, self.WRITTEN)
        assert overview.text == "Text."
        assert [query.get("no_cache") for query in asked] == [None, None, "true", None]

    async def test_query_without_an_overview_is_requested_once(self) -> None:
        house = House(
            World({"/search.json": [Told(200, b'{"search_metadata": {"status": "Success"}}')]}), serpapi_key="k"
        )
        with pytest.raises(EmptyResult), house.net(SERPAPI) as net:
            await serpapi.ask(PARAMS, net)
        assert len(house.world.asked) == 1

    async def test_chinese_has_the_code_of_the_engine(self) -> None:
        _, [asked] = await self.ask(self.WRITTEN, hl="zh-Hant")
        assert asked["hl"] == "zh-tw"

    @pytest.mark.parametrize(("q", "fits"), [("a" * 512, True), ("\U0001f375" * 512, False)])
    def test_query_too_long_for_a_url_is_left_to_other_sources(self, q: str, fits: bool) -> None:
        params = OverviewParams.model_validate({"q": q})
        whys = [source.why_skipped(params) for source in extractor.sources]
        assert [why is None for why in whys] == [fits, fits, True]


@pytest.mark.parametrize("name", ["why_is_the_sky_blue", "inline", "in_the_page", "grounded"])
def test_markers_of_tapes_point_to_their_references(name: str) -> None:
    data = case(name).data
    overview = Overview.model_validate(data)
    check_markers(overview)
    assert {int(n) for n in re.findall(r"\[(\d+)\]", overview.text)} <= {r.index for r in overview.references}


def test_only_gemini_is_tested() -> None:
    assert [provider.name for provider in extractor.all_providers if not provider.unproven] == ["gemini_grounding"]
