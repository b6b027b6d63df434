"""Code as HTML with its parts marked by class, so that the stylesheet colours it; no style stands in the page."""

from functools import cache, lru_cache
from typing import Any

from markupsafe import Markup, escape

LANGUAGES = ("bash", "http", "javascript", "json", "markdown", "python", "shell", "toml", "yaml")


@lru_cache(maxsize=512)
def highlight(text: str, language: str = "") -> Markup:
    """The text with spans of pygments' short classes; escaped only for a language that is not one of `LANGUAGES`."""
    if language not in LANGUAGES:
        return escape(text)
    # imported where it is used: a service that shows no page need not load it
    from pygments import highlight as mark
    from pygments.formatters import HtmlFormatter

    html = mark(text, find_lexer(language), HtmlFormatter(nowrap=True))
    return Markup(html)  # noqa: S704  # pygments escapes what it is given


@cache
def find_lexer(language: str) -> Any:
    """The reader of one of `LANGUAGES`. To make one takes up to 50 ms, and it keeps nothing of what it has read."""
    from pygments.lexers import get_lexer_by_name  # imported where it is used, as above

    return get_lexer_by_name(language, stripnl=False, ensurenl=False)
