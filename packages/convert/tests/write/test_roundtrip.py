"""Markdown round trips: an independent parser reads the markdown of generated trees as the same structure and text."""

from dataclasses import dataclass
from html import escape as in_html
from typing import TypeAlias

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from webquarry_convert.tree import build_tree
from webquarry_convert.write import write

BASE = "https://example.com/dir/page"
PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
MARKS = {"strong": "strong", "em": "em", "s": "s"}
SIGNS = "ab1Z *_~`[]()<>#+-=.|\\!&;:\"'$^{}/@%,?éü中文，。“”— \n\t"


@dataclass(frozen=True)
class Text:
    text: str


@dataclass(frozen=True)
class Span:
    """An inline element. tag: strong, em, s, code or a."""

    tag: str
    children: "tuple[Inline, ...]"


@dataclass(frozen=True)
class Block:
    """A block.

    tag: h1 to h6, p, pre, blockquote, ul, ol, li, table, tr, td or hr. start: the first number of an `ol`.
    """

    tag: str
    children: "tuple[Block | Inline, ...]"
    start: int = 1


Inline: TypeAlias = Text | Span
Line: TypeAlias = tuple[str, str, tuple[tuple[str, str], ...]]
"""A block's path, its text, and its spans as pairs of kind and text, in the order in which they end."""


def html_of(node: Block | Inline, *, in_link: bool = False) -> str:
    if isinstance(node, Text):
        return in_html(node.text)
    is_link = isinstance(node, Span) and node.tag == "a"
    inner = "".join(html_of(child, in_link=in_link or is_link) for child in node.children)
    if is_link:  # a nested link would end the outer link
        return inner if in_link else f'<a href="/to">{inner}</a>'
    if isinstance(node, Block):
        if node.tag == "ol":
            return f'<ol start="{node.start}">{inner}</ol>'
        if node.tag == "pre":
            return f'<pre><code class="language-x">{inner}</code></pre>'
        if node.tag == "hr":
            return "<hr>"
    return f"<{node.tag}>{inner}</{node.tag}>"


def shown(text: str) -> str:
    return " ".join(text.split())


def text_of(node: Block | Inline) -> str:
    return node.text if isinstance(node, Text) else "".join(map(text_of, node.children))


def spans_of(
    node: Block | Inline, kinds: frozenset[str], around: frozenset[str] = frozenset()
) -> list[tuple[str, str]]:
    """Return the visible spans: spans that have a text and are not inside another span of the same kind."""
    if isinstance(node, Text):
        return []
    spans: list[tuple[str, str]] = []
    is_new = isinstance(node, Span) and node.tag not in around
    within = around | {node.tag} if isinstance(node, Span) else around
    if not (isinstance(node, Span) and node.tag == "code"):
        for child in node.children:
            spans += spans_of(child, kinds, within)
    if isinstance(node, Span) and is_new and node.tag in kinds and (text := shown(text_of(node))):
        spans.append((node.tag, text))
    return spans


def lines_of(blocks: "tuple[Block | Inline, ...]", kinds: frozenset[str], path: str = "") -> list[Line]:
    """Return the lines that a generated document should have."""
    lines: list[Line] = []
    for block in blocks:
        assert isinstance(block, Block)
        where = f"{path} {block.tag}"
        if block.tag in ("blockquote", "ul", "ol"):
            numbered = f"{where}{block.start}" if block.tag == "ol" else where
            for child in block.children:
                assert isinstance(child, Block)
                if block.tag == "blockquote":
                    lines += lines_of((child,), kinds, where)
                else:
                    lines += lines_of(child.children, kinds, f"{numbered} li")
        elif block.tag == "pre":
            code = text_of(block)
            body = [line.rstrip() for line in code.split("\n")]
            while body and not body[0]:
                body.pop(0)
            while body and not body[-1]:
                body.pop()
            if body:
                lines.append((where, "\n".join(body), ()))
        elif block.tag == "hr":
            continue
        elif text := shown(text_of(block)):
            lines.append((where, text, tuple(spans_of(block, kinds))))
    return lines


