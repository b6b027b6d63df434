"""Markdown of the docs as HTML: headings with anchors, highlighted code, tabs, tables with linkable rows.

In addition to CommonMark and tables, this module supports extensions that other markdown parsers ignore:

- `## Parameters {: #param}`: the anchor of a heading; by default, the anchor is generated from the heading's text
- `## Parameters {: #param rows}`: the following tables are lists of rows, each with an anchor: `param-` and its first
  cell
- `## Request {: #call aside}`: the section is shown in a second column if there is space
- a code fence with `tab=Python`: adjacent ones become tabs; with `fold`: JSON as a tree; with `norun`: not run by
  tests; with `title=…`: a heading, with `_` for spaces
- `> [!warn] …`: a notice (info, good, warn, bad)
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

from webquarry.web.docs.rows import read_rows, write_rows
from webquarry.web.docs.tree import fold_json
from webquarry.web.highlight import highlight
from webquarry.web.texts import break_names

_HEAD = re.compile(r"\{: #(?P<id>[a-z][\w.-]*)(?P<options>(?: rows| aside)*)\}$")
_NOTICE = re.compile(r"^\[!(info|good|warn|bad)\]\s*")
_FENCE = re.compile(r"^(?P<mark>`{3,})(?P<language>\w+)(?P<rest> .*)$", re.MULTILINE)
_TITLED = re.compile(r"(?<!\s)\s*+\{: #[a-z][\w.-]*(?: rows| aside)*\}$", re.MULTILINE)
_ROLES = {
    "table_open": "table",
    "thead_open": "rowgroup",
    "tbody_open": "rowgroup",
    "tr_open": "row",
    "th_open": "columnheader",
    "td_open": "cell",
}
"""ARIA roles of a table's parts.

On narrow screens, the parts are shown as blocks and would otherwise lose their roles.
"""
_LINK = re.compile(r"\]\(/(docs[^)\]\s]*)\)")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of level 2 or 3."""

    id: str
    text: str
    level: int


@dataclass
class Prose:
    """A text as HTML, with its headings in order.

    `lead` is the text before the first heading, `aside` the sections for a second column, and `html` the rest.
    """

    lead: Markup
    aside: Markup
    html: Markup
    headings: list[Heading] = field(default_factory=list)


def write_html(text: str) -> Prose:
    """Convert markdown to HTML. Raw HTML is escaped."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.add_render_rule("code_inline", _write_code_span)
    return _Writer(parser).write(parser.parse(text))


def write_plain(text: str, base_url: str) -> str:
    """Convert markdown for other parsers: replace extensions with words, and make links absolute."""
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
    """Return the path of the markdown version of a page, which has no anchors."""
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
        self._part = "lead"

    def write(self, tokens: Sequence[Token]) -> Prose:
        parts: dict[str, list[str]] = {"lead": [], "aside": [], "html": []}
        for piece in self._pieces(list(tokens)):
            parts[self._part].append(piece)
        # markdown-it escapes text, and so does each function in this module
        lead, aside, html = (Markup("".join(pieces)) for pieces in parts.values())  # noqa: S704
        return Prose(lead, aside, html, self._headings)

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
        options = found["options"].split() if found else []
        self._rows = name if "rows" in options else "" if level == 2 else self._rows
        if level == 2:
            self._part = "aside" if "aside" in options else "html"
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
        heads = [t.content for n, t in enumerate(tokens) if n and tokens[n - 1].type == "th_open"]
        label = re.sub(r"[`*]", "", ", ".join(heads)) or "Table"
        if self._rows:
            rows, _ = read_rows(tokens, self._inline, lambda name: self._claim(f"{self._rows}-{slug(name)}"))
            return write_rows(rows, label)
        _name_cells(tokens, heads)
        return (
            f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(label)}">{self._plain(tokens)}</div>\n'
        )

    def _inline(self, token: Token) -> str:
        return self._plain([token])

    def _quote(self, tokens: list[Token]) -> str:
        inline = next((token for token in tokens if token.type == "inline"), None)
        found = _NOTICE.match(inline.content) if inline is not None else None
        if inline is None or found is None:
            return self._plain(tokens)
        inline.content = inline.content[found.end() :]
        inline.children = self._parser.parseInline(inline.content)[0].children
        return f'<div class="notice {found[1]}" role="note">{"".join(self._pieces(tokens[1:-1]))}</div>\n'


def _name_cells(tokens: Sequence[Token], heads: Sequence[str]) -> None:
    """Add roles to a table's parts, and add to each cell the head of its column, which is shown on narrow screens."""
    column = 0
    for token in tokens:
        if role := _ROLES.get(token.type):
            token.attrSet("role", role)
        if token.type == "tr_open":
            column = 0
        elif token.type == "td_open":
            token.attrSet("data-label", re.sub(r"[`*]", "", heads[column]))
            column += 1


def _write_code_span(_renderer: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    return f"<code>{break_names(tokens[index].content)}</code>"
