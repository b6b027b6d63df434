"""Pictures on a page after the selection of its texts: which pictures are kept, and how much of their wrappers."""

from collections.abc import Callable

import pytest

from convert_support.effort import assert_linear
from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.content.figures import MAX_BLOCKS, MAX_TOKENS, NEAR
from webquarry_convert.page.content.marks import Marks
from webquarry_convert.tree import Node, build_tree

IMAGE = "<img src=/a/photo.jpg>"
FIGURE = f"<figure>{IMAGE}<figcaption>Credit</figcaption></figure>"
TEXT = "<p>kept"


def left(node: Node) -> str:
    inner = "".join(child if isinstance(child, str) else left(child) for child in node.children)
    return "" if node.is_dropped else f"<{node.tag}>{inner}"


def pruned(body: str) -> str:
    """Return what remains of a body after pruning. Texts that begin with "kept" are kept."""
    tree = build_tree(f"<head></head><body>{body}</body>")
    blocks = Blocks(tree)
    Marks(blocks, [block.text.startswith("kept") for block in blocks.all]).prune()
    return left(tree[0]).removeprefix("<html>").removeprefix("<head>").removeprefix("<body>")


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (f"{FIGURE}{TEXT}", "<figure><img><p>kept"),
        (f"{FIGURE}<p>by us<p>today{TEXT}", "<figure><img><p>kept"),
        (f"<div class=lead>{IMAGE}</div><p>by us{TEXT}", "<div><img><p>kept"),
        (f"<div>{IMAGE}<p>caption</div>{TEXT}", "<div><img><p>kept"),
        (f"{TEXT}<div><p>View photo</p>{FIGURE}</div><p>menu{TEXT}", "<p>kept<div><figure><img><p>kept"),
        (f"{TEXT}<figure><div>{IMAGE} Image</div><figcaption>kept</figcaption></figure>", "<p>kept<figure><div><img>"),
        (f"<figure>{IMAGE}<figcaption><a href=/kim>Kim</a></figcaption></figure>{TEXT}", "<figure><img><p>kept"),
        (f"<div><picture><source srcset=x>{IMAGE}</picture>by us</div>{TEXT}", "<div><picture><source><img><p>kept"),
        (f"{TEXT}<figure><iframe src=/v></iframe>caption</figure>{TEXT}", "<p>kept<figure><iframe><p>kept"),
    ],
    ids=[
        "lead figure",
        "before the byline",
        "lead image",
        "with a caption",
        "between texts",
        "beside its caption",
        "credit",
        "picture",
        "film",
    ],
)
def test_pictures_in_the_content_are_kept_without_dropped_text(body: str, shown: str) -> None:
    assert pruned(body).startswith(shown)


@pytest.mark.parametrize(
    "around",
    [
        f"{TEXT}{{}}<p>menu",
        "{}" + "<p>menu" * NEAR + TEXT,
        f"<div>{{}}<p>menu{TEXT}</div>{TEXT * 3}",
        f"{TEXT}<aside>{{}}<p>{'word ' * (MAX_TOKENS + 1)}</aside><p>menu{TEXT}",
        f"{TEXT}<aside>{{}}{'<p>menu' * (MAX_BLOCKS + 1)}</aside><p>menu{TEXT}",
        f"{TEXT}<a href=/other>{{}}<p>Another story</a><p>menu{TEXT}",
    ],
    ids=["behind the content", "far before it", "beside a part of it", "in a story", "in a list", "in a link"],
)
def test_pictures_in_dropped_content_are_dropped(around: str) -> None:
    assert "<img>" not in pruned(around.format(f"<div>{IMAGE}<p>menu</div>"))


@pytest.mark.parametrize(
    "image",
    [
        "<img src=/a/logo.png>",
        "<img src=/site-logo2.png>",
        "<img src=/a.jpg class='entry author'>",
        "<img src=data:x data-src=/a/user_avatar.jpg>",
        "<img src=/arrow.svg>",
        "<img src=/a.jpg width=64 height=64>",
        "<img src=/a.jpg width=64px>",
        "<hr>",
    ],
)
def test_icons_and_logos_before_the_content_are_dropped(image: str) -> None:
    assert pruned(f"<div>{image}</div><p>menu{TEXT}") == "<p>kept"


@pytest.mark.parametrize(
    "image", ["<img src=/blogosphere.jpg>", "<img src=/a.jpg width=640>", "<img src=/a.jpg width=100%>", "<img src=''>"]
)
def test_other_images_before_the_content_are_kept(image: str) -> None:
    assert pruned(f"<div>{image}</div><p>menu{TEXT}") == "<div><img><p>kept"


@pytest.mark.parametrize(
    "unit",
    [
        f"<div class='{'_' * 400}'>{IMAGE}</div><p>menu",
        f"<img class='{'_a' * 200}' src=/{'_' * 200}.jpg><p>menu",
        f"{'<div>' * 20}{IMAGE}{'</div>' * 20}<p>menu",
        f"{TEXT}{FIGURE}",
        "<pre>code</pre><table><tr><td>menu</table>",
    ],
)
def test_time_grows_linearly_with_the_page(unit: str) -> None:
    def prepared(count: int) -> Callable[[], object]:
        tree = build_tree(f"<body><div>{unit * count}</div>{TEXT}")
        blocks = Blocks(tree)
        return Marks(blocks, [block.text.startswith("kept") for block in blocks.all]).prune

    assert_linear(prepared, 1000)