def read(markdown: str, kinds: frozenset[str]) -> list[Line]:
    """Return the lines of a markdown text, as the parser reads them."""
    lines: list[Line] = []

    def inline(node: SyntaxTreeNode) -> tuple[str, list[tuple[str, str]]]:
        if node.type in ("text", "code_inline", "html_inline"):
            content = node.content if node.type != "html_inline" else f"HTML{node.content}"
            return content, [("code", shown(content))] if node.type == "code_inline" and "code" in kinds else []
        if node.type in ("softbreak", "hardbreak"):
            return " ", []
        text, spans = "", []
        for child in node.children:
            inner, more = inline(child)
            text += inner
            spans += more
        tag = {"link": "a"}.get(node.type, node.type)
        if tag in kinds:
            spans.append((tag, shown(text)))
        return text, spans

    def walk(node: SyntaxTreeNode, path: str) -> None:
        tag = "" if node.type == "root" else {"fence": "pre"}.get(node.type, node.tag)
        if tag == "ol":
            tag = f"ol{node.attrs.get('start', 1)}"
        if node.type == "inline":
            text, spans = inline(node)
            if shown(text):
                lines.append((path, shown(text), tuple(spans)))
        elif node.type in ("fence", "code_block", "html_block"):
            where = f"{path} pre" if node.type == "fence" else f"{path} {node.type}"
            lines.append((where, node.content.rstrip("\n"), ()))
        elif node.type != "hr":
            for child in node.children:
                walk(child, f"{path} {tag}" if tag else path)

    walk(SyntaxTreeNode(PARSER.parse(markdown)), "")
    return lines


def document(*blocks: Block) -> str:
    return f"<body>{''.join(map(html_of, blocks))}</body>"


def inlines(text: st.SearchStrategy[str], *, with_marks: bool = True) -> st.SearchStrategy[tuple[Inline, ...]]:
    leaf: st.SearchStrategy[Inline] = st.builds(Text, text)
    code = st.builds(lambda value: Span("code", (Text(value),)), text)

    def spans(children: st.SearchStrategy[Inline]) -> st.SearchStrategy[Inline]:
        several = st.lists(children, max_size=3).map(tuple)
        return st.builds(Span, st.sampled_from(["strong", "em", "s", "a", "span"]), several)

    tree = st.recursive(leaf | code, spans, max_leaves=6) if with_marks else leaf
    return st.lists(tree, min_size=1, max_size=4).map(tuple)


def blocks(
    content: st.SearchStrategy[tuple[Inline, ...]], code: st.SearchStrategy[str]
) -> st.SearchStrategy[tuple[Block, ...]]:
    leaf = st.one_of(
        st.builds(Block, st.sampled_from(["h1", "h2", "h3", "h4", "h5", "h6", "p", "p", "p"]), content),
        st.builds(lambda text: Block("pre", (Text(text),)), code),
        st.just(Block("hr", ())),
    )

    def containers(children: st.SearchStrategy[Block]) -> st.SearchStrategy[Block]:
        several = st.lists(children, min_size=1, max_size=3).map(tuple)
        item = st.builds(Block, st.just("li"), several)
        items = st.lists(item, min_size=1, max_size=3).map(tuple)
        return st.one_of(
            st.builds(Block, st.just("blockquote"), several),
            st.builds(Block, st.just("ul"), items),
            st.builds(Block, st.just("ol"), items, st.sampled_from([0, 1, 2, 9, 10, 999])),
        )

    return st.lists(st.recursive(leaf, containers, max_leaves=8), min_size=1, max_size=5).map(tuple)


NASTY = st.text(SIGNS, max_size=14)
WORDS = st.lists(st.sampled_from(["word", "two", "Drei", "四", "x1"]), min_size=1, max_size=3).map(" ".join)
CODE = st.text("ab `~#->1.\n\t<&*|", max_size=30)
READ = settings(suppress_health_check=[HealthCheck.too_slow])


