import json
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.effort import assert_linear
from webquarry_convert.page.head import Places
from webquarry_convert.page.state import find_missing
from webquarry_convert.tree import Node, build_tree

BODY = (
    "The old mill by the river was sold on Monday to a family from the next village. They will grind grain there "
    "again, as their grandparents did, and open the doors to visitors in summer. The council welcomes the plan."
)
MORE = (
    "For many years nobody had cared for the building, and its wheel had stood still since the flood. Repairs begin in "
    "autumn, when the water is low, and should be finished before the first frost of the following year."
)
JAPANESE = (
    "川沿いの古い水車小屋が月曜日に隣村の家族に売却された。"
    "彼らは祖父母と同じように再びそこで穀物を挽き、夏には見学者を迎える予定である。"
)


def added(html: str, kept: str = "") -> list[str]:
    """Return each added node as `tag text`."""
    nodes = find_missing(html, Places(build_tree(html)).description, kept)
    return [f"{node.tag} {' '.join(''.join(texts(node)).split())}" for node in nodes]


def texts(node: Node) -> list[str]:
    found: list[str] = []
    for child in node.children:
        found += [child] if isinstance(child, str) else [*texts(child), " "]
    return found


def script(content: Any, attributes: str = "") -> str:
    return f"<script{attributes}>{content if isinstance(content, str) else json.dumps(content)}</script>"


def ld(value: Any) -> str:
    return script(value, ' type="application/ld+json"')


ARTICLE = {"props": {"pageProps": {"article": {"title": "The mill", "body": f"<p>{BODY}</p><p>{MORE}</p>"}}}}
ELEMENTS = ["$", "div", None, {"children": [
    ["$", "h2", None, {"children": "The mill"}],
    ["$", "p", None, {"children": [f"{BODY} ", ["$", "b", None, {"children": "So far."}]]}],
]}]  # fmt: skip
FLIGHT = f'0:{json.dumps(ELEMENTS)}\n1:T{len(MORE):x},{MORE}2:I[1,[],"x"]\n'
PUSHED = "".join(script(f"self.__next_f.push([1,{json.dumps(part)}])") for part in (FLIGHT[:150], FLIGHT[150:]))
FLAT = [["Reactive", 1], {"title": 2, "body": 3, "again": 1}, "The mill", f"<p>{BODY}</p><p>{MORE}</p>"]


@pytest.mark.parametrize(
    "markup",
    [
        script(ARTICLE, ' id="__NEXT_DATA__" type="application/json"'),
        script({"body": json.dumps({"article": ARTICLE["props"]})}, ' type="application/json" data-sveltekit-fetched'),
        script(FLAT, ' type="application/json" id="__NUXT_DATA__"'),
        script(f"window.__INITIAL_STATE__ = {json.dumps(ARTICLE)};(function(){{}}())"),
        script(f"window.__PRELOADED_STATE__ = JSON.parse({json.dumps(json.dumps(ARTICLE))});"),
        script(f'window["__APOLLO_STATE__"]={json.dumps(ARTICLE)}'),
        script(f"window.__remixContext = {json.dumps(ARTICLE)};"),
        f"<div id=app data-page='{json.dumps(ARTICLE)}'></div>",
    ],
)
def test_state_object_fills_an_empty_page(markup: str) -> None:
    assert added(f"<div id=root></div>{markup}") == ["h3 The mill", f"p {BODY}", f"p {MORE}"]


def test_flight_rows_split_between_scripts_are_read() -> None:
    assert added(PUSHED) == ["h2 The mill", f"p {BODY} So far.", f"p {MORE}"]


def test_script_without_json_gives_its_string_literals() -> None:
    state = f'{{title:a,body:"\\u003Cp>{BODY}\\u003C/p>",more:"{MORE}"}}'
    markup = f'window.__NUXT__=(function(a){{return {state}}}("The mill"));'
    assert added(script(markup)) == [f"p {BODY}", f"p {MORE}"]


