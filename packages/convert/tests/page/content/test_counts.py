import pytest

from convert_support.choice import make_selection
from webquarry_convert.page.content.counts import drop_counts
from webquarry_convert.page.content.marks import mark_dropped
from webquarry_convert.write import write


def convert(html: str, *, is_thread: bool = True) -> str:
    selection = make_selection(f"<body>{html}<p>Lock the line first.</p>")
    selection.is_thread = is_thread
    drop_counts(selection)
    mark_dropped(selection)
    return write(selection.blocks.tree[0], None).strip().removesuffix("Lock the line first.").strip()


@pytest.mark.parametrize(
    ("html", "left"),
    [
        ("<div><a>ilse</a><span class=reputation-score>1,204</span></div>", "ilse"),
        ("<div><a>ilse</a> <span class=badgecount>●3</span></div>", "ilse"),
        ("<div class=js-vote-count>12</div>", ""),
        ("<div class=votecell><span>12</span></div>", ""),
        ("<div class=js-vote-count>12 votes</div>", "12 votes"),
        ("<p>12</p>", "12"),
        ("<div><b>Depth</b> <span class=value>12</span></div>", "**Depth** 12"),
    ],
)
def test_counts_without_a_word_are_dropped(html: str, left: str) -> None:
    assert convert(html) == left


def test_counts_on_other_pages_are_kept() -> None:
    assert convert("<div class=score>4.5</div>", is_thread=False) == "4.5"
