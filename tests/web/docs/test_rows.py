"""Tables as rows: the content of each line, and the members that are folded into it."""

from selectolax.lexbor import LexborHTMLParser, LexborNode

from webquarry.web.docs.prose import write_html

TABLE = """Some text.

## Request {: #call aside}

Beside the rest.

## Fields {: #field rows}

| Field | Type | Unit | Description |
| --- | --- | --- | --- |
| `rows` | list of object |  | The rows. |
| `rows[].long_name` | string |  | A **name** with `a.b`. |
| `rows[].size` | integer or null | days | A size. |
| `rows[].parts.<name>.cost` | integer |  | No parent in the table. |
| `by` | object of object by name |  | By name. |
| `by.<name>.x` | string, required |  | `<b>` |
"""


def parse(markdown: str = TABLE) -> LexborNode:
    body = LexborHTMLParser(f"<body>{write_html(markdown).html}</body>").body
    assert body is not None
    return body


def find(selector: str) -> LexborNode:
    found = parse().css_first(selector)
    assert found is not None, selector
    return found


def test_members_are_folded_into_their_parent() -> None:
    assert [node.attributes["id"] for node in parse().css(".rows .rows > li")] == [
        "field-rows.long_name",
        "field-rows.size",
        "field-by.name.x",
    ]
    outer = [node.attributes["id"] for node in parse().css("body > .rows > li")]
    assert outer == ["field-rows", "field-rows.parts.name.cost", "field-by"]
    assert find("#field-rows summary").text() == "2 fields of rows"
    assert find("#field-rows\\.long_name .row-link").text() == "long_name"
    assert find("#field-rows\\.long_name .row-link").attributes["title"] == "rows[].long_name"


def test_type_and_unit_are_on_the_line_of_the_name() -> None:
    assert [kind.text() for kind in find("#field-rows\\.size").css(".row-head .kind")] == ["integer or null", "days"]
    assert find("#field-by\\.name\\.x .badge").text() == "required"
    assert find("#field-rows\\.long_name p").html == "<p>A <strong>name</strong> with <code>a.<wbr>b</code>.</p>"


def test_text_of_a_cell_is_escaped() -> None:
    assert "<code>&lt;b&gt;</code>" in str(find("#field-by\\.name\\.x p").html)
    assert not parse().css("b")


def test_names_break_only_at_separators() -> None:
    html = str(write_html("`a_bc.d[].e/f` and `plain`").lead)
    assert "<code>a_<wbr>bc.<wbr>d<wbr>[].<wbr>e/<wbr>f</code> and <code>plain</code>" in html


def test_a_large_table_is_folded_and_a_small_one_is_not() -> None:
    assert len(parse().css("details[open]")) == 2
    rows = "".join(f"| `rows[].n{number}` | string |  | Text. |\n" for number in range(40))
    assert len(parse(TABLE + rows).css("details:not([open])")) == 2


def test_sections_are_divided_into_lead_aside_and_the_rest() -> None:
    prose = write_html(TABLE)
    assert "Some text." in prose.lead
    assert "Beside the rest." in prose.aside
    assert [heading.id for heading in prose.headings] == ["call", "field"]
