"""Markdown of the docs as HTML: headings with anchors, highlighted code, tabs, tables with linkable rows.

Besides CommonMark and tables it supports extensions that other markdown readers ignore:

- `## Parameters {: #param}`: the anchor of a heading; by default it is made from the heading's words
- `## Parameters {: #param rows}`: each row of the following tables gets an anchor too, `param-` and its first cell
- a code fence with `tab=Python`: adjacent ones become tabs; with `fold`: JSON as a tree; with `norun`: not run by
  tests; with `title=…`: a heading, with `_` for spaces
- `> [!warn] …`: a notice (info, good, warn, bad)
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

from webquarry.web.docs.tree import fold_json
from webquarry.web.highlight import highlight

_HEAD = re.compile(r"\{: #(?P<id>[a-z][\w.-]*)(?P<rows> rows)?\}$")
_NOTICE = re.compile(r"^\[!(info|good|warn|bad)\]\s*")
_FENCE = re.compile(r"^(?P<mark>`{3,})(?P<language>\w+)(?P<rest> .*)$", re.MULTILINE)
_TITLED = re.compile(r"(?<!\s)\s*+\{: #[a-z][\w.-]*(?: rows)?\}$", re.MULTILINE)
_LINK = re.compile(r"\]\(/(docs[^)\]\s]*)\)")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of level 2 or 3."""

    id: str
    text: str
    level: int


@dataclass
class Prose:
    """A text as HTML, with its headings in order."""

    html: Markup
    headings: list[Heading] = field(default_factory=list)


