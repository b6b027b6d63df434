import pytest

from convert_support.choice import make_selection
from webquarry_convert.page.content.hidden_copies import find_hidden_copies

TEXT = "<p>Six inches in oak, eight in pine, and never less than that.</p>"
OTHER = "<p>The mole is enough, as long as the chain at its foot is in the water at all tides.</p>"


def find(html: str) -> list[str]:
    """Return the texts of the hidden copies on a page."""
    blocks = make_selection(f"<body>{html}").blocks
    return [blocks.all[number].text for span in find_hidden_copies(blocks) for number in range(*span)]


@pytest.mark.parametrize("hiding", ["hidden", "style='display: none'", "aria-hidden=true"])
def test_hidden_copy_is_found_before_and_after_the_visible_text(hiding: str) -> None:
    copy = f"<div {hiding}><b>Quote from Ann</b>{TEXT}</div>"
    assert len(find(f"{copy}{TEXT}")) == 2
    assert len(find(f"{TEXT}{copy}")) == 2


@pytest.mark.parametrize(
    "html",
    [f"<div hidden>{OTHER}</div>{TEXT}", f"<div hidden>{TEXT}{OTHER}</div>{TEXT}", f"{TEXT}{TEXT}",
     f"<div hidden>{TEXT}</div><div hidden>{TEXT}</div>", "<b hidden>Share</b><b>Share</b>"],
    ids=["another text", "a longer text", "both visible", "both hidden", "a word"],
)  # fmt: skip
def test_other_texts_are_not_copies(html: str) -> None:
    assert find(html) == []