def test_rich_text_pieces_are_joined_into_paragraphs() -> None:
    document = {
        "type": "doc",
        "content": [
            {"type": "heading", "attrs": {"level": 2}, "content": [{"type": "text", "text": "The mill"}]},
            {
                "type": "paragraph",
                "content": [{"type": "text", "text": BODY[:60]}, {"type": "text", "text": BODY[60:]}],
            },
            {"type": "paragraph", "content": [{"type": "text", "text": MORE}]},
        ],
    }
    assert added(script({"page": {"doc": document}}, " type=application/json")) == [
        "h3 The mill",
        f"p {BODY}",
        f"p {MORE}",
    ]


def test_body_is_selected_rather_than_the_user_interface() -> None:
    state = {
        "translations": {
            f"key{number}": f"Please accept number {number} of our many kind terms before going on"
            for number in range(40)
        },
        "theme": {"css": ".button { color: red; background: blue } .other { margin: 0 auto; padding: 2px }"},
        "page": {
            "id": "5f1c",
            "url": "https://example.com/a/very/long/address",
            "article": {"text": BODY, "more": MORE},
        },
    }
    assert added(script(state, " type=application/json")) == [f"p {BODY}", f"p {MORE}"]


def test_class_names_are_not_prose() -> None:
    names = "px-4 font-sans sm:px-10 lg:px-12 2xl:mx-auto text-black rounded border border-gray-200 bg-white mt-2 " * 8
    assert added(script({"button": names, "hash": "a1b2c3 " * 60}, " type=application/json")) == []


def test_many_short_phrases_are_not_a_body() -> None:
    parts = [{"hint": f"Choose the size number {number} that fits you and add it"} for number in range(60)]
    assert added(script({"parts": parts}, " type=application/json")) == []


def test_posts_in_board_code_are_read() -> None:
    post = f'[p]{BODY} [url="https://example.org/"]Here[/url][/p][list][*]{MORE}[/list]'
    html = script({"post": {"text": post}}, " type=application/json")
    assert added(html) == [f"p {BODY} Here", f"ul {MORE}"]
    link = find_missing(html, Places(build_tree(html)).description, "")[0].children[1]
    assert isinstance(link, Node)
    assert link.attributes == {"href": "https://example.org/"}


def test_text_without_spaces_is_prose() -> None:
    assert added(script({"post": {"body": JAPANESE, "key": "ab12"}}, " type=application/json")) != []


@pytest.mark.parametrize("kept", [f"{BODY}\n\n{MORE}", f"# The mill\n\n{BODY} {MORE}\n"])
def test_content_is_written_only_once(kept: str) -> None:
    html = script(ARTICLE, ' type="application/json"') + ld({"@type": "NewsArticle", "articleBody": f"{BODY}\n{MORE}"})
    assert added(html, kept) == []


def test_state_objects_of_a_page_with_text_are_not_read() -> None:
    assert added(script(ARTICLE, ' type="application/json"'), "Quite another text of some length. " * 20) == []


def test_only_the_missing_paragraph_is_added() -> None:
    html = ld({"@type": "NewsArticle", "articleBody": f"{BODY}\n\n{MORE}\n\n{MORE.upper()[::-1]}"})
    assert added(html, BODY) == [f"p {MORE}", f"p {MORE.upper()[::-1]}"]


PRODUCT = {
    "@type": "Product",
    "name": "Kettle",
    "brand": {"@type": "Brand", "name": "Acme"},
    "description": "A kettle of brushed steel that boils a litre of water in three minutes and switches itself off.",
    "offers": {
        "@type": "Offer",
        "price": "39.90",
        "priceCurrency": "EUR",
        "availability": "https://schema.org/InStock",
    },
    "aggregateRating": {"ratingValue": 4.5, "reviewCount": 12},
    "additionalProperty": [{"name": "Volume", "value": 1.7, "unitText": "l"}],
}


def test_product_gets_the_facts_that_its_page_lacks() -> None:
    facts = "Price: 39.90 EUR Availability: InStock Rating: 4.5 (12) Brand: Acme Volume: 1.7 l"
    assert added(ld(PRODUCT)) == [f"p {PRODUCT['description']}", f"ul {facts}"]


