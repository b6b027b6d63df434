"""Code written as one `div` per line."""

import pytest

from webquarry_convert.page import to_markdown
from webquarry_convert.page.content.code_lines import name_code
from webquarry_convert.tree import build_tree

LINES = '<div class="line"><span class=keyword>if</span> (depth &lt; 3) {</div>\n<div class="line">  return 1;</div>\n'
TEXT = "<p>The old pump holds a litre of oil since the frost came early, and nobody in the village has replaced it.</p>"


@pytest.mark.parametrize("name", ["fragment", "view-lines", "cm-content cm-lineWrapping"])
def test_lines_of_code_become_a_code_block(name: str) -> None:
    written = to_markdown(f'<main><h1>Pump</h1>{TEXT}<div class="{name}">{LINES}</div>{TEXT}</main>')
    assert "```\nif (depth < 3) {\n  return 1;\n```" in written


@pytest.mark.parametrize(
    "inside", ["", "Some text", f"{LINES}more", f"{LINES}<p>more</p>", "<div class=outline>a</div>"]
)
def test_elements_with_other_content_are_not_code_blocks(inside: str) -> None:
    tree = build_tree(f"<div class=fragment>{inside}</div>")
    name_code(tree)
    assert all(node.tag != "pre" for node in tree)
