import pytest

from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.content.marks import Marks
from webquarry_convert.tree import Node, build_tree


def left(node: Node) -> str:
    inner = "".join(child if isinstance(child, str) else left(child) for child in node.children)
    return "" if node.is_dropped else f"<{node.tag}>{inner}"


@pytest.mark.parametrize(
    ("html", "kept", "is_left"),
    [
        ("<nav><p>a<p>b</nav><p>c", "001", "<p>c"),
        ("<div>a<p>b</p>c</div>", "010", "<div><p>b"),
        ("<div>a <b>x</b><p>b</p>c</div>", "101", "<div>a <b>xc"),
        ("<div><p>a</p><p>b</p></div>", "11", "<div><p>a<p>b"),
        ("<p>a</p><img src=x><p>b</p><hr><p>c</p>", "100", "<p>a<img>"),
        ("<p>a</p><hr><p>b</p><hr><p>c</p>", "001", "<hr><p>c"),
        ("<div><hr></div><div><p>a</p></div><div><p>b</p></div>", "01", "<div><p>b"),
        ("<p>a", "0", ""),
        ("<p>a</p><div><figure><img src=x>c</figure></div><p>b</p>", "101", "<p>a<div><figure><img><p>b"),
        ("<p>a</p><figure><img src=x><figcaption>c</figcaption></figure><p>b</p>", "101", "<p>a<figure><img><p>b"),
        ("<p>a</p><figure><img src=x>c</figure><p>b</p>", "100", "<p>a"),
    ],
)
def test_only_kept_blocks_remain(html: str, kept: str, is_left: str) -> None:
    tree = build_tree(f"<head></head><body>{html}</body>")
    Marks(Blocks(tree), [sign == "1" for sign in kept]).prune()
    shown = left(tree[0])
    assert shown.removeprefix("<html>").removeprefix("<head>").removeprefix("<body>") == is_left
