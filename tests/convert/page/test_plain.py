import pytest
from selectolax.lexbor import LexborHTMLParser

from webquarry.convert.page.plain import write


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("", ""),
        ("<h2>A <em>b</em></h2><p>c</p>d", "## A *b*\n\nc\n\nd\n"),
        ("<p>a<br>b", "a  \nb\n"),
        ("<p>one  two\nthree</p>", "one two three\n"),
        ("<p><a href='/x y'>z</a> <a>none</a>", "[z](</x y>) none\n"),
        ("<p><strong> a </strong>b<em></em>", "**a** b\n"),
        ("<b>a <strong>b</strong> c</b>", "**a b c**\n"),
        ("<a href=x><h2>T</h2><p>t</p></a>u", "## [T](x)\n\n[t](x)\n\nu\n"),
        ("<b><p>a</p><i>b</i></b>", "**a**\n\n***b***\n"),
        ("<b><table><tr><td>a<td>b<tr><td>c<td></table></b>", "| **a** | **b** |\n| --- | --- |\n| **c** |  |\n"),
        ("<img src=a.png alt='x [y]'>", "![x \\[y\\]](a.png)\n"),
        ("<img src='data:x' data-src=b.png>", "![](b.png)\n"),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c\n"),
        ("<ol start=3><li>a<li>b</ol>", "3. a\n4. b\n"),
        ("<ul><li><p>a</p><p>b</p></ul>", "- a\n\n  b\n"),
        ("<pre><code class='language-py'>a\n  b</code></pre>", "```py\na\n  b\n```\n"),
        ("<pre>```</pre>", "````\n```\n````\n"),
        ("<table><tr><th>a<th>b<tr><td>1|2<td><p>x</p>y</table>", "| a | b |\n| --- | --- |\n| 1\\|2 | x y |\n"),
        ("<table><tr><td>a</table>b", "a\n\nb\n"),
        ("<p>1. a</p><p># b</p><p>a*b_c_ `d` &lt;e&gt;</p>", "\\1. a\n\n\\# b\n\na\\*b_c\\_ \\`d\\` \\<e>\n"),
        ("<nav>n</nav><script>s</script><template>t</template><noscript>n</noscript><p>x", "x\n"),
        ("<p>a<hr>b", "a\n\n---\n\nb\n"),
    ],
)
def test_markup_becomes_markdown(html: str, markdown: str) -> None:
    assert write(LexborHTMLParser(html)) == markdown


def test_depth_does_not_matter() -> None:
    assert write(LexborHTMLParser("<div>" * 3000 + "x")) == "x\n"
