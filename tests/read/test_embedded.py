import json
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.pumps import judge
from support.framed import wire
from webquarry.read import counting
from webquarry.read.embedded import (
    Metas,
    assigned,
    json_script,
    json_scripts,
    linked_data,
    nodes_of,
    string_at,
    types_of,
    unescaped,
)
from webquarry.read.html import Element, html_of


def page(html: str) -> Element:
    return html_of(wire(html, "https://shop.example/p/1"))


def ld(value: Any) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


class TestLinkedData:
    def test_objects_lists_and_graphs_are_read_alike(self) -> None:
        node = {"@type": "Product", "name": "a"}
        for value in (node, [node], {"@graph": [node]}, [{"@context": "x", "@graph": [{"@type": "WebPage"}, node]}]):
            assert nodes_of(page(ld(value)), "Product") == [node]

    def test_outer_nodes_come_before_inner_ones(self) -> None:
        value = {"@type": "ItemList", "itemListElement": [{"@type": "ListItem", "item": {"@type": "Product"}}]}
        assert [types_of(node) for node in linked_data(page(ld(value)))] == [["ItemList"], ["ListItem"], ["Product"]]

    def test_types_are_named_without_their_vocabulary(self) -> None:
        assert types_of({"@type": ["https://schema.org/Product", "schema:Thing", 5]}) == ["Product", "Thing"]
        assert types_of({}) == []

    def test_invalid_json_script_is_counted_and_the_others_are_read(self) -> None:
        with counting() as losses:
            found = linked_data(page('<script type="application/ld+json">{"@type": </script>' + ld({"@type": "A"})))
        assert found == [{"@type": "A"}]
        assert losses == {"ld+json": 1}

    def test_comments_and_semicolons_around_json_are_removed(self) -> None:
        html = '<script type="application/ld+json">\n//<![CDATA[\n{"@type":"A","u":"a//b"};\n//]]></script>'
        assert linked_data(page(html)) == [{"@type": "A", "u": "a//b"}]

    def test_number_of_nodes_is_bounded(self) -> None:
        assert len(linked_data(page(ld([{"@type": "A"}] * 6000)))) == 5000


class TestMetas:
    HTML = """<meta property="og:title" content=" A  title "><meta name="og:image" content="1"><meta property="og:image"
        content="2"><meta name="Twitter:Card" content="summary"><meta property="og:empty" content=" ">
        <meta name="description"><meta itemprop="price" content="5">"""

    def test_values_are_found_by_name_whatever_attribute_names_them(self) -> None:
        metas = Metas.of(page(self.HTML))
        assert metas.first("og:title") == "A title"
        assert metas.all("og:image") == ["1", "2"]
        assert metas.first("og:missing", "twitter:card") == "summary"
        assert metas.first("price") == "5"

    def test_blank_and_missing_values_are_none(self) -> None:
        metas = Metas.of(page(self.HTML))
        assert metas.first("og:empty", "description") is None
        assert metas.all("og:empty") == []


class TestScripts:
    def test_script_is_found_by_its_id(self) -> None:
        html = '<script id=a>{}</script><script id="__NEXT_DATA__" type="application/json">{"a": "</b>&amp;"}</script>'
        assert json_script(page(html), "__NEXT_DATA__") == {"a": "</b>&amp;"}

    def test_escaped_json_is_read_if_it_is_invalid_otherwise(self) -> None:
        assert json_script(page('<script id="x">{&quot;a&quot;: 1}</script>'), "x") == {"a": 1}

    def test_invalid_json_script_is_counted_and_a_missing_script_is_not(self) -> None:
        with counting() as losses:
            assert json_script(page('<script id="x">{"a": </script>'), "x") is None
            assert json_script(page('<script id="x">{}</script>'), "y") is None
        assert losses == {"x": 1}

    def test_all_json_scripts_are_found(self) -> None:
        html = (
            ld({"@type": "A"})
            + '<script type="application/json">[1]</script><script type="application/json">[</script>'
        )
        assert list(json_scripts(page(html))) == [[1]]


