"""Parsing of HTML in linear time, whatever the input."""

from selectolax.lexbor import LexborHTMLParser

from webquarry_convert.text import harmless
from webquarry_convert.text.sanitizer import sanitize_markup
from webquarry_convert.text.unclosed import close_elements


def parse(html: str) -> LexborHTMLParser:
    """Parse a page. Accepts any text.

    Pages that are quick to parse keep their scripts. Other pages are sanitized first.
    """
    html = close_elements(html)
    if len(html) <= harmless.MAX_CHARS:
        try:
            encoded = html.encode()
        except UnicodeEncodeError:  # html contains lone surrogates
            pass
        else:
            if harmless.is_harmless(encoded):
                return LexborHTMLParser(encoded)
    return LexborHTMLParser(sanitize_markup(html).text)
