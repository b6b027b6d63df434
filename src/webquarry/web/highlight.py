"""Code as HTML with its parts marked by class, so that the stylesheet colours it; no style stands in the page."""

from functools import lru_cache

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
    from pygments.lexers import get_lexer_by_name

    lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    return Markup(mark(text, lexer, HtmlFormatter(nowrap=True)))  # noqa: S704  # pygments escapes what it is given
