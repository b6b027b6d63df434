"""JSON as a tree: its text is complete, and the parts that developers look for are unfolded."""

import json

from selectolax.lexbor import LexborHTMLParser, LexborNode

from webquarry.web.docs.tree import TEXT_CHARACTERS, fold_json

ENVELOPE = {
    "extractor": "search",
    "data": {
        **{f"field_{number}": number for number in range(60)},
        "rows": [{f"name_{number}": [number] * 3 for number in range(6)} for _ in range(3)],
    },
    "markdown": 'A <b>long</b> text with "quotes"\n' * 50,
}


def parse(value: object) -> LexborNode:
    body = LexborHTMLParser(f"<body>{fold_json(value)}</body>").body
    assert body is not None
    return body


def first(node: LexborNode, selector: str) -> LexborNode:
    found = node.css_first(selector)
    assert found is not None
    return found


def test_text_matches_indented_json() -> None:
    values: tuple[object, ...] = (ENVELOPE, [], {}, "x" * 5000, [[[[{"a": []}]]]], None)
    for value in values:
        assert parse(value).text() == json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def test_data_and_the_first_item_of_a_list_are_open() -> None:
    opened = [first(node, "summary").text().strip() for node in parse(ENVELOPE).css("details[open]")]
    assert opened[:2] == ["{", '"data": {']
    assert '"rows": [' in opened
    rows = [node for node in parse(ENVELOPE).css("details") if first(node, "summary").text() == "      {\n"]
    assert ["open" in node.attributes for node in rows] == [True, False, False]


def test_long_text_shows_its_start() -> None:
    summary = first(parse(ENVELOPE), "details.long:not([open]) > summary")
    assert summary.text().startswith('  "markdown": "A <b>long</b> text')
    assert len(summary.text()) <= TEXT_CHARACTERS + len('  "markdown": ')
    left = first(summary, ".folded").attributes["data-left"]
    assert left is not None
    assert left.endswith("more characters")
