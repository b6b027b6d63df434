"""Rendering of fetched markdown as harmless HTML: without scripts, forms, loaded content, names or classes.

There are two layers of protection: the parser drops HTML, and its output is filtered with an allow list.
Images become links.
"""

from collections.abc import MutableMapping, Sequence
from typing import Any, Final

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from webquarry.web.playground.allowed import ALIGNMENTS, CELLS, CONTENT_TAGS, LINK_REL, SCHEMES, links_outside

MAX_MARKS: Final = 300
_MARKS: Final = "[]*_`!<~&\\:"
_OPEN_LINKS: Final = "open links"


def render(markdown: str) -> str:
    """Return the body of a page that shows the markdown.

    This is slow for hostile text, so call it in a child process.
    """
    return nh3.clean(
        _PARSER.render(markdown),
        tags=set(CONTENT_TAGS),
        clean_content_tags={"script", "style"},
        attributes={"*": set(), "a": {"href"}, "ol": {"start"}},
        tag_attribute_values={cell: {"align": set(ALIGNMENTS)} for cell in CELLS},
        set_tag_attribute_values={"a": {"target": "_blank"}},
        url_schemes=set(SCHEMES),
        url_relative="deny",
        link_rel=LINK_REL,
        strip_comments=True,
    )


class _Renderer(RendererHTML):
    """Writes images as links, and table cells without styles."""

    def image(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: MutableMapping[str, Any]) -> str:
        """Return the image's alternative text, linked to the image unless it is already within a link."""
        token = tokens[at]
        words = self.renderInlineAsText(token.children, options, env) if token.children else ""
        shown = _escape(f"Picture: {words.strip()}" if words.strip() else "Picture")
        address = str(token.attrs.get("src", ""))
        if env.get(_OPEN_LINKS) or not links_outside(address):
            return f"[{shown}]"
        return f'[<a href="{_escape(address)}">{shown}</a>]'

    def link_open(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: MutableMapping[str, Any]) -> str:
        env[_OPEN_LINKS] = env.get(_OPEN_LINKS, 0) + 1
        return self.renderToken(tokens, at, options, env)

    def link_close(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: MutableMapping[str, Any]) -> str:
        env[_OPEN_LINKS] = env.get(_OPEN_LINKS, 0) - 1
        return self.renderToken(tokens, at, options, env)

    def td_open(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: MutableMapping[str, Any]) -> str:
        """Return the start tag of a cell without the style that the parser adds for its alignment."""
        aligned = str(tokens[at].attrs.get("style", "")).removeprefix("text-align:")
        return f"<{tokens[at].tag}{f' align={aligned}' if aligned in ALIGNMENTS else ''}>"

    th_open = td_open


def _parse_inline(state: StateCore) -> None:
    """Parse inline markdown. Blocks with too many marks become plain text instead."""
    for token in state.tokens:
        if token.type != "inline":
            continue
        if _is_crowded(token.content):
            token.children = [Token("text", "", 0, content=token.content)]
        else:
            token.children = []
            state.md.inline.parse(token.content, state.md, state.env, token.children)


def _is_crowded(text: str) -> bool:
    """Return whether a block has more marks than readable text has.

    Parsing time grows quadratically with their number.
    """
    return len(text) > MAX_MARKS and sum(map(text.count, _MARKS)) > MAX_MARKS


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: N802  # the parser defines this name
        return links_outside(url)


def _make_parser() -> MarkdownIt:
    parser = _Parser("commonmark", {"html": False, "maxNesting": 40}, renderer_cls=_Renderer)
    parser.enable(["table", "strikethrough"])
    parser.disable(["html_block", "html_inline"])
    parser.core.ruler.at("inline", _parse_inline)
    return parser


_PARSER: Final = _make_parser()
