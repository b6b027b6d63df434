"""Partly kept tables, lists and code are completed or left unchanged."""

import pytest

from convert_support.choice import list_kept, make_selection
from webquarry_convert.page.content.whole_blocks import MAX_TOKENS, complete_wholes

TABLE = "<p>before<table><tr><td>one<td>two<tr><td>three<td>four</table><p>after"
PAIR = "<p>before<table><tr><td>one<td>two</table><p>after"
LIST = "<p>before<ul><li>one<li>two<li>three<li>four<li>five</ul><p>after"
CARDS = "<ul>" + "".join(f"<li><h3>{name}</h3><p>{name}$<p>{name}!" for name in ("a", "b", "c")) + "</ul>"
CODE = "<p>before<pre>one<p>two</p></pre><p>after"


def mended(html: str, kept: str) -> list[str]:
    selection = make_selection(html, lambda block: block.text in kept.split())
    complete_wholes(selection)
    return list_kept(selection)


@pytest.mark.parametrize(
    ("html", "kept", "left"),
    [
        (TABLE, "one four", ["one", "two", "three", "four"]),
        (TABLE, "before one two after", ["before", "one", "two", "three", "four", "after"]),
        (TABLE, "before one", ["before", "one"]),
        (TABLE, "before", ["before"]),
        (TABLE, "before after", ["before", "one", "two", "three", "four", "after"]),
        (PAIR, "before after", ["before", "after"]),
        (TABLE.replace("four", "four " * (MAX_TOKENS + 1)), "one two three", ["one", "two", "three"]),
        (f"<table><tr><td>menu<td>{TABLE}</table>", "before one two", ["before", "one", "two", "three", "four"]),
    ],
    ids=[
        "half of it",
        "beside texts",
        "less than half",
        "nothing of it",
        "between texts",
        "two texts",
        "a table for layout",
        "a table in another",
    ],
)
def test_half_kept_tables_are_kept_whole(html: str, kept: str, left: list[str]) -> None:
    assert mended(html, kept) == left


@pytest.mark.parametrize(
    ("html", "kept", "left"),
    [
        (LIST, "two three", ["one", "two", "three", "four", "five"]),
        (LIST, "before two", ["before", "two"]),
        (LIST, "before", ["before"]),
        (LIST.replace("five", "five " * MAX_TOKENS), "two four", ["two", "three", "four"]),
        (f"<ul><li>menu<li>{LIST}</ul>", "two three", ["one", "two", "three", "four", "five"]),
        (CARDS, "a a$ b b$ c$", ["a", "a$", "b", "b$", "c$"]),
    ],
    ids=["enough of it", "too little", "nothing of it", "between two items", "a list in another", "a list of cards"],
)
def test_lists_are_kept_whole_or_without_holes(html: str, kept: str, left: list[str]) -> None:
    assert mended(html, kept) == left


@pytest.mark.parametrize(
    ("kept", "left"),
    [
        ("before after", ["before", "one", "two", "after"]),
        ("one", ["one", "two"]),
        ("before", ["before"]),
        ("after", ["after"]),
    ],
)
def test_code_is_kept_whole_if_part_of_it_or_the_text_around_it_is_kept(kept: str, left: list[str]) -> None:
    assert mended(CODE, kept) == left


@pytest.mark.parametrize(
    ("html", "left"),
    [
        ("<p>before<div>shell</div><button>Copy it</button><pre>one</pre><p>after", ["before", "one", "after"]),
        ("<p>before<p>more than a label is<pre>one</pre><p>after", ["before", "after"]),
        ("<p>before<p>a<p>b<p>c<pre>one</pre><p>after", ["before", "after"]),
    ],
    ids=["labels", "a text", "too many"],
)
def test_code_labels_do_not_separate_code_from_the_text_around_it(html: str, left: list[str]) -> None:
    assert mended(html, "before after") == left


@pytest.mark.parametrize("colon", [":", "："])
def test_lists_after_a_kept_announcement_are_kept(colon: str) -> None:
    html = LIST.replace("before", f"these{colon}")
    assert mended(html, f"these{colon}") == [f"these{colon}", "one", "two", "three", "four", "five"]
    assert mended(html, "after") == ["after"]
    assert mended(html.replace("five", "five " * (MAX_TOKENS + 1)), f"these{colon}") == [f"these{colon}"]


def test_code_that_fills_the_page_is_not_completed() -> None:
    assert mended("<pre>one</pre>", "") == []


def test_kept_quote_keeps_its_source() -> None:
    html = "<blockquote><p>one<p>two<footer>Ada</footer></blockquote><blockquote><p>three<p>four</blockquote>"
    assert mended(html, "two three") == ["two", "Ada", "three"]
    assert mended(html, "one") == ["one"]


TERMS = "<dl><div><dt>fee<dd>ten</div><div><dt>band<dd>two</div></dl>"


@pytest.mark.parametrize(
    ("html", "kept", "left"),
    [
        (TERMS, "fee band", ["fee", "ten", "band", "two"]),
        (TERMS, "ten", ["ten"]),
        (TERMS.replace("fee", "<a href=/f>fee</a>"), "fee band", ["fee", "band"]),
        (
            TERMS.replace("two", "<a href=/t>two, and all that comes behind it</a>"),
            "fee band ten",
            ["fee", "ten", "band"],
        ),
    ],
    ids=["half of it", "less than half", "terms that are links", "mostly links"],
)
def test_half_kept_terms_are_kept_with_their_definitions(html: str, kept: str, left: list[str]) -> None:
    assert mended(html, kept) == left


@pytest.mark.parametrize(("kept", "left"), [("answer", ["question", "answer"]), ("more", ["more"])])
def test_collapsible_answer_keeps_its_question(kept: str, left: list[str]) -> None:
    assert mended("<details><summary>question</summary><p>answer<p>more</details>", kept) == left
