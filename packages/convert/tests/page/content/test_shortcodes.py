import pytest

from convert_support.choice import make_selection
from webquarry_convert.page.content.marks import mark_dropped
from webquarry_convert.page.content.shortcodes import remove_shortcodes
from webquarry_convert.write import write


def convert(html: str) -> str:
    selection = make_selection(f"<body><h1>Sewing</h1>{html}")
    remove_shortcodes(selection)
    mark_dropped(selection)
    return write(selection.blocks.tree[0], None).strip().removeprefix("# Sewing").strip()


@pytest.mark.parametrize(
    ("html", "left"),
    [
        ('<p>[vc_row width="1/2"][vc_column]</p><p>a[/vc_column][/vc_row]</p>', "a"),
        ("<p>[caption id='a' align=\"left\"]a[/caption]</p>", "a"),
        ("<p>[et_pb_section admin_label=”section”]a[/et_pb_section]</p>", "a"),
        ('<p>a <b>b[contact-form-7 id="1" title="Form"]</b></p>', "a **b**"),
        ('<p>[button link="/a" color="red"]a[/button] [button]</p>', "a"),
    ],
)
def test_shortcode_brackets_are_removed_and_their_text_is_kept(html: str, left: str) -> None:
    assert convert(html) == left


@pytest.mark.parametrize(
    "text",
    ["footnote [12] stays", "a list [a, b] and [sic]", "write [b]bold[/b] here", '[quote="Ann"]a[/quote]'],
)
def test_other_brackets_are_kept(text: str) -> None:
    assert convert(f"<p>{text}</p>").replace("\\", "") == text


def test_shortcodes_that_the_page_explains_are_kept() -> None:
    html = '<p>Use <code>[gallery]</code>, as in [gallery ids="1"].</p>'
    assert convert(html).replace("\\", "") == 'Use `[gallery]`, as in [gallery ids="1"].'


def test_shortcodes_in_code_are_kept() -> None:
    html = '<pre>[row a="b"]</pre><p>[column a="b"]x</p>'
    assert convert(html) == '```\n[row a="b"]\n```\n\nx'
