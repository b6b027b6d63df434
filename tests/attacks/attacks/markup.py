"""Pages of markup that is expensive for a parser. Their sizes are below a page's limit."""

import json
from collections.abc import Callable, Iterator

from attacks.attack import Attack, Page
from attacks.markup import LARGEST, fill_page, html, number_pieces

MEGABYTE = 1024 * 1024


def _json_ld(value: str) -> bytes:
    return html(head=f'<script type="application/ld+json">{value}</script>')


_ELEMENTS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "options": (
        "A list to choose from has 40,000 entries.",
        lambda: html(f"<form><select>{number_pieces('<option>Entry §', 40_000)}</select></form>"),
    ),
    "cells": ("9.9 MB are cells of a table.", lambda: fill_page("<td>a", before="<table><tr>")),
    "rows": ("9.9 MB are rows of a table.", lambda: fill_page("<tr><td>a<td>b", before="<table>")),
    "nested cells": (
        "9.9 MB are tables in cells of tables.",
        lambda: fill_page("<table><tr><td>"),
    ),
    "spans in every cell": (
        "Every cell of 400 rows spans 65,534 rows and columns.",
        lambda: html(f"<table>{('<tr>' + '<td rowspan=65534 colspan=65534>a' * 50) * 400}</table>"),
    ),
    "spans downwards": (
        "100,000 cells span 65,534 rows each.",
        lambda: html(f"<table>{'<tr><td rowspan=65534>a<td>b' * 50_000}</table>"),
    ),
    "wide rows": (
        "A row of 1,000 columns spans is followed by 10,000 empty rows.",
        lambda: html(f"<table><tr>{'<td colspan=1000>a' * 1000}{'<tr><td>b' * 10_000}</table>"),
    ),
    "links": ("100,000 links.", lambda: html(number_pieces('<a href="/page/§">Page §</a> ', 100_000))),
    "one link": ("9.9 MB are one link again and again.", lambda: fill_page('<a href="/p">p</a> ')),
    "pictures": ("100,000 pictures.", lambda: html(number_pieces('<img src="/p/§.jpg" alt="Picture §">', 100_000))),
    "headings": ("100,000 headings.", lambda: html(number_pieces("<h2>Heading §</h2>", 100_000))),
    "headings of all levels": (
        "100,000 headings with a different level each.",
        lambda: html("".join(f"<h{at % 6 + 1}>Heading {at}</h{at % 6 + 1}>" for at in range(100_000))),
    ),
    "items": ("100,000 items of a list.", lambda: html(f"<ul>{number_pieces('<li>Item §', 100_000)}</ul>")),
    "ordered items": (
        "100,000 items with explicit numbers.",
        lambda: html(f"<ol>{number_pieces('<li value=§>Item', 100_000)}</ol>"),
    ),
    "lists": ("50,000 lists of one item.", lambda: html("<ul><li>a</ul>" * 50_000)),
    "nested lists": ("100,000 lists, each in an item of another.", lambda: html("<ul><li>a" * 100_000)),
    "definitions": ("100,000 terms with definitions.", lambda: html(f"<dl>{'<dt>a<dd>b' * 100_000}</dl>")),
    "footnotes": (
        "100,000 footnotes with their references.",
        lambda: html(
            number_pieces('<sup><a href="#fn§" id="r§">§</a></sup> ', 100_000)
            + f"<ol class=footnotes>{number_pieces('<li id=fn§>Note', 100_000)}</ol>"
        ),
    ),
    "footnotes, one mark": (
        "100,000 references point to one note.",
        lambda: html('<sup><a href="#n">1</a></sup> ' * 100_000 + "<ol class=footnotes><li id=n>A note.</ol>"),
    ),
    "anchors": (
        "100,000 places have a name.",
        lambda: html(number_pieces('<p id="p§">a <a href="#p§">b</a>', 100_000)),
    ),
    "one name": ("300,000 elements have one name.", lambda: html('<i id="a">a</i> ' * 300_000 + '<a href="#a">a</a>')),
    "quotes": ("100,000 quotations in quotations.", lambda: html("<blockquote>a" * 100_000)),
    "details": ("100,000 details in details.", lambda: html("<details><summary>a</summary>" * 100_000)),
    "callouts": ("50,000 callouts.", lambda: html('<div class="admonition note"><p>a</div>' * 50_000)),
    "code": ("100,000 blocks of code.", lambda: html("<pre><code>x = 1</code></pre>" * 100_000)),
    "code lines": (
        "A block of code of 9 MB has lines in elements.",
        lambda: fill_page("<span class=line>x</span>\n", before="<pre>"),
    ),
    "code of backticks": ("A block of code is 9 MB of backticks.", lambda: fill_page("`", before="<pre><code>")),
    "inline code of backticks": (
        "100,000 pieces of code hold backticks, one more each to a thousand.",
        lambda: html("".join(f"<code>{'`' * (at % 60)}a</code> b " for at in range(100_000))),
    ),
    "line breaks": ("9 MB are line breaks.", lambda: fill_page("<br>")),
    "rules": ("9 MB are rules.", lambda: fill_page("<hr>")),
    "inputs": ("500,000 fields of a form.", lambda: html(f"<form>{'<input name=a>' * 500_000}</form>")),
    "menus": ("20,000 menus.", lambda: html(f"{'<nav><ul><li><a href=/a>a</a></ul></nav>' * 20_000}")),
    "frames": ("100,000 frames.", lambda: html('<iframe src="/a"></iframe>' * 100_000)),
    "films": ("100,000 films.", lambda: html('<video src="/a.mp4"><track src=a></video>' * 100_000)),
    "templates": ("300,000 templates.", lambda: html("<template><p>a</template>" * 300_000)),
    "figures": ("100,000 figures.", lambda: html("<figure><img src=a.png><figcaption>a</figure>" * 100_000)),
    "pictures of many sources": (
        "5,000 pictures have a hundred sources each.",
        lambda: html(f"<picture>{'<source srcset=a>' * 100}<img src=a.png></picture>" * 5000),
    ),
    "drawings": (
        "100,000 shapes are drawn in a page.",
        lambda: html(f"<svg>{'<g><path d=M0></path>' * 100_000}</svg>"),
    ),
    "empty blocks": ("1,000,000 blocks are empty.", lambda: html("<p></p>" * 1_000_000)),
    "words in elements": ("Every letter of 9 MB is in its own element.", lambda: fill_page("<b>a</b>")),
}