def test_known_product_facts_are_not_repeated() -> None:
    kept = f"Kettle by Acme. 39.90 EUR. {PRODUCT['description']}"
    assert added(ld(PRODUCT), kept) == ["ul Availability: InStock Rating: 4.5 (12) Volume: 1.7 l"]


def test_one_of_many_products_does_not_describe_the_page() -> None:
    assert added(ld([PRODUCT, {**PRODUCT, "name": "Pot"}])) == []


def test_recipe_is_written_with_ingredients_and_steps() -> None:
    recipe = {
        "@type": "Recipe",
        "recipeIngredient": ["200 g flour", "1 egg"],
        "recipeInstructions": [
            {"@type": "HowToStep", "text": "Mix &amp; rest."},
            {"@type": "HowToSection", "itemListElement": [{"text": "Bake."}]},
        ],
    }
    assert added(ld(recipe)) == ["ul 200 g flour 1 egg", "ol Mix & rest. Bake."]


def test_hidden_questions_are_written() -> None:
    question = {
        "@type": "Question",
        "name": "Is it open?",
        "acceptedAnswer": {"@type": "Answer", "text": "<p>In summer, <b>yes</b>.</p>"},
    }
    page = ld({"@type": "FAQPage", "mainEntity": [question]})
    assert added(page, "Something else") == ["h3 Is it open?", "p In summer, yes ."]
    assert added(page, "Is it open? In summer, **yes**.") == []


def test_posts_are_written_below_their_authors() -> None:
    thread = {
        "@type": "DiscussionForumPosting",
        "author": {"name": "Ada"},
        "text": BODY,
        "comment": [{"@type": "Comment", "author": {"name": "Tom"}, "text": MORE}],
    }
    assert added(ld(thread)) == ["p Ada", f"p {BODY}", "p Tom", f"p {MORE}"]


@pytest.mark.parametrize("type_", ["JobPosting", "Event"])
def test_jobs_and_events_are_written_with_facts_and_text(type_: str) -> None:
    node = {
        "@type": type_,
        "name": "N",
        "description": BODY,
        "jobLocation": {"address": {"addressLocality": "Oslo"}},
        "location": {"name": "Oslo"},
    }
    assert added(ld(node)) == ["ul Location: Oslo", f"p {BODY}"]


def test_truncated_preview_is_not_a_body() -> None:
    assert added(ld({"@type": "NewsArticle", "articleBody": f"{BODY[:-3]}..."})) == []


@pytest.mark.parametrize(
    "piece",
    [
        "<script type=application/json>" + "[" * 400,
        '<script type=application/json>{"a":"' + BODY + '"}</script>',
        "<script>window.__NUXT__={" + "a:{" * 150,
        '<script>self.__next_f.push([1,"' + "0:T" * 150,
        "<div data-x='{" + "&quot;" * 80,
        "<script>__APP_STATE__=" + "(" * 400 + "</script>",
    ],
)
def test_time_grows_linearly_with_the_page(piece: str) -> None:
    text = Places(build_tree("<p>")).description
    assert_linear(lambda size: partial(find_missing, piece * (size // len(piece)), text, ""), 100_000)


@given(
    st.recursive(
        st.text(max_size=80) | st.integers() | st.none(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=8), inner),
        max_leaves=25,
    )
)
def test_any_value_is_read(value: Any) -> None:
    data = json.dumps(value)
    flat = script(data, " type=application/json id=__NUXT_DATA__")
    described = ld({"@type": "Product", "offers": value, "brand": value, "additionalProperty": value})
    added(
        f"{flat}{script('window.__X_STATE__=' + data)}{described}{ld({'@type': 'Recipe', 'recipeInstructions': value})}"
    )


def test_deep_markup_in_data_is_limited() -> None:
    assert len(added(script({"body": "<div>" * 5000 + f"<p>{BODY} {MORE}"}, " type=application/json"))) == 1