def write_html(text: str) -> Prose:
    """Convert markdown to HTML. Raw HTML in it is escaped."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    return _Writer(parser).write(parser.parse(text))


def write_plain(text: str, base_url: str) -> str:
    """Convert markdown for other readers: put extensions into words, and make links absolute."""
    plain = _FENCE.sub(_name_tab, _TITLED.sub("", text))
    plain = re.sub(r"^> \[!(?:info|good|warn|bad)\]\s*", "> ", plain, flags=re.MULTILINE)
    return _LINK.sub(lambda found: f"]({base_url}/{_as_markdown(found[1])})", plain).replace("](/", f"]({base_url}/")


def slug(text: str) -> str:
    """Return a text as part of an anchor."""
    return re.sub(r"[^\w.]+", "-", re.sub(r"[\[\]<>]", "", text.lower())).strip("-.")


def _name_tab(found: re.Match[str]) -> str:
    tab = _read_options(found["rest"]).get("tab") or _read_options(found["rest"]).get("title")
    fence = f"{found['mark']}{found['language']}"
    return f"{tab.replace('_', ' ')}:\n\n{fence}" if tab else fence


def _as_markdown(target: str) -> str:
    """Return the path of the same page as markdown, where headings and rows have no anchors."""
    page = target.partition("#")[0]
    return f"{page}.md" if "?" not in page and not page.endswith(".md") else page


def _read_options(info: str) -> dict[str, str]:
    """Return the words after the language with their values: `json tab=Answer fold`."""
    return {name: value for name, _, value in (word.partition("=") for word in info.split())}


class _Writer:
    def __init__(self, parser: MarkdownIt) -> None:
        self._parser = parser
        self._headings: list[Heading] = []
        self._ids: set[str] = set()
        self._rows = ""
        self._tabs = 0

    def write(self, tokens: Sequence[Token]) -> Prose:
        html = "".join(self._pieces(list(tokens)))
        return Prose(Markup(html), self._headings)  # noqa: S704  # markdown-it escapes text, and so does each part here

    def _pieces(self, tokens: list[Token]) -> Iterator[str]:
        at = 0
        while at < len(tokens):
            token = tokens[at]
            if token.type == "heading_open":
                yield self._heading(token, tokens[at + 1])
                at += 3
            elif token.type == "fence":
                end = at
                while end < len(tokens) and tokens[end].type == "fence" and "tab" in _read_options(tokens[end].info):
                    end += 1
                yield self._write_tabs(tokens[at:end]) if end - at > 1 else self._write_code(token)
                at = max(end, at + 1)
            elif token.type == "table_open":
                end = next(n for n in range(at, len(tokens)) if tokens[n].type == "table_close")
                yield self._table(tokens[at : end + 1])
                at = end + 1
            elif token.type == "blockquote_open":
                end = next(n for n in range(at, len(tokens)) if tokens[n].type == "blockquote_close")
                yield self._quote(tokens[at : end + 1])
                at = end + 1
            else:
                yield self._plain([token])
                at += 1

    def _plain(self, tokens: Sequence[Token]) -> str:
        return str(self._parser.renderer.render(tokens, self._parser.options, {}))

    def _heading(self, opened: Token, inline: Token) -> str:
        found = _HEAD.search(inline.content)
        text = inline.content[: found.start()].rstrip() if found else inline.content
        level = int(opened.tag[1])
        name = self._claim(found["id"] if found else slug(text))
        self._rows = name if found and found["rows"] else "" if level == 2 else self._rows
        shown = self._parser.renderInline(text)
        self._headings.append(Heading(name, re.sub(r"[`*]", "", text), level))
        link = f'<a class="anchor" href="#{name}" aria-label="Link to this section">#</a>'
        return f'<{opened.tag} id="{name}">{shown}{link}</{opened.tag}>\n'

    def _claim(self, name: str) -> str:
        chosen, count = name, 1
        while chosen in self._ids:
            count += 1
            chosen = f"{name}-{count}"
        self._ids.add(chosen)
        return chosen

    def _write_code(self, token: Token, *, within: bool = False) -> str:
        language, _, rest = token.info.partition(" ")
        options = _read_options(rest)
        text = token.content.rstrip("\n")
        if "fold" in options:
            tree = fold_json(json.loads(text))
            return f'<figure class="code" data-copy><div class="tree" data-text tabindex="0">{tree}</div></figure>\n'
        title = "" if within else options.get("title", "").replace("_", " ")
        caption = f"<figcaption>{escape(title)}</figcaption>" if title else ""
        mark = "" if language == "text" else " data-copy"
        run = "" if "norun" in options else " data-run"
        return (
            f'<figure class="code"{mark}>{caption}<pre tabindex="0"><code class="language-{escape(language)}"{run}>'
            f"{highlight(text, language)}</code></pre></figure>\n"
        )

    def _write_tabs(self, fences: Sequence[Token]) -> str:
        self._tabs += 1
        group = f"tabs-{self._tabs}"
        heads, panels = [], []
        for number, fence in enumerate(fences, 1):
            name = escape(_read_options(fence.info)["tab"].replace("_", " "))
            checked = " checked" if number == 1 else ""
            heads.append(
                f'<input type="radio" name="{group}" id="{group}-{number}" value="{name}"{checked}>'
                f'<label for="{group}-{number}">{name}</label>'
            )
            panels.append(f'<div class="panel" data-name="{name}">{self._write_code(fence, within=True)}</div>')
        return f'<div class="tabs" data-tabs>{"".join(heads)}{"".join(panels)}</div>\n'

    def _table(self, tokens: Sequence[Token]) -> str:
        if self._rows:
            self._mark_rows(tokens)
        heads = ", ".join(t.content for n, t in enumerate(tokens) if n and tokens[n - 1].type == "th_open")
        label = escape(re.sub(r"[`*]", "", heads)) or "Table"
        inner = self._plain(tokens)
        return f'<div class="scroll" tabindex="0" role="region" aria-label="{label}">{inner}</div>\n'

    def _mark_rows(self, tokens: Sequence[Token]) -> None:
        row: Any = None
        for token, after in pairwise(tokens):
            if token.type == "tr_open":
                row = token
            elif token.type == "td_open" and row is not None:
                name = re.match(r"`([^`]+)`", after.content)
                if name and after.children:
                    row.attrSet("id", self._claim(f"{self._rows}-{slug(name[1])}"))
                    _link_first(after, str(row.attrGet("id")))
                row = None

    def _quote(self, tokens: list[Token]) -> str:
        inline = next((token for token in tokens if token.type == "inline"), None)
        found = _NOTICE.match(inline.content) if inline is not None else None
        if inline is None or found is None:
            return self._plain(tokens)
        inline.content = inline.content[found.end() :]
        inline.children = self._parser.parseInline(inline.content)[0].children
        return f'<div class="notice {found[1]}" role="note">{"".join(self._pieces(tokens[1:-1]))}</div>\n'


def _link_first(inline: Token, anchor: str) -> None:
    """Link the first code span of a cell to its row."""
    opened, closed = Token("link_open", "a", 1), Token("link_close", "a", -1)
    opened.attrs = {"href": f"#{anchor}", "class": "row-link"}
    children = inline.children or []
    inline.children = [opened, children[0], closed, *children[1:]]
