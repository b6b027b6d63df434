"""Markup in a shape for which every parser takes linear time.

The tree builder of HTML5 walks its stack of open elements for most tags, and compares each attribute with all others of
its tag: 50,000 nested elements, or 100,000 attributes in one tag, take seconds, a million take hours. `tame` bounds
both before a parser sees the text, by one scan of the tags that knows comments, quoted values and raw text.
"""

import re
from collections import Counter
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser

MAX_DEPTH = 400
"""Elements open at once. The deepest real page seen has under 100; browsers stop at 512."""
MAX_ATTRIBUTES = 200
LONG_TAG = 1024
"""Characters from which a tag's attributes are counted."""

_SPACE = r" \t\n\r\f"
_VALUE = rf"""(?:"[^"]*+"?+|'[^']*+'?+|[^{_SPACE}>"'][^{_SPACE}>]*+)"""
_ATTRIBUTE = rf"[^{_SPACE}/>][^{_SPACE}/>=]*+(?:[{_SPACE}]*+=[{_SPACE}]*+{_VALUE}?+)?+"
_ATTRIBUTES = re.compile(_ATTRIBUTE)
# As in the standard's tokenizer, what has no end reaches to the end of the page: no character is read twice.
_TOKEN = re.compile(
    r"<(?:!--(?:>|->|.*?(?:--!?>|\Z))|[!?][^>]*+(?:>|\Z)"
    rf"|(/?)([a-zA-Z][^{_SPACE}/>]*+)((?:[{_SPACE}/]++|{_ATTRIBUTE})*+)(?:>|\Z))",
    re.DOTALL,
)
_RAW = frozenset({"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"})
_RAW_END = {name: re.compile(rf"</{name}(?=[{_SPACE}/>])", re.IGNORECASE) for name in _RAW}
_CODE = frozenset({"script", "style"})
_DATA_SCRIPT = re.compile(r"\btype\s*=\s*[\"']?\s*[a-z]+/[\w.+-]*(?:json|tex)", re.IGNORECASE)
MAX_HIDDEN = 2000
"""`<` signs in raw text that is kept, on the whole page: should a parser see tags there after all, they are few."""
_FOREIGN = frozenset({"svg", "math"})
# Elements that end foreign content, or in which HTML's own rules hold again.
_HTML_AGAIN_NAMES = """
    b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta
    nobr ol p pre ruby s small span strong strike sub sup table tt u ul var font foreignobject desc title
    annotation-xml mi mo mn ms mtext
"""
_HTML_AGAIN = frozenset(_HTML_AGAIN_NAMES.split())
# Elements that never hold others, and those that the next of their kind closes: they add no depth of their own.
_FLAT_NAMES = """
    area base br col embed hr img input link meta param source track wbr basefont bgsound frame keygen p li dd dt td
    th tr tbody thead tfoot colgroup caption option optgroup rb rp rt rtc html head body
"""
_FLAT = frozenset(_FLAT_NAMES.split())
# What the parser opens again in each block after it, and untangles where it ends around other elements.
_FORMATTING = frozenset(
    {"a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"}
)
MAX_FORMATTING = 8
"""Formatting elements open at once that keep their attributes: of those without, three alike are the most that a parser
opens again. The time to untangle many grows with the third power of their number."""
MAX_PLAIN_CHARS = 2_000_000
MAX_PLAIN_TAGS = 6000
"""Start tags, and end tags, up to which the parser gets a page as it is. 97 of 100 real pages have fewer. Of that many
each, deep nesting takes it below 0.2 s and tags of 200 attributes each 0.4 s."""
MAX_PLAIN_FORMATS = 400
"""Formatting elements with attributes in such a page: without, more than three alike are never open. So many, open all
at once and ended around other elements, take 0.02 s; 2,900 took 3 s."""
_FORMAT_NAMES = _FORMATTING - {"a"}
_FIRST_LETTERS = "".join(sorted({letter for name in _FORMAT_NAMES for letter in (name[0], name[0].upper())}))
# The look at the first letter rules most tags out at once.
_FORMATS = rf"(?=[{_FIRST_LETTERS}])(?i:{'|'.join(sorted(_FORMAT_NAMES))})[{_SPACE}/]"
_COSTLY = re.compile(
    rf"<(?:[a-zA-Z][^{_SPACE}/>]*+(?:[{_SPACE}/]*+{_ATTRIBUTE}){{0,{MAX_ATTRIBUTES - 1}}}+"
    rf"[{_SPACE}/]*+(?:{_ATTRIBUTE}|\Z)()|{_FORMATS})".encode()
)
"""A tag of `MAX_ATTRIBUTES` or without an end, with a group; or a formatting element that may have attributes."""
_STRETCH = 16_384
_MARGIN = 4096
"""Bytes of a page whose tags are looked at together, and how far behind them the last ones are read. Quotes, comments
and scripts are not told apart here, so each `<` is read as the beginning of a tag: not farther than that, lest the same
bytes are read for thousands of them."""
MAX_LONG_TAGS = 100
"""Tags that reach beyond that, and are read to their end, in such a page: 0.2 s for the longest."""
_UNREADABLE = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff\ufeff\ufffe\uffff]")


