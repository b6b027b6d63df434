import pytest

from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.content.menus import select_outside
from webquarry_convert.page.content.sums import Sums
from webquarry_convert.tree import build_tree

PROSE = "A sentence that is long enough to be taken for the text of a page, with a comma and an end."
LINKS = "<a href=/a>one</a><br><a href=/b>two</a><br><a href=/c>three</a><br><a href=/d>four</a>"


@pytest.mark.parametrize(
    ("html", "numbers"),
    [
        (f"<nav><p>a<p>b</nav><p>{PROSE}<footer><p>c</footer>", [2]),
        (f"<div role=navigation><p>a</div><p>{PROSE}<div role=contentinfo>c</div>", [1]),
        (f"<nav><p>{PROSE}</nav><p>b", [0, 1]),
        ("<nav><p>a</nav>", [0]),
        (f"<main><p>{PROSE}</main>", [0]),
        (f"<p>{PROSE}<div>- Advertisement.\n Scroll to continue reading -</div><p>{PROSE}<p>ANZEIGE<p>end", [0, 2, 4]),
        (f"<p>{PROSE}<h2>Anzeige</h2><div>Anzeige:</div><ul><li>Publicité</ul>", [0, 1, 2, 3]),
        (f"<blockquote><p>{PROSE}<footer>Ada Birkett</footer></blockquote><footer>c</footer>", [0, 1]),
        (f"<article><footer><p>Ada<p>3 May</footer><p>{PROSE}<footer>Reply</footer></article>", [0, 1, 2]),
        (f"<table><tr><td>{LINKS}<td>{4 * PROSE}</table>", [1]),
        (f"<table><tr><td>Starring<td>{LINKS}</table><p>{PROSE}", [0, 1, 2]),
        (f"<table><tr><td>{LINKS.replace('<br>', ', ')}<td>{4 * PROSE}</table>", [0, 1]),
    ],
)
def test_menus_are_judged_only_if_they_contain_the_prose(html: str, numbers: list[int]) -> None:
    blocks = Blocks(build_tree(html))
    assert select_outside(blocks, Sums(blocks)) == numbers
