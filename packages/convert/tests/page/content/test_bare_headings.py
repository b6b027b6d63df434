import pytest

from convert_support.choice import list_kept, make_selection
from webquarry_convert.page.content.bare_headings import drop_bare_headings


@pytest.mark.parametrize(
    ("html", "is_kept"),
    [
        ("<h2>H</h2><form><textarea></textarea></form>", False),
        ("<h2>H</h2><p>left</p><div><form><input></form></div>", False),
        ("<h2>H</h2><h3>Loading…</h3><h2>I</h2><p>kept</p>", False),
        ("<h2>H</h2><h3>kept</h3><form></form>", True),
        ("<h2>H</h2><p>kept</p><form></form>", True),
        ("<h2>H</h2><p>left</p>", True),
        ("<div><h2>H</h2></div><form></form>", True),
        ("<h2>H</h2><h2>I</h2><form></form>", True),
        ("<h1>H</h1><form></form>", True),
    ],
)
def test_heading_above_a_form_or_announced_text_is_dropped(html: str, is_kept: bool) -> None:
    selection = make_selection(f"<body>{html}", lambda block: block.text in ("H", "I", "kept"))
    drop_bare_headings(selection)
    assert ("H" in list_kept(selection)) is is_kept