@READ
@given(blocks(inlines(NASTY), CODE))
def test_blocks_links_and_code_of_any_text_are_parsed_as_written(made: tuple[Block, ...]) -> None:
    """Emphasis is excluded, because CommonMark cannot express it between certain characters."""
    kinds = frozenset({"a"})
    markdown = write(build_tree(document(*made))[0], BASE)
    assert [(path, _tight(text)) for path, text, _ in read(markdown, kinds)] == [
        (path, _tight(text)) for path, text, _ in lines_of(made, kinds)
    ], markdown
    assert [len(spans) for *_, spans in read(markdown, kinds)] == [len(spans) for *_, spans in lines_of(made, kinds)]


def _tight(text: str) -> str:
    """Return the text without white space, because adjacent code spans need an additional space."""
    return "".join(text.split())


def _spaced(children: tuple[Inline, ...]) -> tuple[Inline, ...]:
    """Return the children with spaces around every span, because otherwise some emphasis marks could not be parsed."""
    spaced: list[Inline] = []
    for child in children:
        inner = child if isinstance(child, Text) else Span(child.tag, _spaced(child.children))
        spaced += [Text(" "), inner, Text(" ")]
    return tuple(spaced)


@READ
@given(st.lists(inlines(WORDS).map(_spaced), min_size=1, max_size=4))
def test_marks_around_words_are_parsed_as_written(made: list[tuple[Inline, ...]]) -> None:
    kinds = frozenset({"a", "strong", "em", "s", "code"})
    paragraphs = tuple(Block("p", children) for children in made)
    markdown = write(build_tree(document(*paragraphs))[0], BASE)
    expected = [(path, text, sorted(spans)) for path, text, spans in lines_of(paragraphs, kinds)]
    assert [(path, text, sorted(spans)) for path, text, spans in read(markdown, kinds)] == expected, markdown


@READ
@given(st.lists(st.lists(inlines(NASTY), min_size=2, max_size=4), min_size=2, max_size=4))
def test_table_cells_are_parsed_as_written(rows: list[list[tuple[Inline, ...]]]) -> None:
    head, *body = (tuple(Block(tag, cell) for cell in row) for tag, row in zip(["th", *["td"] * 9], rows, strict=False))
    html = "<table>" + "".join(html_of(Block("tr", row)) for row in (head, *body)) + "</table>"
    markdown = write(build_tree(html)[0], BASE)
    expected = [_tight(text_of(cell)) for row in (head, *body) for cell in row]
    assert [_tight(text) for _, text, _ in read(markdown, frozenset())] == [text for text in expected if text], markdown
    tree = SyntaxTreeNode(PARSER.parse(markdown))
    assert [child.type for child in tree.children] == (["table"] if any(expected) else [])
    if any(expected):
        # each non-empty row of the source corresponds to a row
        kept = sum(any(_tight(text_of(cell)) for cell in row) for row in (head, *body))
        assert sum(1 for node in tree.walk() if node.type == "tr") in (kept, kept + 1)


@READ
@given(st.lists(st.lists(NASTY, max_size=4), max_size=3))
def test_line_breaks_in_paragraphs_are_parsed_as_written(made: list[list[str]]) -> None:
    html = "".join(f"<p>{'<br>'.join(map(in_html, lines))}</p>" for lines in made)
    markdown = write(build_tree(html)[0], BASE)
    found = read(markdown, frozenset())
    assert {path for path, *_ in found} <= {" p"}, markdown
    assert _tight("".join(text for _, text, _ in found)) == _tight("".join("".join(lines) for lines in made))


@READ
@given(st.text(SIGNS.translate({ord(sign): None for sign in "?;#"}), max_size=40))  # urljoin loses empty parts
def test_any_url_is_parsed_as_written(address: str) -> None:
    from urllib.parse import unquote, urljoin

    html = f'<p><a href="{in_html("/a" + address)}">label</a></p>'
    markdown = write(build_tree(html)[0], BASE)
    tokens = PARSER.parse(markdown)[1].children or []
    assert tokens[-1].type in ("text", "link_close")
    for token in tokens:
        if token.type == "link_open":
            expected = urljoin(BASE, ("/a" + address).strip())
            found = unquote(str(token.attrs["href"]))
            assert _tight(found) == _tight(unquote(expected))


@given(st.text(max_size=200))
def test_any_markup_can_be_written(html: str) -> None:
    markdown = write(build_tree(html)[0], None)
    assert markdown == "" or markdown.endswith("\n")
