"""Markup in a shape for which every parser takes linear time.

The tree builder of HTML5 walks its stack of open elements for most tags, and compares each attribute with all others of
its tag: 50,000 nested elements, or 100,000 attributes in one tag, take seconds, a million take hours. `sanitize_markup`
bounds both before a parser sees the text, by one scan of the tags that knows comments, quoted values and raw text.
"""

import re
from collections import Counter
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser

from webquarry_convert.text.unclosed import close_elements

MAX_DEPTH = 400
"""Elements open at once. The deepest real page seen has under 100; browsers stop at 512."""
MAX_LOOSE = 400
"""Elements without an end that a parser may nest, where they are not in their place, without their being counted as
open: before or behind each further one its end is written."""
MAX_ATTRIBUTES = 200
LONG_TAG = 1024
"""Characters from which a tag's attributes are counted."""

MAX_ELEMENTS = 200_000
"""Elements and comments of a page: parser and stages take over 1 KB for each, and the smallest has three characters."""
MAX_ALL_ATTRIBUTES = 500_000
"""Attributes of a page."""

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
_DATA_SCRIPT = re.compile(r"\btype\s*+=\s*+[\"']?+\s*+[a-z]++/[\w.+-]*(?:json|tex)", re.IGNORECASE)
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
# Those of them that nest where they do not belong: a row outside a table's, an option outside a list of choices.
_OUT_OF_PLACE_NAMES = "td th tr tbody thead tfoot colgroup caption option optgroup rb rp rt rtc"
_OUT_OF_PLACE = frozenset(_OUT_OF_PLACE_NAMES.split())
_ONCE = frozenset({"html", "body"})
"""Elements that a page has once: the parser compares the attributes of each further tag with all that it has so far."""
# What the parser opens again in each block after it, and untangles where it ends around other elements.
_FORMATTING = frozenset(
    {"a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"}
)
MAX_FORMATTING = 8
"""Formatting elements open at once that keep their attributes: of those without, three alike are the most that a parser
opens again. The time to untangle many grows with the third power of their number."""
_VOID = frozenset(_FLAT_NAMES.split()[: _FLAT_NAMES.split().index("keygen") + 1])
_MADE_BY_ENDS = frozenset({"p", "br"})
"""Elements that an end tag makes which ends nothing."""
_MULTIPLE = " multiple"
"""Where one option at most can be chosen, the parser looks through all of them at each that it adds."""
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
_ATTRIBUTES_OF_ONE = rf"(?=[hHbB])(?i:{'|'.join(sorted(_ONCE))})[{_SPACE}/]()"
_FORMATS = rf"(?=[{_FIRST_LETTERS}])(?i:{'|'.join(sorted(_FORMAT_NAMES))})[{_SPACE}/]"
_COSTLY = re.compile(
    rf"<(?:[a-zA-Z][^{_SPACE}/>]*+(?:[{_SPACE}/]*+{_ATTRIBUTE}){{0,{MAX_ATTRIBUTES - 1}}}+"
    rf"[{_SPACE}/]*+(?:{_ATTRIBUTE}|\Z)()|{_FORMATS}|{_ATTRIBUTES_OF_ONE})".encode()
)
"""A tag of `MAX_ATTRIBUTES` or without an end, with the first group; or a formatting element that may have attributes;
or one that a page has once, with the second group."""
_COSTLY_IF_SHORT = re.compile(rf"<(?:()(?!)|{_FORMATS}|{_ATTRIBUTES_OF_ONE})".encode())
"""The same without long tags, for pages of up to `SHORT` bytes: all of them attributes of one tag, they take 0.05 s."""
SHORT = 16_384
_LONG, _ONE = 1, 2
_STRETCH = 16_384
_MARGIN = 4096
"""Bytes of a page whose tags are looked at together, and how far behind them the last ones are read. Quotes, comments
and scripts are not told apart here, so each `<` is read as the beginning of a tag: not farther than that, lest the same
bytes are read for thousands of them."""
MAX_PLAIN_ONCE = 5
"""Tags with attributes of elements that a page has once, in such a page."""
MAX_LONG_TAGS = 100
"""Tags that reach beyond that, and are read to their end, in such a page: 0.2 s for the longest."""
_UNREADABLE = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff\ufeff\ufffe\uffff]")


class Markup(NamedTuple):
    """Bounded markup. depth: elements open at once at the deepest point, never too low but for `MAX_LOOSE`."""

    text: str
    depth: int


