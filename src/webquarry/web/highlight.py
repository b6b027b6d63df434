"""Syntax highlighting: code as HTML with classes for the stylesheet, without inline styles."""

from functools import cache, lru_cache
from typing import Any

from markupsafe import Markup, escape

LANGUAGES = ("bash", "http", "javascript", "json", "markdown", "python", "shell", "toml", "yaml")


@lru_cache(maxsize=512)
def highlight(text: str, language: str = "") -> Markup:
    """Return the text as HTML with pygments' short class names. Languages other than `LANGUAGES` are only escaped."""
    if language not in LANGUAGES:
        return escape(text)
    # imported here, because a service that shows no pages does not need it
    from pygments import highlight as mark
    from pygments.formatters import HtmlFormatter

    html = mark(text, find_lexer(language), HtmlFormatter(nowrap=True))
    return Markup(html)  # noqa: S704  # pygments escapes its input


@cache
def find_lexer(language: str) -> Any:
    """Return the lexer for one of `LANGUAGES`.

    Lexers are cached, because they are stateless and take up to 50 ms to create.
    """
    from pygments.lexers import get_lexer_by_name  # imported here for the same reason as above

    return get_lexer_by_name(language, stripnl=False, ensurenl=False)
