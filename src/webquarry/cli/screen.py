"""Results on a terminal: rendered markdown, colored JSON, and a pager for output that is longer than the screen."""

import os
import re
import shutil
import sys
from collections.abc import Mapping
from typing import Any

import click
import orjson

MAX_RENDERED_CHARS = 64_000
"""Maximum length of a markdown text that is rendered. Rendering a longer text would take seconds, so it is shown
unrendered.
"""
MAX_WIDTH = 100
"""Maximum width of rendered text in columns; longer lines are hard to read."""
_ONLY_IN_JSON = frozenset({"fields", "chunks"})
"""Parts of a response that its markdown does not show, and that are only returned on request."""
_UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Characters that control a terminal or reverse text. Malicious pages use them to hide or fake output."""


def is_terminal(stream: Any) -> bool:
    return bool(stream.isatty())


def clean(text: str) -> str:
    """Return the text without characters that control a terminal, which are replaced with U+FFFD."""
    return _UNSAFE.sub("\ufffd", text.replace("\r\n", "\n"))


class Screen:
    """Standard output as a terminal. `environment` may contain NO_COLOR, TERM and PAGER."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._is_dumb = environment.get("TERM") == "dumb"
        self._has_colours = not self._is_dumb and not environment.get("NO_COLOR")
        self._width, self._height = shutil.get_terminal_size()

    def show_body(self, body: bytes) -> None:
        """Show a response's markdown, or its JSON if it has no markdown or contains requested fields or chunks."""
        response = orjson.loads(body)
        markdown = response.get("markdown")
        if markdown is None or not _ONLY_IN_JSON.isdisjoint(response):
            self.show_json(body)
        else:
            self.show_markdown(markdown)

    def show_json(self, body: bytes) -> None:
        text = clean(orjson.dumps(orjson.loads(body), option=orjson.OPT_INDENT_2).decode())
        if self._has_colours and len(text) <= MAX_RENDERED_CHARS:
            from pygments import highlight
            from pygments.formatters.terminal import TerminalFormatter
            from pygments.lexers.data import JsonLexer

            text = highlight(text, JsonLexer(), TerminalFormatter())
        self._page(text)

    def show_markdown(self, markdown: str) -> None:
        text = clean(markdown)
        self._page(self._render(text) if len(text) <= MAX_RENDERED_CHARS else text)

    def show_text(self, text: str) -> None:
        """Show a text unchanged, except for characters that control a terminal."""
        click.echo(clean(text), nl=not text.endswith("\n"))

    def _render(self, markdown: str) -> str:
        from webquarry.cli.terminal_markdown import render_markdown  # not needed if the output is piped

        width = min(self._width, MAX_WIDTH)
        return render_markdown(markdown, width=width, is_dumb=self._is_dumb, has_colours=self._has_colours)

    def _page(self, text: str) -> None:
        """Print the text, through a pager if it is longer than the screen."""
        if text.count("\n") < self._height and is_terminal(sys.stdout):
            click.echo(text, nl=not text.endswith("\n"), color=True)
        else:
            click.echo_via_pager(text, color=True)