def sanitize_markup(html: str) -> Markup:
    """The same markup, bounded, without control characters, lone surrogates, scripts and style sheets.

    Scripts that hold data (JSON, TeX) stay. Tags beyond `MAX_DEPTH` and `MAX_ELEMENTS` go, and their text is kept;
    tags of more than `MAX_ATTRIBUTES`, those beyond `MAX_ALL_ATTRIBUTES`, and formatting beyond `MAX_FORMATTING`, lose
    all attributes, and so do further `html` and `body`. Each `select` allows several choices. Beyond `MAX_LOOSE`, ends
    are written that real pages leave out.
    """
    html = strip_unreadable(html)
    opened: Counter[str] = Counter()
    dropped: Counter[str] = Counter()
    kept: list[str] = []
    unended: Counter[str] = Counter()
    depth = deepest = formatting = hidden = copied = position = 0
    elements = written = counted = merged = loose = 0
    foreign = False
    while (token := _TOKEN.search(html, position)) is not None:
        position = token.end()
        slash, name, attributes = token.groups()
        if name is None:
            elements += 1
            if elements > MAX_ELEMENTS:
                kept += (html[copied : token.start()], " ")
                copied = position
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
            elif name in _MADE_BY_ENDS:
                elements += 1
                replacement = " " if elements > MAX_ELEMENTS else None
            elif unended[name]:
                unended[name] -= 1
                loose -= 1
            if name in _FOREIGN:
                foreign = False
        else:
            elements += 1
            # an attribute has two characters at least: while the page has few, they are not counted
            if len(attributes) > LONG_TAG or (attributes and written // 2 > MAX_ALL_ATTRIBUTES):
                number = sum(1 for _ in _ATTRIBUTES.finditer(attributes))
                counted += number
                if number > MAX_ATTRIBUTES or counted > MAX_ALL_ATTRIBUTES:
                    replacement, attributes = f"<{name}>", ""
            written += len(attributes)
            if name in _ONCE and attributes:
                merged += sum(1 for _ in _ATTRIBUTES.finditer(attributes))
                if merged > MAX_ATTRIBUTES:
                    replacement, attributes = f"<{name}>", ""
            if formatting >= MAX_FORMATTING and name in _FORMATTING and name != "a":
                replacement = f"<{name}>"
            if name == "select" and replacement is None and not attributes.startswith(_MULTIPLE):
                replacement = f"<{name}{_MULTIPLE}{attributes}>"
            foreign = name in _FOREIGN or (foreign and name not in _HTML_AGAIN)
            if elements > MAX_ELEMENTS:
                dropped[name] += name not in _VOID
                replacement = " "
            elif name in _FLAT:
                if name not in _OUT_OF_PLACE:
                    pass
                elif loose < MAX_LOOSE:
                    unended[name] += 1
                    loose += 1
                else:
                    replacement = f"</{name}>{token[0] if replacement is None else replacement}"
            elif foreign and attributes.endswith("/"):
                # the parser may see HTML here after all, in which nothing ends itself
                if name in _RAW:
                    pass
                elif loose < MAX_LOOSE:
                    unended[name] += 1
                    loose += 1
                elif html[position : position + len(name) + 3].lower() != f"</{name}>":
                    replacement = f"{token[0] if replacement is None else replacement}</{name}>"
            elif depth >= MAX_DEPTH:
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
    html = close_elements(html)
    if len(html) <= MAX_PLAIN_CHARS:
        try:
            encoded = html.encode()
        except UnicodeEncodeError:  # lone surrogates
            pass
        else:
            if _is_harmless(encoded):
                return LexborHTMLParser(encoded)
    return LexborHTMLParser(sanitize_markup(html).text)


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
    costly = _COSTLY if len(encoded) > SHORT else _COSTLY_IF_SHORT
    formats = long_tags = ones = 0
    for begin in range(0, len(encoded), _STRETCH):
        at, end = begin, begin + _STRETCH
        while (found := costly.search(encoded, at, end + _MARGIN)) is not None and found.start() < end:
            at = found.start() + 1
            if found.lastindex == _LONG:
                long_tags += 1
                found = _COSTLY.match(encoded, found.start())
                if found is not None and found.lastindex == _LONG:
                    return False
            if found is not None:
                ones += found.lastindex == _ONE
                formats += found.lastindex is None
            if formats > MAX_PLAIN_FORMATS or long_tags > MAX_LONG_TAGS or ones > MAX_PLAIN_ONCE:
                return False
    return True


def strip_unreadable(text: str) -> str:
    """The text without what no document should hold: controls and marks of byte order vanish, lone surrogates become
    U+FFFD."""
    return _UNREADABLE.sub(lambda match: "\ufffd" if "\ud800" <= match[0] <= "\udfff" else "", text)
