import pytest

from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.tree import build_tree


@pytest.mark.parametrize(
    ("html", "texts"),
    [
        ("<p>one <b>two</b> three</p><p>four", ["one two three", "four"]),
        ("<div>before<p>in</p>after</div>", ["before", "in", "after"]),
        ("<ul><li>a<ul><li>b</ul>c</ul>", ["a", "b", "c"]),
        ("<a href=x><h2>title</h2><p>text</p></a>", ["title", "text"]),
        ("<span>x<div>y</div>z</span>", ["x", "y", "z"]),
        ("<p>a<br>b</p>", ["a\nb"]),
        ("<p> \n </p><div><img src=x></div>", []),
        ("<script type=application/json>{}</script><select><option>o</select><svg><title>t</title></svg>x", ["x"]),
        ("<table><tr><td>a<td>b</table>", ["a", "b"]),
        ("<p>risk (<trusted-source><a href=x>2</a></trusted-source>).", ["risk (2)."]),
        ("<div><my-card>one</my-card> <my-card>two</my-card></div>", ["one", "two"]),
        ("<div>see <my-card><p>one</p></my-card></div>", ["see", "one"]),
        ("", []),
    ],
)
def test_separate_texts_are_blocks(html: str, texts: list[str]) -> None:
    assert [block.text for block in Blocks(build_tree(html)).all] == texts


def test_block_is_a_run_of_children() -> None:
    blocks = Blocks(build_tree("<div>before <b>bold</b><p>in</p>after</div>"))
    first, _, last = blocks.all
    children = blocks.tree[first.place].children
    assert [getattr(child, "tag", child) for child in children[first.first : first.last]] == ["before ", "b"]
    assert children[last.first : last.last] == ["after"]


def test_link_without_text_counts_in_the_next_block() -> None:
    blocks = Blocks(build_tree("<div><a href=1><img src=x></a><p>one</p><p>two</p></div>")).all
    assert [block.links for block in blocks] == [1, 0]


def test_links_and_linked_characters_are_counted() -> None:
    (block,) = Blocks(build_tree("<p>see <a href=1>one</a>, <a href=2><b>two</b></a>")).all
    assert (block.size, block.linked, block.links) == (10, 6, 2)


def test_elements_contain_ranges_of_blocks() -> None:
    blocks = Blocks(build_tree("<body><nav><p>a<p>b</nav><main><p>c</main>"))
    ranges = {node.tag: (blocks.starts[at], blocks.ends[at]) for at, node in enumerate(blocks.tree)}
    assert (ranges["nav"], ranges["main"], ranges["body"]) == ((0, 2), (2, 3), (0, 3))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("two words", 2), ("日本語です", 5), ("Größe", 1), ("Модель телефона", 2), ("η γέφυρα «έκλεισε»", 3), ("ไทย", 3)],
)
def test_tokens_count_words_or_characters(text: str, tokens: int) -> None:
    assert Blocks(build_tree(f"<p>{text}")).all[0].tokens == tokens