_SHAPES: dict[str, tuple[str, Callable[[], bytes]]] = {
    "deep": ("200,000 elements are nested.", lambda: html("<div>" * 200_000 + "deep")),
    "deep to the limit": ("9.9 MB of elements are nested.", lambda: fill_page("<div>")),
    "deep inline": ("500,000 elements of text are nested.", lambda: html("<span>" * 500_000 + "deep")),
    "unclosed formatting": ("200,000 formatting elements are not closed.", lambda: html("<b>a<i>" * 100_000)),
    "unclosed formatting in blocks": (
        "100,000 formatting elements are open, each in its own block.",
        lambda: html("<p><b><i><u>a" * 100_000),
    ),
    "adopted formatting": (
        "Formatting is closed in a different place.",
        lambda: html("<a><b><p></a>x</b>" * 100_000),
    ),
    "fostered text": ("Text is misplaced inside a table.", lambda: html("<table>" + "<tr>a<b>b" * 200_000)),
    "closing tags": ("9 MB are closing tags of what was never open.", lambda: fill_page("</p></x></div>")),
    "attributes": (
        "An element has 50,000 attributes.",
        lambda: html(f"<p {number_pieces('a§=1 ', 50_000)}>many</p>"),
    ),
    "attributes of one name": (
        "An element has one attribute a million times.",
        lambda: html(f"<p {'a ' * 1_000_000}>x"),
    ),
    "attributes on body": (
        "The body begins again and again, each time with another attribute.",
        lambda: html(number_pieces("<body a§=1>", 100_000)),
    ),
    "attributes of megabytes": ("An attribute is 9 MB long.", lambda: fill_page("a", before='<p title="', after='">x')),
    "data attributes": (
        "10,000 elements have a hundred attributes each.",
        lambda: html(f"<p {number_pieces('data-§=a ', 100)}>a" * 10_000),
    ),
    "comment without end": ("A comment of 9 MB has no end.", lambda: fill_page("-", before="<!--")),
    "comments": ("1,000,000 comments.", lambda: html("<!---->" * 1_000_000)),
    "comment ends, nearly": ("A comment nearly ends 2,000,000 times.", lambda: fill_page("--!-", before="<!--")),
    "script of megabytes": (
        "A script is 9 MB long.",
        lambda: fill_page("var a = 1;\n", before="<script>", after="</script>"),
    ),
    "script without end": ("A script of 9 MB has no end.", lambda: fill_page("</scrip", before="<script>")),
    "scripts": ("500,000 scripts.", lambda: html("<script>a</script>" * 500_000)),
    "state of megabytes": (
        "A state object of 9 MB nests and has no end.",
        lambda: fill_page('{"a":[', before="<script>window.__INITIAL_STATE__=", after="</script>"),
    ),
    "state of strings": (
        "A state object of 9 MB is quotes and backslashes.",
        lambda: fill_page('\\"', before='<script id="__NEXT_DATA__" type="application/json">{"a":"', after="</script>"),
    ),
    "styles of megabytes": (
        "A style sheet is 9 MB long.",
        lambda: fill_page("a{b:c}", before="<style>", after="</style>"),
    ),
    "brackets": ("A page is 9 MB of opening brackets.", lambda: b"<" * LARGEST),
    "brackets and letters": ("A page is 9 MB of tags without an end.", lambda: b"<a " * (LARGEST // 3)),
    "quotes in tags": ("A tag has quotes of 9 MB.", lambda: fill_page("'\"=", before="<p ")),
    "declarations": ("1,000,000 declarations.", lambda: b"<!doctype html>" * 600_000),
    "instructions": ("A page is processing instructions.", lambda: b"<?a?>" * (LARGEST // 5)),
    "entities": ("9 MB are entities.", lambda: fill_page("&amp;&lt;")),
    "entities without end": ("9 MB are the beginnings of entities.", lambda: fill_page("&")),
    "entity of digits": ("An entity has 9 MB of digits.", lambda: fill_page("9", before="&#")),
    "entities of surrogates": ("Entities encode invalid characters.", lambda: fill_page("&#xD800;&#0;")),
    "textarea": ("A field of 9 MB has no end.", lambda: fill_page("<p>", before="<textarea>")),
    "plaintext": ("A page turns into plain text of 9 MB.", lambda: fill_page("<p>", before="<plaintext>")),
    "data addresses": (
        "Pictures and links hold 3 MB of data each.",
        lambda: html(
            f'<img src="data:image/png;base64,{"A" * (3 * MEGABYTE)}" alt=a>'
            f'<a href="data:text/plain,{"%41" * MEGABYTE}">a</a><img src="data:{"," * (2 * MEGABYTE)}">'
        ),
    ),
    "many data addresses": (
        "50,000 pictures hold their data.",
        lambda: html('<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt=a>' * 50_000),
    ),
    "JSON-LD, nested": (
        "JSON-LD of 9 MB nests.",
        lambda: _json_ld('{"@type":"Article","a":' * 300_000 + "1" + "}" * 300_000),
    ),
    "JSON-LD, wide": (
        "JSON-LD has 100,000 things.",
        lambda: _json_ld(
            json.dumps({"@graph": [{"@type": "Person", "@id": f"#{at}", "name": "A"} for at in range(100_000)]})
        ),
    ),
    "JSON-LD, in circles": (
        "JSON-LD refers from each of 20,000 things to the next.",
        lambda: _json_ld(
            json.dumps(
                {
                    "@graph": [
                        {"@type": "Article", "@id": f"#{at}", "author": {"@id": f"#{(at + 1) % 20_000}"}}
                        for at in range(20_000)
                    ]
                }
            )
        ),
    ),
    "JSON-LD, long text": (
        "JSON-LD holds a text of 9 MB.",
        lambda: _json_ld(json.dumps({"@type": "Article", "articleBody": "word <b> " * 900_000})),
    ),
    "JSON-LD, often": (
        "50,000 scripts of JSON-LD.",
        lambda: html(head='<script type="application/ld+json">{"@type":"Article","author":"A"}</script>' * 50_000),
    ),
    "microdata": (
        "100,000 things of microdata are nested.",
        lambda: html('<div itemscope itemtype="https://schema.org/Article"><b itemprop=author>a</b>' * 100_000),
    ),
    "metas": ("200,000 elements of the head.", lambda: html(head='<meta name="author" content="A B">' * 200_000)),
    "alternates": ("100,000 links of the head.", lambda: html(head='<link rel="canonical" href="/a">' * 100_000)),
    "formula, nested": (
        "Fractions of MathML stand 20,000 deep in each other.",
        lambda: html("<math>" + "<mfrac><mi>a</mi>" * 20_000),
    ),
    "formula, wide": (
        "A formula has a million signs.",
        lambda: html(f"<math>{'<mi>a</mi><mo>+</mo>' * 300_000}</math>"),
    ),
    "formulas": (
        "50,000 formulas as KaTeX writes them.",
        lambda: html(
            '<span class="katex"><math><semantics><mi>a</mi><annotation encoding="application/x-tex">a</annotation>'
            "</semantics></math></span>" * 50_000
        ),
    ),
    "formula, source of braces": (
        "The source of a formula is 9 MB of braces.",
        lambda: fill_page(
            "{",
            before='<span class=katex><math><annotation encoding="application/x-tex">',
            after="</annotation></math></span>",
        ),
    ),
    "headings that say the same": (
        "50,000 headings and paragraphs are alike.",
        lambda: html("<h2>The same</h2><p>The same text.</p>" * 50_000),
    ),
    "paragraphs": ("500,000 paragraphs.", lambda: html("<p>Some words, and some more." * 300_000)),
    "comments of readers": (
        "30,000 comments, each an answer to the one before.",
        lambda: html('<div class="comment"><p>I think so too, and more.</p>' * 30_000),
    ),
    "consent": (
        "30,000 questions for consent.",
        lambda: html('<div class="cookie-banner"><p>We use cookies.</p><button>Accept</button></div>' * 30_000),
    ),
    "words of walls": (
        "The keywords of block pages are repeated a hundred thousand times.",
        lambda: html("<p>Verify you are human. Checking your browser. Access denied. captcha</p>" * 100_000),
    ),
    "shadow roots": (
        "50,000 shadow roots are declared in each other.",
        lambda: html("<div><template shadowrootmode=open>" * 50_000),
    ),
}


def attacks() -> Iterator[Attack]:
    for what, (tries, makes) in _ELEMENTS.items():
        yield Attack(f"many: {what}", tries, Page(makes))
    for what, (tries, makes) in _SHAPES.items():
        yield Attack(f"shape: {what}", tries, Page(makes))
