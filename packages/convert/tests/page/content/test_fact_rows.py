"""Rows with a label and its value, or with a number above its noun, are written as list items."""

import pytest

from convert_support.choice import make_selection
from webquarry_convert.page.content.fact_rows import mark_fact_rows
from webquarry_convert.tree import FACT_ROW
from webquarry_convert.write import write


def convert(html: str, left: str = "") -> str:
    """Return the markdown of a page on which all texts are kept except those in `left`."""
    selection = make_selection(f"<body>{html}</body>", lambda block: block.text not in left.split())
    mark_fact_rows(selection)
    return write(selection.blocks.tree[0], None).strip()


def make_cards(*rows: tuple[str, str]) -> str:
    return "".join(
        f'<div class="card"><p>Card {number}</p><div class="facts"><div class="f"><div>{label}</div><div>{value}</div>'
        "</div></div></div>"
        for number, (label, value) in enumerate(rows)
    )


def test_number_is_written_before_the_noun_that_it_counts() -> None:
    html = "<div><div>1,200</div><div>members</div></div><div><div>97%</div><div><p>of them pay</p></div></div>"
    assert convert(html) == "- **1,200** members\n- **97%** of them pay"
    assert convert(html, left="97%").count("97%") == 1
    hours = "<div><div>9:00</div><div>Doors open</div></div><div><div>10:30 am</div><div>First talk</div></div>"
    assert convert(hours) == "- **9:00** Doors open\n- **10:30 am** First talk"


@pytest.mark.parametrize(
    ("rows", "are_facts"),
    [
        ([("Rooms", "3"), ("Rooms", "4"), ("Rooms", "3")], True),
        ([("Rooms", "3"), ("Rooms", "4")], False),
        ([("Rooms", "3"), ("Rooms", "3"), ("Rooms", "3")], False),
        ([("Norden", "table"), ("Ivar", "shelf"), ("Norden", "bench"), ("Lack", "sofa"), ("Hemnes", "bed")], False),
        ([("Related", f"What is said of the old pump number {n}?") for n in range(3)], False),
    ],
    ids=["same label", "two cards", "same value", "names", "long values"],
)
def test_label_shared_by_cards_is_written_before_its_value(rows: list[tuple[str, str]], are_facts: bool) -> None:
    assert ("- **" in convert(make_cards(*rows))) is are_facts


def test_rows_in_cards_do_not_keep_other_texts() -> None:
    html = f"<body>{make_cards(('Rooms', '3'), ('Rooms', '4'), ('Rooms', '5'))}</body>"
    selection = make_selection(html, lambda block: block.text != "4")
    selection.is_product = True
    mark_fact_rows(selection)
    assert selection.kept.count(False) == 1
    assert not any(node.tag == FACT_ROW for node in selection.blocks.tree)


SHEET = "".join(
    f'<div class="field f--{label}"><div>{label}</div><div>{value}</div></div>'
    for label, value in {"Salary": "40,000 €", "Place": "Leeds", "Contract": "Permanent"}.items()
)


@pytest.mark.parametrize(
    ("html", "is_kept_whole"),
    [("<h1>Miller</h1>{}<p>kept</p>", True), ("<p>kept</p>{}<p>kept</p>", True), ("<p>left</p>{}<p>kept</p>", False),
     ("<h1>Miller</h1>{}<p>left</p>", False)],
)  # fmt: skip
def test_sheet_between_kept_texts_is_kept(html: str, is_kept_whole: bool) -> None:
    selection = make_selection(f"<body>{html.format(SHEET)}</body>", lambda block: block.text == "kept")
    mark_fact_rows(selection)
    assert all(selection.kept[1:7]) is is_kept_whole


@pytest.mark.parametrize(
    ("html", "nearness", "is_kept_whole"),
    [("<p>left</p>{}<p>kept</p>", 0.75, True), ("<p>left</p>{}<p>kept</p>", 0.6, False),
     ("<p>left</p>{}<p>left</p>", 0.75, False)],
)  # fmt: skip
def test_sheet_next_to_a_kept_text_and_close_to_the_cut_is_kept(
    html: str, nearness: float, is_kept_whole: bool
) -> None:
    near = dict.fromkeys(range(8), nearness)
    html = f"<body>{html.format(SHEET)}</body>"
    selection = make_selection(html, lambda block: block.text == "kept", nearness=near)
    mark_fact_rows(selection)
    assert all(selection.kept[1:7]) is is_kept_whole


def test_value_in_nested_blocks_is_written_on_the_line_of_its_label() -> None:
    rows = "".join(f"<div><div><p>{name} </p></div><div> <div><p>Twice {name}</p></div></div></div>" for name in "AB")
    assert convert(rows) == "- **A**: Twice A\n- **B**: Twice B"


def test_row_with_code_or_a_heading_is_unchanged() -> None:
    rows = "".join(f"<div><div>{name}</div><div><pre><code>run {name}</code></pre></div></div>" for name in "AB")
    assert convert(rows) == "A\n\n```\nrun A\n```\n\nB\n\n```\nrun B\n```"


FACTS = {"Language": "English", "Publication Year": "2013", "Author": "J. B. Holm", "Item Height": "0.9 in"}


def make_rows_of_two(pair: str) -> str:
    """Return rows of two columns, each with a label and its value."""
    columns = [f"<div class=col>{pair.format(label=label, value=value)}</div>" for label, value in FACTS.items()]
    return "".join(f"<div class=row>{''.join(columns[at : at + 2])}</div>" for at in range(0, len(columns), 2))


@pytest.mark.parametrize(
    "pair",
    [
        "<span class=x-name><span>{label}</span></span><span class=x-value><span>{value}</span></span>",
        "<span class=spec__label>{label}</span> <span class=spec__data>{value}</span>",
        "<div>{label}</div><div>{value}</div>",
    ],
    ids=["inline", "inline with a space", "blocks"],
)
def test_pairs_in_one_row_become_separate_items(pair: str) -> None:
    facts = "\n".join(f"- **{label}**: {value}" for label, value in FACTS.items())
    assert convert(make_rows_of_two(pair)) == facts


@pytest.mark.parametrize(
    ("pair", "written"),
    [
        ("<b>{label}</b> <span>{value}</span>", "**{label}** {value}"),
        ("<span>{label}</span> <span>{value}</span>", "{label} {value}"),
        ("{label} <i>{value}</i>", "{label} *{value}*"),
        ("{label}: {value}", "{label}: {value}"),
    ],
)
def test_pair_does_not_become_the_label_of_another_pair(pair: str, written: str) -> None:
    lines = [written.format(label=label, value=value) for label, value in FACTS.items()]
    assert convert(make_rows_of_two(pair)) == "\n\n".join(lines)


def test_label_and_value_with_marks_form_a_row() -> None:
    rows = "".join(f"<div><div>Item <b>{name}</b></div><div>12 cm</div></div>" for name in ("Height", "Width"))
    assert convert(rows) == "- **Item Height**: 12 cm\n- **Item Width**: 12 cm"


def test_inline_names_and_dates_do_not_form_rows() -> None:
    html = "<div><a class=author-link>Ann</a><span class=time>3 days ago</span></div>" * 3
    assert "- **" not in convert(html)
