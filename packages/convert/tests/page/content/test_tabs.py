import pytest

from convert_support.choice import make_selection
from webquarry_convert.page.content.marks import mark_dropped
from webquarry_convert.page.content.tabs import label_panels
from webquarry_convert.write import write

LABELLED = "**A**\n\none\n\n**B**\n\ntwo"


def convert(html: str) -> str:
    selection = make_selection(f"<body>{html}", lambda block: block.text != "left")
    label_panels(selection)
    mark_dropped(selection)
    return write(selection.blocks.tree[0], None).strip()


@pytest.mark.parametrize(
    ("tabs", "panels"),
    [
        (
            "<li role=tab aria-controls=p1>A</li><li role=tab aria-controls=p2>B</li>",
            "<div role=tabpanel id=p1>one</div><div role=tabpanel id=p2>two</div>",
        ),
        (
            "<li role=tab id=t2>B</li><li role=tab id=t1>A</li>",
            "<div role=tabpanel aria-labelledby=t1>one</div><div role=tabpanel aria-labelledby=t2>two</div>",
        ),
        (
            "<li><a role=tab href=#p1>A</a></li><li><a role=tab href=#p2>B</a></li>",
            "<div role=tabpanel id=p1>one</div><div role=tabpanel id=p2>two</div>",
        ),
        (
            "<li role=tab>A</li><li role=tab>B</li>",
            "<div><div role=tabpanel>one</div><div role=tabpanel hidden>two</div></div>",
        ),
    ],
    ids=["tabs refer", "panels refer", "links refer", "in order"],
)
def test_label_is_written_above_its_panel(tabs: str, panels: str) -> None:
    assert convert(f"<ul role=tablist>{tabs}</ul>{panels}") == LABELLED


def test_panel_without_kept_text_gets_no_label() -> None:
    tabs = "<ul role=tablist><li role=tab>A</li><li role=tab>B</li></ul>"
    assert convert(f"{tabs}<div role=tabpanel>one</div><div role=tabpanel>left</div>") == "**A**\n\none"


def test_label_that_the_panel_contains_is_not_repeated() -> None:
    tabs = "<ul role=tablist><li role=tab>A (3)</li></ul>"
    assert convert(f"{tabs}<div role=tabpanel><h2>A</h2><p>one</p></div>") == "## A\n\none"


def test_tabs_without_panels_are_kept() -> None:
    assert convert("<ul role=tablist><li role=tab>A</li></ul><p>one</p>") == "- A\n\none"