class Markup(NamedTuple):
    """Bounded markup. depth: elements open at once at the deepest point, never too low."""

    text: str
    depth: int


def tame(html: str) -> Markup:
    """The same markup, bounded, without control characters, lone surrogates, scripts and style sheets.

    Scripts that hold data (JSON, TeX) stay. Tags beyond `MAX_DEPTH` are left out and their text kept; tags of more than
    `MAX_ATTRIBUTES`, and formatting beyond `MAX_FORMATTING`, lose all attributes.
    """
    html = readable(html)
    opened: Counter[str] = Counter()
    dropped: Counter[str] = Counter()
    kept: list[str] = []
    depth = deepest = formatting = hidden = copied = position = 0
    foreign = False
    while (token := _TOKEN.search(html, position)) is not None:
        position = token.end()
        slash, name, attributes = token.groups()
        if name is None:
            continue
        name = name.lower()
        replacement = None
        if slash:
            if opened[name]:
                opened[name] -= 1
                depth -= 1
                formatting -= name in _FORMATTING
            elif dropped[name]:
                dropped[name] -= 1
                replacement = ""
            if name in _FOREIGN:
                foreign = False
        else:
            if len(attributes) > LONG_TAG and sum(1 for _ in _ATTRIBUTES.finditer(attributes)) > MAX_ATTRIBUTES:
                replacement = f"<{name}>"
            if formatting >= MAX_FORMATTING and name in _FORMATTING and name != "a":
                replacement = f"<{name}>"
            foreign = name in _FOREIGN or (foreign and name not in _HTML_AGAIN)
            if name not in _FLAT and not (foreign and attributes.endswith("/")):
                if depth >= MAX_DEPTH:
                    dropped[name] += 1
                    replacement = ""
                else:
                    opened[name] += 1
                    depth += 1
                    formatting += name in _FORMATTING
                    deepest = max(deepest, depth)
        if replacement is not None:
            kept += (html[copied : token.start()], replacement)
            copied = position
        if slash:
            continue
        if name in _RAW and not opened["svg"] and not opened["math"]:
            end = _RAW_END[name].search(html, position)
            start, position = position, len(html) if end is None else end.start()
            hidden += html.count("<", start, position)
            if hidden > MAX_HIDDEN or (name in _CODE and not _DATA_SCRIPT.search(attributes)):
                hidden -= html.count("<", start, position)
                kept.append(html[copied:start])
                copied = position
        elif name == "plaintext":
            break
    if kept:
        html = "".join([*kept, html[copied:]])
    return Markup(html, deepest)


def parse(html: str) -> LexborHTMLParser:
    """The page parsed, in time that grows with its size. Any text in.

    What cannot be costly is parsed as it stands, scripts included; the rest is tamed first.
    """
    if len(html) <= MAX_PLAIN_CHARS:
        try:
            encoded = html.encode()
        except UnicodeEncodeError:  # lone surrogates
            pass
        else:
            if _is_harmless(encoded):
                return LexborHTMLParser(encoded)
    return LexborHTMLParser(tame(html).text)


def _is_harmless(encoded: bytes) -> bool:
    """Whether a parser takes no long time for a page, by what its tags have and how many there are.

    encoded: of a text up to `MAX_PLAIN_CHARS`, as UTF-8: quicker to read than a text of wide letters. A harmless page
    may be called harmful, never the other way round. The time grows with the size.
    """
    tags = encoded.count(b"<")
    if tags > MAX_PLAIN_TAGS:  # the ends among them take longer to count
        ends = encoded.count(b"</")
        if ends > MAX_PLAIN_TAGS or tags - ends > MAX_PLAIN_TAGS:
            return False
    formats = long_tags = 0
    for begin in range(0, len(encoded), _STRETCH):
        at, end = begin, begin + _STRETCH
        while (found := _COSTLY.search(encoded, at, end + _MARGIN)) is not None and found.start() < end:
            at = found.start() + 1
            if found.lastindex is not None:
                long_tags += 1
                found = _COSTLY.match(encoded, found.start())
                if found is not None and found.lastindex is not None:
                    return False
            formats += found is not None
            if formats > MAX_PLAIN_FORMATS or long_tags > MAX_LONG_TAGS:
                return False
    return True


def readable(text: str) -> str:
    """The text without what no document should hold: controls and marks of byte order vanish, lone surrogates become
    U+FFFD."""
    return _UNREADABLE.sub(lambda match: "\ufffd" if "\ud800" <= match[0] <= "\udfff" else "", text)
