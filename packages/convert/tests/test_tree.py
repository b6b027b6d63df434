import pytest

from webquarry_convert.tree import MAX_DEPTH, Node, build_tree


def shown(node: Node) -> str:
    return f"<{node.tag}>" + "".join(child if isinstance(child, str) else shown(child) for child in node.children)


@pytest.mark.parametrize(
    ("html", "tree"),
    [
        ("<p>a<b>c</b>d", "<html><head><body><p>a<b>cd"),
        ("<!-- c --><p>a<!-- d -->b", "<html><head><body><p>ab"),
        ("<script>x</script><style>y</style><template>z</template>a", "<html><head><body>a"),
        ("<body><script type=text/javascript>x</script>a", "<html><head><body>a"),
        ("<body><script type='application/ld+json'>{}</script>", "<html><head><body><script>{}"),
        ("<body><script type='math/tex; mode=display'>x</script>", "<html><head><body><script>x"),
        ("", "<html><head><body>"),
    ],
)
def test_tree_contains_the_relevant_nodes(html: str, tree: str) -> None:
    assert shown(build_tree(html)[0]) == tree


def test_nodes_are_in_document_order_with_their_range() -> None:
    tree = build_tree("<body><div><p>a</p><p>b</p></div><p>c")
    for place, node in enumerate(tree):
        inside = [child for child in node.children if isinstance(child, Node)]
        assert all(tree[tree.index(child)].up == place for child in inside)
        assert node.end == max([place + 1, *(child.end for child in inside)])


@pytest.mark.parametrize(
    ("inner", "light", "read"),
    [
        ("<p>a<slot name=s></slot>b<slot></slot>", "<i slot=s>1</i>2<i>3</i>", "<x-y><p>a<i>1b2<i>3"),
        ("<p>a<slot>b</slot><slot name=s>c</slot>", "", "<x-y><p>abc"),
        ("<p>a", "1", "<x-y><p>a"),
        ("<slot></slot><slot></slot>", "1", "<x-y>1"),
        ("<style>p{}</style><template>x</template>a", "", "<x-y>a"),
        (
            "<x-z><template shadowrootmode=open>b<slot></slot></template><slot></slot></x-z>",
            "<p>1",
            "<x-y><x-z>b<p>1",
        ),
    ],
    ids=["slots", "no children", "no slot", "the first slot", "templates and styles", "a slot in a slot"],
)
def test_shadow_root_replaces_the_children_of_its_host(inner: str, light: str, read: str) -> None:
    html = f"<body><x-y><template shadowrootmode=open>{inner}</template>{light}</x-y>"
    assert shown(build_tree(html)[0]) == f"<html><head><body>{read}"


def test_nested_shadow_roots_and_slots_are_limited() -> None:
    open_tags = "<x-y><template shadowrootmode=open><slot>"
    assert len(build_tree(f"<body>{open_tags * 3000}core")) <= MAX_DEPTH


@pytest.mark.parametrize("open_tags", ["<div>", "<ul><li>", "<table><tr><td>", "<span>", "<b><p>"])
def test_elements_nested_too_deeply_become_text(open_tags: str) -> None:
    tree = build_tree(open_tags * 3000 + "core" + "</b>")
    depths = [0]
    for node in tree[1:]:
        depths.append(depths[node.up] + 1)
    assert max(depths) <= MAX_DEPTH
    assert "core" in shown(tree[0])