class TestAssigned:
    @pytest.mark.parametrize(
        "script",
        [
            'var ytInitialData = {"a": [1]};',
            'window.ytInitialData={"a":[1]};var b=2;',
            'window["ytInitialData"] = {"a": [1]};',
            "window['ytInitialData'] = {\"a\": [1]}",
            "ytInitialData = JSON.parse('{\\x22a\\x22: [1]}');",
            'ytInitialData = JSON.parse("{\\"a\\": [1]}");',
            'if (window.ytInitialData == null) {} var myytInitialData = {"b": 1}; ytInitialData = {"a": [1]};',
            'ytInitialData = {}; ytInitialData = {"a": [1]};',
            'ytInitialData = {a: 1}; ytInitialData = {"a": [1]};',
            'x("ytInitialData"); ytInitialData = null; ytInitialData = {"a": [1]}',
        ],
    )
    def test_assigned_value_is_found(self, script: str) -> None:
        html = f"<script>var before;</script><script nonce=x>{script}</script>"
        assert assigned(page(html), "ytInitialData") == {"a": [1]}

    def test_assigned_value_that_is_not_json_is_counted(self) -> None:
        with counting() as losses:
            assert assigned(page('<script>X = {"a": [1}</script>'), "X") is None
            assert assigned(page('<script>Y = {"a": [1]}</script>'), "X") is None
        assert losses == {"X": 1}

    def test_assignments_outside_scripts_are_ignored(self) -> None:
        assert assigned(page('<p>X = {"a": 1}</p>'), "X") is None

    def test_lone_surrogates_in_scripts_are_replaced(self) -> None:
        assert assigned(page('<script>X = {"a": "\\ud800", "b": NaN, "c": "tab\there"}</script>'), "X") == {
            "a": "\ufffd",
            "b": None,
            "c": "tab\there",
        }

    @given(st.text("X={}[]\"'\\,:1 JSON.parse()", max_size=60))
    def test_any_script_is_read(self, script: str) -> None:
        assigned(page(f"<script>{script}</script>"), "X")

    @pytest.mark.parametrize(
        "unit",
        [
            "X={",
            'X=["',
            'X=[\\"',
            "X = JSON.parse('\\\\",
            "X=[1,",
            "X ",
            'X={"a":{"X":',
            "X=",
            "X='",
            "</script><script>X={",
        ],
    )
    def test_time_grows_linearly_with_the_page(self, unit: str) -> None:
        def prepare(size: int) -> Any:
            return partial(assigned, page("<script>" + unit * (size // len(unit)) + "</script>"), "X")

        assert judge(prepare, unit, size=20_000, largest=200_000) is None


class TestStrings:
    @given(st.text())
    def test_string_literal_is_read_back(self, text: str) -> None:
        written = json.dumps(text)
        assert string_at(f"x={written};", 2) == (text.encode("utf-16", "replace").decode("utf-16"), len(written) + 2)

    def test_escapes_of_scripts(self) -> None:
        assert unescaped(r"a\x41\u0042\n\'\/\q") == "aAB\n'/q"

    @pytest.mark.parametrize("text", ['"', '"abc', '"abc\\"', "'\\\\\\'"])
    def test_unterminated_string_is_an_error(self, text: str) -> None:
        with pytest.raises(ValueError):
            string_at(text, 0)

    @pytest.mark.parametrize("unit", ["\\", '\\"', "\\\\", "a"])
    def test_time_grows_linearly_with_the_text(self, unit: str) -> None:
        def prepare(size: int) -> Any:
            text = '"' + unit * (size // len(unit))

            def work() -> None:
                with pytest.raises(ValueError):
                    string_at(text, 0)

            return work

        assert judge(prepare, unit, size=20_000, largest=200_000) is None
