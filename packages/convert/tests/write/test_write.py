"""Features of the writer, each on a page with a few lines."""

from collections.abc import Callable
from functools import partial

import pytest

from convert_support.effort import assert_linear
from webquarry_convert.tree import Node, build_tree
from webquarry_convert.write import write

BASE = "https://example.com/dir/page"


def written(html: str, base: str | None = BASE) -> str:
    return write(build_tree(html)[0], base).removesuffix("\n")


HEADINGS = {
    "levels": ("<h1>One</h1><h3>Two</h3>", "# One\n\n### Two"),
    "a heading is one line": ("<h2>One<br>two\n three <div>four</div></h2>", "## One two three four"),
    "empty ones vanish": ("<h2> &nbsp; </h2><h2><a href='#x'></a></h2><p>x</p>", "x"),
    "permalinks vanish": ("<h2>T <a class=headerlink href='#t'>¶</a><a href='#t'>#</a></h2>", "## T"),
    "bold adds nothing": ("<h2><b>T</b> u</h2>", "## T u"),
    "a closing hash is text": ("<h2>C #</h2>", "## C \\#"),
    "an image alone is none": ("<h1><img src=/logo.png alt=Name></h1>", "![Name](https://example.com/logo.png)"),
    "links to edit them vanish": ("<h2>T<span class=mw-editsection>[<a href=/e>edit</a>]</span></h2>", "## T"),
    "parts of two classes stand apart": (
        "<h1><div><span class=name>Table, oak</span><span class=size>235 cm</span></div></h1>",
        "# Table, oak 235 cm",
    ),
    "letters drawn one by one stay a word": (
        "<h2><span class=big>O</span><span class=small>nce</span> <span class=l>up</span><span class=l>on</span></h2>",
        "## Once upon",
    ),
    "buttons in them are their text": ("<h3><button>Why?</button></h3><p>So.</p>", "### Why?\n\nSo."),
}
LISTS = {
    "nested": ("<ul><li>a<ul><li>b<ol><li>c</ol></ul><li>d</ul>", "- a\n  - b\n    1. c\n- d"),
    "start": ("<ol start=3><li>a<li>b</ol>", "3. a\n4. b"),
    "value": ("<ol><li>a<li value=7>b<li>c</ol>", "1. a\n7. b\n8. c"),
    "reversed": ("<ol reversed><li>a<li>b</ol>", "2. a\n1. b"),
    "a start that is no number": ("<ol start=-2x><li>a</ol>", "1. a"),
    "tasks": (
        "<ul><li><input type=checkbox checked> a<li><label><input type=checkbox>b</label></ul>",
        "- [x] a\n- [ ] b",
    ),
    "blocks in items": (
        "<ul><li><p>a</p><p>b</p><pre>c\n\nd</pre><li>e</ul>",
        "- a\n\n  b\n\n  ```\n  c\n\n  d\n  ```\n- e",
    ),
    "empty items vanish": ("<ul><li> <li>a<li><b></b></ul>", "- a"),
    "lists side by side stay two": ("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n* b"),
    "items in lists of their own": (
        "<ul class=b><li>a</ul><ul class=b><li>b<ul class=b><li>c</ul></ul> <ul class=b><li>d</ul>"
        "<ul class=t><li>e</ul>",
        "- a\n- b\n  - c\n- d\n\n* e",
    ),
    "numbers that go on": (
        "<ol><li>a</ol><ol start=2><li>b<li>c</ol><ol start=4><li>d</ol><ol start=9><li>e</ol>",
        "1. a\n2. b\n3. c\n4. d\n\n9) e",
    ),
    "a list directly in a list": ("<ul><li>a</li><ul><li>b</ul></ul>", "- a\n  - b"),
    "terms": ("<dl><dt>T</dt><dd>d</dd><dd>e</dd><dt>U</dt><dd>f</dd></dl>", "- **T**: d; e\n- **U**: f"),
    "terms with blocks": ("<dl><dt>T</dt><dd><p>a</p><p>b</p></dd></dl>", "**T**\n\na\n\nb"),
    "a term alone": ("<dl><dt>T</dt></dl><p>a</p>", "**T**\n\na"),
    "terms alone": ("<dl><dt>T</dt><dt>U</dt></dl>", "- **T**, **U**"),
}
TABLES = {
    "head": ("<table><thead><tr><th>a<th>b<tbody><tr><td>1<td>2</table>", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
    "first row without marks": ("<table><tr><td>a<td>b<tr><td>1<td>2</table>", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
    "names beside values": (
        "<table><tr><th>a<td>1<tr><th>b<td>2</table>",
        "|  |  |\n| --- | --- |\n| a | 1 |\n| b | 2 |",
    ),
    "spans are filled": (
        "<table><tr><th colspan=2>a<th>b<tr><td rowspan=2>1<td>2<td>3<tr><td>4<td>5</table>",
        "| a | a | b |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n| 1 | 4 | 5 |",
    ),
    "a title over all columns stands once": (
        "<table><tr><th>a<th>b<tr><td colspan=2>T<tr><td>1<td>2</table>",
        "| a | b |\n| --- | --- |\n| T |  |\n| 1 | 2 |",
    ),
    "breaks, blocks and items are lines of a cell": (
        "<table><tr><th>a<th>b<tr><td>1<br>2<td><p>3</p><ul> <li> <p>4</p><li> <li>5</ul></table>",
        "| a | b |\n| --- | --- |\n| 1<br>2 | 3<br>- 4<br>- 5 |",
    ),
    "lines of a cell within marks": (
        "<table><tr><th>a<th>b<tr><td><b>1<br>2</b><td><a href=/x><div>3</div><div>4</div></a></table>",
        "| a | b |\n| --- | --- |\n| **1**<br>**2** | [3 4](https://example.com/x) |",
    ),
    "bars are text": (
        "<table><tr><th>a|b<th>c<tr><td><code>x|y</code><td>2</table>",
        "| a\\|b | c |\n| --- | --- |\n| `x\\|y` | 2 |",
    ),
    "a foot before the body stands below": (
        "<table><thead><tr><th>a<th>b<tfoot><tr><td>S<td>3<tbody><tr><td>1<td>2</table>",
        "| a | b |\n| --- | --- |\n| 1 | 2 |\n| S | 3 |",
    ),
    "a foot that repeats the head vanishes": (
        "<table><thead><tr><th>a<th>b<tfoot><tr><th>a<th>b<tbody><tr><td>1<td>2</table>",
        "| a | b |\n| --- | --- |\n| 1 | 2 |",
    ),
    "caption": (
        "<table><caption>C</caption><tr><th>a<th>b<tr><td>1<td>2</table>",
        "C\n\n| a | b |\n| --- | --- |\n| 1 | 2 |",
    ),
    "one column is flow": ("<table><tr><td>a<tr><td>b</table>", "a\n\nb"),
    "one row of texts is a line": (
        "<table><tr><td>int Pump::start<td>(<td><i>n</i><td>)</table>",
        "int Pump::start ( *n* )",
    ),
    "one row of blocks is flow": ("<table><tr><td>a<td><p>b</table>", "a\n\nb"),
    "one row of long texts is flow": (f"<table><tr><td>{'a' * 81}<td>b</table>", f"{'a' * 81}\n\nb"),
    "a table around tables is flow": (
        "<table><tr><td>x<td><table><tr><th>a<th>b<tr><td>1<td>2</table><tr><td>y<td>z</table>",
        "x\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\ny\n\nz",
    ),
    "a cell of sections is flow": (
        "<table><tr><td>m<td><h2>T</h2><p>x</p><tr><td>n<td>o</table>",
        "m\n\n## T\n\nx\n\nn\n\no",
    ),
    "role": ("<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>", "a\n\nb\n\nc\n\nd"),
}
CODE = {
    "language of the code": ("<pre><code class='language-py hljs'>x = 1\n  y</code></pre>", "```py\nx = 1\n  y\n```"),
    "language around": (
        "<div class='highlight-python notranslate'><div class=highlight><pre>x</pre></div></div>",
        "```python\nx\n```",
    ),
    "language of GitHub": ("<div class='highlight highlight-source-rust'><pre>x</pre></div>", "```rust\nx\n```"),
    "language as a brush": ("<pre class='brush: java; gutter: false'>x</pre>", "```java\nx\n```"),
    "language as data": ("<pre data-language=toml><code>x</code></pre>", "```toml\nx\n```"),
    "language as the only class": ("<pre><code class='json '>{}</code></pre>", "```json\n{}\n```"),
    "language as lang": ("<pre lang=go><code>x</code></pre>", "```go\nx\n```"),
    "a natural language": ("<pre lang=en><code>x</code></pre>", "```\nx\n```"),
    "names of parts of the page": (
        "<pre class='code-block src-viewer highlight-lines btn-container'><code class=code-body>x</code></pre>",
        "```\nx\n```",
    ),
    "a rare language": ("<pre><code class=language-zeek>x</code></pre>", "```zeek\nx\n```"),
    "a button in the code": (
        "<pre><div class=code-btn-container><div class=btn-copy-code>Copy</div></div><code class=json>{}</code></pre>",
        "```json\n{}\n```",
    ),
    "no language": ("<pre class='prettyprint wp-block-code'>x</pre>", "```\nx\n```"),
    "breaks": ("<pre>a<br>b</pre>", "```\na\nb\n```"),
    "an element for each line": ("<pre><div>a</div><div><br></div><div>b</div></pre>", "```\na\n\nb\n```"),
    "lines side by side": (
        "<pre><code><span class=line>a</span><span class=line></span><span class=line>b</span></code></pre>",
        "```\na\n\nb\n```",
    ),
    "lines with breaks between": (
        "<pre><code><span class=line>a</span>\n<span class=line></span>\n<span class=line>b</span></code></pre>",
        "```\na\n\nb\n```",
    ),
    "a break after the element of a line": (
        "<pre><span class=line>a</span><br><span class=line></span><br><br><span class=line>b</span><br></pre>",
        "```\na\n\n\nb\n```",
    ),
    "numbers in a column without names": (
        "<table><tr><td><pre>1\n2</pre></td><td><pre>a\nb</pre></td></tr></table>",
        "```\na\nb\n```",
    ),
    "numbers in a column": (
        "<table class=highlighttable><tr><td class=linenos><div class=linenodiv><pre>1\n2</pre></div></td>"
        "<td class=code><div class=highlight><pre>a\n  b</pre></div></td></tr></table>",
        "```\na\n  b\n```",
    ),
    "numbers in each row": (
        "<pre><code class=language-js><table class=hljs-ln>"
        "<tr><td class=hljs-ln-numbers data-line-number=1></td><td>a</td></tr>"
        "<tr><td class=hljs-ln-numbers data-line-number=2></td><td>b</td></tr></table></code></pre>",
        "```js\na\nb\n```",
    ),
    "numbers that cannot be selected": ("<pre><span style='user-select:none'>1</span>a</pre>", "```\na\n```"),
    "numbers in each line": (
        "<pre><span class=lineno>1 </span>a\n<span class=lineno>2 </span>b</pre>",
        "```\na\nb\n```",
    ),
    "a header with the language": (
        "<pre><code class='hljs language-bash'><div class=code__header><span>bash</span></div>"
        "<span class=x>a</span>\nb</code></pre>",
        "```bash\na\nb\n```",
    ),
    "a block without pre": ("<code class='hl lean block'>\n    a\n      b\n</code>", "```lean\na\n  b\n```"),
    "a longer fence": ("<pre>```\nx\n```</pre>", "````\n```\nx\n```\n````"),
    "ticks in a line": ("<p>a <code>x`y</code> <code>``</code></p>", "a ``x`y`` ` `` `"),
    "keys": ("<p><kbd>Ctrl</kbd>+<kbd>C</kbd></p>", "`Ctrl`+`C`"),
    "a link on code": ("<p><code><a href=/f>f()</a></code></p>", "[`f()`](https://example.com/f)"),
}
LINKS = {
    "relative": ("<p><a href=../x?y=1&amp;utm_source=z#a>t</a></p>", "[t](https://example.com/x?y=1&utm_source=z#a)"),
    "of the scheme": ("<p><a href=//other.org/x>t</a></p>", "[t](https://other.org/x)"),
    "programs lose the link": ("<p><a href='javascript:x()'>t</a> <a href='data:,x'>u</a></p>", "t u"),
    "broken addresses lose the link": ("<p><a href='http://[x'>t</a> <a href='http://'>u</a></p>", "t u"),
    "spaces and parentheses": (
        "<p><a href='/a b(c'>t</a> <a href='/a_(b)'>u</a></p>",
        "[t](https://example.com/a%20b%28c) [u](https://example.com/a_(b))",
    ),
    "brackets in the label": ("<p><a href=/x>a ] b</a></p>", "[a \\] b](https://example.com/x)"),
    "brackets of which some are escaped": (
        "<p><a href=/x>[New]: a</a> <a href=/x>[^]</a></p>",
        "[\\[New\\]: a](https://example.com/x) [\\[^\\]](https://example.com/x)",
    ),
    "white space goes outside": ("<p>a<a href=/x> b </a>c</p>", "a [b](https://example.com/x) c"),
    "the label is one line": ("<p><a href=/x>a<br>b</a></p>", "[a b](https://example.com/x)"),
    "cards": ("<a href=/x><span>New</span><h3>T</h3><p>text</p></a>", "New\n\n### [T](https://example.com/x)\n\ntext"),
    "cards without a heading": ("<a href=/x><div>T</div><div>text</div></a>", "[T](https://example.com/x)\n\ntext"),
    "images": ("<a href=/x><img src=/i.png alt=A></a>", "[![A](https://example.com/i.png)](https://example.com/x)"),
    "empty": ("<p>a<a href=/x> </a>b</p>", "a b"),
    "a bang before": ("<p>Go!<a href=/x>t</a></p>", "Go\\![t](https://example.com/x)"),
}
IMAGES = {
    "lazy": ("<img src='data:image/gif;base64,x' data-src=/a.jpg alt='b [c'>", "![b \\[c](https://example.com/a.jpg)"),
    "placeholder": ("<img src=/img/blank.gif data-original=/a.jpg>", "![](https://example.com/a.jpg)"),
    "largest of a set": ("<img srcset='/s.jpg 100w, /l.jpg 900w, /m.jpg 500w'>", "![](https://example.com/l.jpg)"),
    "densities": ("<img src='data:,' srcset='/s.jpg, /l.jpg 2x'>", "![](https://example.com/l.jpg)"),
    "a picture twice in a row": (
        "<div><img src=/i.png alt=A></div><div><img src=/i.png alt=A></div><p>b</p><img src=/i.png alt=A>",
        "![A](https://example.com/i.png)\n\nb\n\n![A](https://example.com/i.png)",
    ),
    "picture": (
        "<picture><source srcset='/a.webp 1x'><img src='data:,' alt=A></picture>",
        "![A](https://example.com/a.webp)",
    ),
    "noscript": (
        "<img src='data:,' class=lazy><noscript><img src=/a.jpg alt=A></noscript>",
        "![A](https://example.com/a.jpg)",
    ),
    "noscript again": ("<img data-src=/a.jpg><noscript><img src=/a.jpg></noscript>", "![](https://example.com/a.jpg)"),
    "lazy with the name of a placeholder": (
        "<img src='data:,' data-src=/lazy-loaded.jpg>",
        "![](https://example.com/lazy-loaded.jpg)",
    ),
    "a photo with such a word in its name": ("<img src=/white-house.jpg>", "![](https://example.com/white-house.jpg)"),
    "a small one until scripts load the large one": (
        "<figure><div><img src=/54/a.png alt=A></div><img alt=A><noscript><img src=/1388/a.png></noscript></figure>",
        "![A](https://example.com/1388/a.png)",
    ),
    "the large one for a layer over the page": (
        "<p><a href=/l.jpg><img src=/s.jpg></a> <img src=/l.jpg></p>",
        "[![](https://example.com/s.jpg)](https://example.com/l.jpg)",
    ),
    "one side of nothing": ("<img src=/a.jpg width=570 height=0>", "![](https://example.com/a.jpg)"),
    "no side at all": ("<p>x<img src=/a.jpg width=0 height=0><img src=/a.jpg width=300 height=1></p>", "x"),
    "pixels": ("<p>x<img src=/t.gif width=1 height=1><img src=https://t.example/pixel.gif></p>", "x"),
    "figure": (
        "<figure><img src=/a.jpg alt=A><figcaption>C</figcaption></figure>",
        "![A](https://example.com/a.jpg)\n\nC",
    ),
    "emoji": ("<p>hi <img class=emoji src=/e.png alt=😀></p>", "hi 😀"),
}
X = "<math alttext='x'></math>"
MATH = {
    "two side by side": (f"<p>{X}{X} {X}<b>{X}</b></p>", "$x$ $x$ $x$ **$x$**"),
    "beside prices": (
        f"<p>$5 or <b>$6</b>, {X}<br>and <a href=/a>[$7]</a></p><p>$8</p>",
        "\\$5 or **\\$6**, $x$  \nand [\\[\\$7\\]](https://example.com/a)\n\n$8",
    ),
    "beside prices in other cells": (
        f"<table><tr><th>a<th>b</tr><tr><td>{X} $5<td>$6</tr></table>",
        "| a | b |\n| --- | --- |\n| $x$ \\$5 | $6 |",
    ),
    "beside prices in a heading": (f"<h2>$5 {X}{X}</h2>", "## \\$5 $x$ $x$"),
    "between brackets beside prices": (r"<p>$5 and \(x\)\(y\) $6</p>", "\\$5 and $x$ $y$ \\$6"),
    "where the page writes dollars around them": (r"<p>$5 and $\a$ and $z$</p>", "$5 and $\\a$ and $z$"),
    "annotation": (
        "<p>a <math><mi>x</mi><annotation encoding='application/x-tex'>x_1</annotation></math></p>",
        "a $x_1$",
    ),
    "boxes are not repeated": (
        "<p><span class=katex><span class=katex-mathml>"
        "<math><mi>x</mi><annotation encoding='application/x-tex'>x^2</annotation></math></span>"
        "<span class=katex-html aria-hidden=true>x2</span></span></p>",
        "$x^2$",
    ),
    "script": (
        "<p>a <span class=MathJax>x</span><script type='math/tex'>x</script></p>"
        "<script type='math/tex; mode=display'>y\n=z</script>",
        "a $x$\n\n$$\ny =z\n$$",
    ),
    "between delimiters": (
        r"<p>a \(x_1 * y_2\) and \[z\] and $$w$$ for $5 \( b</p>",
        "a $x_1 * y_2$ and $$z$$ and $$w$$ for $5 \\\\( b",
    ),
    "between single dollars": (
        r"<p>a $\sum_{i} a_i$ for $5 and $x_1$; \ costs $5\alpha and $6</p>",
        "a $\\sum_{i} a_i$ for $5 and $x_1$; \\ costs $5\\alpha and $6",
    ),
    "a tick in it": (r"<p>$$a`b$$ and <code>c</code> and $\Z`$</p>", r"$$a\`b$$ and `c` and $\Z\`$"),
    "a description in TeX": (r"<p><img alt='\frac{1}{2}' src=/f.svg></p>", "$\\frac{1}{2}$"),
    "without TeX": ("<p><math><mi>x</mi><mo>=</mo><mn>2</mn></math></p>", "$x=2$"),
    "image": ("<p><img class='mwe-math-fallback-image-inline' alt='{\\displaystyle x^{2}}' src=/x.svg></p>", "$x^{2}$"),
    "standing alone": ("<p>a</p><math display=block alttext='E=mc^2'></math><p>b</p>", "a\n\n$$\nE=mc^2\n$$\n\nb"),
}
NOTES = {
    "list": (
        "<p>a<sup><a href='#fn1' id=r1>1</a></sup></p><ol><li id=fn1><p>Note. <a href='#r1'>↩</a></p></ol>",
        "a[^1]\n\n[^1]: Note.",
    ),
    "brackets": (
        "<p>a<sup class=reference><a href='#cite_note-x-1'>[1]</a></sup></p><ol class=references><li id=cite_note-x-1>"
        "<span class=mw-cite-backlink><a href='#r'>^</a></span> <span>Source</span></ol>",
        "a[^1]\n\n[^1]: Source",
    ),
    "role": (
        "<p>a<a role=doc-noteref href='#n'>2</a></p><aside id=n role=doc-footnote><p>b</p><p>c</p></aside>",
        "a[^2]\n\n[^2]: b\n\n    c",
    ),
    "a place within the note": (
        "<p>a<a href='#_ftn1' name=_ftnref1>[1]</a></p><p><a href='#_ftnref1' name=_ftn1>[1]</a> Note.</p>",
        "a[^1]\n\n[^1]: Note.",
    ),
    "a whole address": (
        "<p>a<sup><a href='page#fn1'>1</a></sup></p><p id=fn1>b <a href='https://example.com/dir/page#r'>↩</a></p>",
        "a[^1]\n\n[^1]: b",
    ),
    "no note, only a link": (
        "<p>see (<a href='#t'>1</a>)</p><p id=t>x</p>",
        "see ([1](https://example.com/dir/page#t))\n\nx",
    ),
    "back links by letters": (
        "<p>a<sup id=r1><a href='#n'>[1]</a></sup> b<sup id=r2><a href='#n'>[1]</a></sup></p><ol><li id=n>"
        "^ <a href='#r1'><sup>a</sup></a> <a href='#r2'><sup>b</sup></a> Source</ol>",
        "a[^1] b[^1]\n\n[^1]: ^ Source",
    ),
    "brackets on an item": (
        "<p>a <a href='#r1'>[1]</a></p><ol><li><a id=r1></a>Source</ol>",
        "a [^1]\n\n[^1]: Source",
    ),
    "no link, a list named so": (
        "<p>In 2020.<sup>1</sup> 5 m<sup>2</sup></p><div class=page__footnotes><ol><li>b</ol></div>"
        "<p>word<sup>1</sup></p>",
        "In 2020.[^1] 5 m²\n\n[^1]: b\n\nword[^1]",
    ),
    "no link, a list behind a heading": (
        "<p>word<sup>1</sup></p><h4>Footnotes</h4><ol><li>b</ol>",
        "word[^1]\n\n#### Footnotes\n\n[^1]: b",
    ),
    "no link, paragraphs with their numbers": (
        "<p>word<sup>1</sup> word<sup>2</sup></p><hr><p><sup>1</sup> b</p><p><b>2</b> c</p>",
        "word[^1] word[^2]\n\n---\n\n[^1]: b\n\n[^2]: c",
    ),
    "no link, only powers before its number": (
        "<p>5 m<sup>1</sup></p><p><sup>1</sup> b</p><p>word<sup>1</sup></p>",
        "5 m¹\n\n1 b\n\nword¹",
    ),
    "no link, several in one paragraph": (
        "<p>word<sup>1</sup></p><p><sup>1</sup> b<br><sup>2</sup> c</p>",
        "word¹\n\n1 b  \n2 c",
    ),
    "within the text": (
        "<p>a<span class=inline-footnote>1<span class=text>Note <b>b</b></span></span> c</p><p>d</p>",
        "a[^1] c\n\nd\n\n[^1]: Note **b**",
    ),
    "within the text, of LaTeXML": (
        "<p>a<span class='ltx_note ltx_role_footnote'><sup class=ltx_note_mark>1</sup><span class=ltx_note_outer>"
        "<span class=ltx_note_content><sup class=ltx_note_mark>1</sup><span class='ltx_tag ltx_tag_note'>1</span>Note"
        "</span></span></span></p>",
        "a[^1]\n\n[^1]: Note",
    ),
    "a power": ("<p>x<sup>2</sup></p>", "x²"),
}
SIGNATURES = {
    "Sphinx": (
        "<dl class='py class'><dt class='sig sig-object py' id=a><em class=property>class </em><span>desk.</span>"
        "<span>Tide</span>(<em>*gauge</em>, <em>keep_all<span>=</span>365</em>)<a class=reference href=/s>"
        "<span class=viewcode-link>[source]</span></a><a class=headerlink href=#a>¶</a></dt><dd><p>b</p></dd></dl>",
        "`class desk.Tide(*gauge, keep_all=365)`\n\nb",
    ),
    "earlier Sphinx": (
        "<dl class=function><dt id=a><code class=descclassname>desk.</code><code class=descname>high</code>"
        "<span class=sig-paren>(</span><em>at</em><span class=sig-paren>)</span><a class=headerlink href=#a>¶</a></dt>"
        "<dd>b</dd></dl>",
        "- `desk.high(at)`: b",
    ),
    "Javadoc": (
        "<div class=member-signature><span class=modifiers>public</span>&nbsp;<span class=return-type>int</span>"
        "&nbsp;<span>high</span>()</div>",
        "`public int high()`",
    ),
    "Doxygen": (
        "<div class=memproto><table class=memname><tr><td>int high </td><td>(</td><td>Gauge </td><td><em>g</em></td>"
        "<td>)</td></tr></table></div>",
        "`int high (Gauge g)`",
    ),
    "a term": ("<dl><dt class=term>a</dt><dd><p>b</p></dd></dl>", "**a**\n\nb"),
    "a signature of a post": ("<div class=signature>Ann<br>Yard</div>", "Ann  \nYard"),
}
CALLOUTS = {
    "Sphinx": (
        "<div class='admonition warning'><p class=admonition-title>Warning</p><p>a</p></div>",
        "> [!WARNING]\n> a",
    ),
    "GitHub": (
        "<div class='markdown-alert markdown-alert-tip'><p class=markdown-alert-title>Tip</p><p>a</p></div>",
        "> [!TIP]\n> a",
    ),
    "Confluence": (
        "<div class='confluence-information-macro confluence-information-macro-warning'><p class=title>Mind</p>"
        "<div class=confluence-information-macro-body><p>a</p></div></div>",
        "> [!WARNING] Mind\n> a",
    ),
    "Starlight": (
        "<aside aria-label=Note class='starlight-aside starlight-aside--note'><p class=starlight-aside__title>Note</p>"
        "<section><p>a</p></section></aside>",
        "> [!NOTE]\n> a",
    ),
    "Docusaurus": (
        "<div class='theme-admonition theme-admonition-caution admonition_xJq3 alert alert--warning'>"
        "<div class=admonitionHeading_x>caution</div><div class=admonitionContent_y><p>a</p></div></div>",
        "> [!CAUTION]\n> a",
    ),
    "GitBook": ("<div class='hint hint-danger'><p>a</p></div>", "> [!CAUTION]\n> a"),
    "Bootstrap": ("<div class='alert alert-warning fade'>a</div>", "> [!WARNING]\n> a"),
    "BookStack": ("<p class='callout info'>a</p>", "> [!NOTE]\n> a"),
    "Microsoft": ("<div class=IMPORTANT><p>Important</p><p>a</p></div>", "> [!IMPORTANT]\n> a"),
    "Google": ("<aside class=caution><strong>Caution:</strong><span> a</span></aside>", "> [!CAUTION]\n> a"),
    "Doxygen": ("<dl class='section note'><dt>Note</dt><dd>a</dd></dl>", "> [!NOTE]\n> a"),
    "DITA": ("<div class='note tip note_tip'><span class=note__title>Tip:</span> a</div>", "> [!TIP]\n> a"),
    "DocBook": ("<div class=warning><h3 class=title>Mind the gap</h3><p>a</p></div>", "> [!WARNING] Mind the gap\n> a"),
    "a class alone": ("<div class=warning><p>a</p></div><p class=hint>b</p>", "a\n\nb"),
    "a hint beside a form": ("<div class=delivery-hint>a</div>", "a"),
    "details of a product": ("<div class=info><div class=title>Chair</div><p>a</p></div>", "Chair\n\na"),
    "own title": (
        "<div class='callout' data-callout=info><div class=callout-title>Read</div><p>a</p></div>",
        "> [!NOTE] Read\n> a",
    ),
}
INLINE = {
    "prices side by side stay two": ("<p><span>$98.00</span><span>$130.00</span></p>", "$98.00 $130.00"),
    "a currency behind its price": ("<p><span>98</span><span>€</span> and <b>5</b>$ each</p>", "98€ and **5**$ each"),
    "white space collapses": ("<p>a\n  b&nbsp;c\t</p>", "a b c"),
    "marks": ("<p><b>a</b> <i>b</i> <del>c</del></p>", "**a** *b* ~~c~~"),
    "white space leaves marks": ("<p>a<b> b </b>c</p>", "a **b** c"),
    "the same mark once": ("<p><b>a <strong>b</strong></b></p>", "**a b**"),
    "the same marks side by side": ("<p><b>a</b><b>b</b></p>", "**ab**"),
    "marks within marks within words": ("<p><i><b>1</b>1<b>1</b></i></p>", "***1**11*"),
    "within words": ("<p>a<b>b</b>c</p>", "a**b**c"),
    "punctuation leaves marks": ("<p><b>Note:</b>text and a<i>(b)</i></p>", "**Note**:text and a(*b)*"),
    "punctuation of Chinese": ("<p><b>标题：</b>正文</p>", "**标题**：正文"),
    "empty marks vanish": ("<p>a<b> </b><i></i>b</p>", "a b"),
    "breaks": ("<p>a<br>b</p>", "a  \nb"),
    "two breaks": ("<p>a<br><br><b>b<br><br>c</b></p>", "a\n\n**b**\n\n**c**"),
    "marks around blocks": ("<b><p>a</p><p>b</p></b>", "**a**\n\n**b**"),
    "ruby": ("<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby></p>", "漢(かん)"),
    "quotes": ("<p><q>a</q></p>", '"a"'),
    "only what would change": (
        "<p>snake_case, 5 * 3, [1] *a* &lt;b> &amp;amp; C#</p>",
        "snake_case, 5 * 3, [1] *a\\* \\<b> \\&amp; C#",
    ),
    "starts of blocks": (
        "<p># a</p><p>- b</p><p>1. c</p><p>&gt; d</p><p>+</p>",
        "\\# a\n\n\\- b\n\n1\\. c\n\n\\> d\n\n\\+",
    ),
    "starts behind a break": ("<p>a<br>---<br>===</p>", "a  \n\\---  \n\\==="),
    "powers and indices": (
        "<p>10<sup>6</sup> 10<sup>-6</sup> H<sub>2</sub>O <i>x</i><sup>n+1</sup> 10<sup>2.5</sup> end.<sup>3</sup></p>",
        "10⁶ 10⁻⁶ H₂O *x*ⁿ⁺¹ 10^2.5 end.³",
    ),
    "powers behind marks and of marked text": (
        "<p><a href=/x>km</a><sup>2</sup> <b>10</b><sup><span>6</span></sup> x<b><sup>3</sup></b></p>",
        "[km](https://example.com/x)² **10**⁶ x**³**",
    ),
    "raised and lowered text": (
        "<p>1<sup>st</sup> A<sub>max</sub> Brand<sup>®</sup> x<sup><i>k</i></sup> $<sup>5</sup></p>",
        "1st Amax Brand® xk $5",
    ),
    "numbers of paragraphs": (
        "<p><span class=no>(a)</span><span class=text>Who</span></p><p><b>12.</b><cite>Ada</cite></p>"
        "<p><b>i</b><b>(b)</b><b>2</b></p>",
        "(a) Who\n\n**12.** Ada\n\n**i(b)2**",
    ),
    "texts of a kind side by side": (
        "<p><span class=tag>Oak wood</span><span class=tag>Lathe</span>"
        "<b class=title>Mill 7</b><span class=price>5 €</span></p>",
        "Oak wood Lathe **Mill 7** 5 €",
    ),
    "dots between a name and its price": (
        "<p><span class=dish__name>Stew 4</span><span class=dots></span><span class=dish__price>15.50</span></p>",
        "Stew 4 15.50",
    ),
    "figures beside each other": (
        "<p><span>$108</span><span><i>MSRP: </i><i>$120</i></span><span>10<!---->% <!---->OFF</span></p>"
        "<p><span>31</span><span>4.5 out of 5 stars. 31 reviews</span></p>"
        "<p><span>12</span><span>34</span> <span>$5</span><span>M</span> <span>7</span><span>km</span></p>",
        "$108 *MSRP:* *$120* 10% OFF\n\n31 4.5 out of 5 stars. 31 reviews\n\n1234 $5M 7km",
    ),
    "parts of one word or number": (
        "<p><span class=k>Oak wood</span><span class=k>Lathe</span> <b class=value>12</b><b class=value>34</b></p>",
        "Oak woodLathe **1234**",
    ),
    "texts that are read aloud": ("<p><span class=visually-hidden>Warning</span>It falls</p>", "Warning It falls"),
    "signs in emphasis": (
        "<p><i>See</i> <a href=/x><i>here</i></a><i>.</i> <b><i>[</i></b><b>a</b><b>*</b> <b>c&amp;</b>",
        "*See* [*here*](https://example.com/x). [**a**\\* **c\\&**",
    ),
    "soft hyphens": ("<p>con\u00adtent\u200b</p>", "content"),
}
BLOCKS = {
    "text between blocks": ("<div>a <b>b</b><p>c</p>d<div>e</div></div>", "a **b**\n\nc\n\nd\n\ne"),
    "quotes": ("<blockquote><p>a</p><blockquote>b</blockquote></blockquote>", "> a\n>\n> > b"),
    "rules": ("<hr><p>a</p><hr><hr><p>b</p>", "a\n\n---\n\nb"),
    "details": ("<details><summary>S</summary><p>a</p></details>", "**S**\n\na"),
    "forms": ("<form><p>a</p><select><option>b</select><button>c</button><textarea>d</textarea></form>", "a"),
    "only a button": ("<div><button>Enter</button></div>", "Enter"),
    "svg": ("<p>a<svg><title>T</title><text>t</text></svg></p>", "a"),
    "video": ("<video src=/v.mp4></video>", "[Video](https://example.com/v.mp4)"),
    "frame": (
        "<iframe src=https://www.youtube.com/embed/x title=T></iframe><iframe src=/ad></iframe>",
        "[T](https://www.youtube.com/embed/x)",
    ),
    "nothing": ("<div> <p></p></div>", ""),
}
FEATURES = {
    f"{group}: {name}": case
    for group, cases in {
        "headings": HEADINGS, "lists": LISTS, "tables": TABLES, "code": CODE, "links": LINKS, "images": IMAGES,
        "math": MATH, "notes": NOTES, "callouts": CALLOUTS, "signatures": SIGNATURES, "inline": INLINE,
        "blocks": BLOCKS,
    }.items()
    for name, case in cases.items()
}  # fmt: skip


@pytest.mark.parametrize("feature", FEATURES)
def test_feature_is_written(feature: str) -> None:
    html, markdown = FEATURES[feature]
    assert written(html) == markdown


def test_dropped_nodes_are_not_written() -> None:
    tree = build_tree(
        "<p>a <b>b</b></p><ul><li>c<li>d</ul><table><tr><th>e<th>f<tr><td>g<td>h</table><pre>i<b>j</b></pre>"
    )
    for node in tree:
        if node.tag in ("b", "th") or (node.tag == "li" and "c" in node.children):
            node.is_dropped = True
    markdown = write(tree[0], BASE)
    assert not set("bcefj") & set(markdown)
    assert set("adghi") <= set(markdown)


def test_targets_stay_unchanged_without_a_base() -> None:
    assert written("<p><a href=x.html>t</a><img src=/i.png></p>", None) == "[t](x.html) ![](/i.png)"


def test_parts_of_a_tree_can_be_written_separately() -> None:
    tree = build_tree("<p>a</p><div><p>b</p></div>")
    assert write(next(node for node in tree if node.tag == "div"), BASE) == "b\n"


def test_depth_is_limited() -> None:
    root = node = Node("div", {}, -1)
    for depth in range(5000):
        inner = Node(("div", "ul", "li", "blockquote", "b", "a", "td")[depth % 7], {"href": "/x"}, -1)
        node.children += [f"w{depth} ", inner]
        node = inner
    node.children.append("end")
    words = write(root, BASE).replace("*", " ").split()
    assert "end" in words
    assert "w4999" in words


TRAPS: dict[str, Callable[[int], str]] = {
    "nested lists": lambda n: "<ul><li>x " * 350 + "<p>word</p>" * (n // 10),
    "nested spans": lambda n: "<span>" * 350 + "<p>word</p>" * (n // 10),
    "nested links": lambda n: "<a href=x><table><td>" * 80 + "<p>word</p>" * (n // 10),
    "formulas without an end": lambda n: "<p>" + "\\\\( $$x \\\\[" * (n // 12),
    "nested gutters": lambda n: "<pre>" + "<span class=ln>" * 350 + "1" * n + "x",
    "notes without links": lambda n: (
        "<p>w<sup>1</sup></p>" * (n // 40)
        + "<h2>Notes</h2>"
        + "<ol><li>x</ol>" * (n // 15)
        + "<p><b>1</b> x" * (n // 15)
    ),
    "formulas beside prices": lambda n: "<p>" + ("$5" + "<math alttext='x'></math>" * 2) * (n // 50),
    "dollars": lambda n: "<p>" + "$a \\\\$ \\$" * (n // 20) + "$\\a " * (n // 10),
    "small images": lambda n: "<p>" + "<img src=/a/x.png><noscript><img src=/b/x.png></noscript>" * (n // 60),
    "nested tables of one row": lambda n: "<table><tr><td>a<td>b" * 100 + "<i></i>" * (n // 5),
    "lists of one item": lambda n: "<ul class=b><li>a</ul>" * (n // 20),
    "marks": lambda n: "<p>" + "<b>x</b><i>.</i>" * (n // 16),
    "brackets": lambda n: "<p><a href=x>" + "[" * n,
    "ticks": lambda n: "<p>" + "".join(f"<code>{'`' * (i % 60)}</code>" for i in range(n // 40)),
    "spans of rows": lambda n: "<table><tr>" + "<td rowspan=1000 colspan=1000>x" * (n // 40) + "<tr><td>y" * (n // 20),
    "ragged rows": lambda n: "<table><tr>" + "<td>x" * (n // 10) + "<tr><td>y<td>z" * (n // 20),
    "notes": lambda n: "<sup><a href='#n'>1</a></sup>" * (n // 40) + "<p id=n>x",
    "labels of notes": lambda n: (
        "".join(f"<sup><a href='#n{i}'>1</a></sup>" for i in range(n // 70))
        + "".join(f"<p id=n{i}>x" for i in range(n // 70))
    ),
    "breaks": lambda n: "<p><b>" + "x<br>" * (n // 5),
    "sets of images": lambda n: f"<img srcset='{'a ' * (n // 2)}'>" + f"<img srcset='{',' * n}'>",
    "numbers": lambda n: "<ol reversed>" + "<li>x" * (n // 5),
    "callouts": lambda n: "<div class='admonition note'>" * 300 + "<p>word</p>" * (n // 10),
    "pre of lines": lambda n: "<pre>" + "<div>x</div>" * (n // 12),
    "terms": lambda n: "<dl><dt>x<dd>y" * 100 + "<p>word</p>" * (n // 10),
    "empty marks": lambda n: "<p>x<code>`</code>" + "<b><i></i></b>" * (n // 14) + "y",
}


@pytest.mark.parametrize("size", [12_000, pytest.param(30_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("trap", TRAPS)
def test_time_grows_linearly_with_the_page(trap: str, size: int) -> None:
    assert_linear(lambda size: partial(write, build_tree(TRAPS[trap](size))[0], BASE), size)


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<p>a <b>c\\ </b>b", "a **c\\\\** b\n"),
        ("<p><a href=/x>a\\ </a>b", "[a\\\\](https://example.com/x) b\n"),
        ("<p><b>a\\\n</b>", "**a\\\\**\n"),
    ],
)
def test_backslash_before_a_space_at_the_end_of_a_mark_stays_text(html: str, markdown: str) -> None:
    assert write(build_tree(html)[0], "https://example.com/") == markdown
