"""HTML parsed, in time that grows with its size, whatever is in it."""

from selectolax.lexbor import LexborHTMLParser

from webquarry_convert.text import harmless
from webquarry_convert.text.sanitizer import sanitize_markup
from webquarry_convert.text.unclosed import close_elements


def parse(html: str) -> LexborHTMLParser:
    """The page parsed. Any text in.

    What cannot be costly is parsed as it stands, scripts included; the rest is tamed first.
    """
    html = close_elements(html)
    if len(html) <= harmless.MAX_CHARS:
        try:
            encoded = html.encode()
        except UnicodeEncodeError:  # lone surrogates
            pass
        else:
            if harmless.is_harmless(encoded):
                return LexborHTMLParser(encoded)
    return LexborHTMLParser(sanitize_markup(html).text)
