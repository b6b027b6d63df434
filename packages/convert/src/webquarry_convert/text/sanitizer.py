"""Sanitizes markup, so that any parser reads it in linear time.

The HTML5 tree builder walks its stack of open elements for most tags, and compares each attribute with all others of
its tag. 50,000 nested elements, or 100,000 attributes in one tag, take seconds; a million take hours. One pass over the
tags limits both before parsing. The pass recognizes comments, quoted values and raw text.
"""

import re
from collections import Counter
from typing import Final, NamedTuple

from webquarry_convert.text.tags import ATTRIBUTE, FORMATTING, MAX_ATTRIBUTES, ONCE, SPACE
from webquarry_convert.text.unreadable import strip_unreadable

MAX_DEPTH: Final = 400
"""Maximum number of nested elements. The deepest real page had fewer than 100; browsers stop at 512."""
MAX_LOOSE: Final = 400
"""Maximum number of misplaced elements without an end tag.

A parser may nest them, but they don't count as open. After this many, an end tag is written before or after each
further element.
"""
LONG_TAG: Final = 1024
"""Maximum length, in characters, of a tag whose attributes need not be counted."""
MAX_ELEMENTS: Final = 200_000
"""Maximum number of elements and comments in a page.

Each takes over 1 KB of memory, although three characters are enough to write one.
"""
MAX_ALL_ATTRIBUTES: Final = 500_000
"""Maximum number of attributes in a page."""
MAX_FORMATTING: Final = 8
"""Maximum number of open formatting elements that keep their attributes.

Of identical elements without attributes, a parser reopens at most three. The time to resolve overlapping elements grows
with the cube of their number.
"""
MAX_HIDDEN: Final = 2000
"""Maximum number of `<` characters in all raw text that is kept.

A parser that reads them as tags after all finds only this many.
"""

_ATTRIBUTES = re.compile(ATTRIBUTE)
# As in the standard's tokenizer, a token without an end extends to the end of the page. No character is therefore read
# twice.
_TOKEN = re.compile(
    r"<(?:!--(?:>|->|.*?(?:--!?>|\Z))|[!?][^>]*+(?:>|\Z)"
    rf"|(/?)([a-zA-Z][^{SPACE}/>]*+)((?:[{SPACE}/]++|{ATTRIBUTE})*+)(?:>|\Z))",
    re.DOTALL,
)
_RAW = frozenset({"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"})
_RAW_END = {name: re.compile(rf"</{name}(?=[{SPACE}/>])", re.IGNORECASE) for name in _RAW}
_CODE = frozenset({"script"})
_DATA_SCRIPT = re.compile(r"\btype\s*+=\s*+[\"']?+\s*+[a-z]++/[\w.+-]*(?:json|tex)", re.IGNORECASE)
_FOREIGN = frozenset({"svg", "math"})
# Elements that end SVG or MathML content, or that restore HTML rules inside it.
_HTML_AGAIN_NAMES = """
    b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta
    nobr ol p pre ruby s small span strong strike sub sup table tt u ul var font foreignobject desc title
    annotation-xml mi mo mn ms mtext
"""
_HTML_AGAIN = frozenset(_HTML_AGAIN_NAMES.split())
# Void elements.
_VOID_NAMES = "area base br col embed hr img input link meta param source track wbr basefont bgsound frame keygen"
_VOID = frozenset(_VOID_NAMES.split())
# Elements that a parser nests when they are misplaced, such as a row outside a table or an option outside a select.
_OUT_OF_PLACE_NAMES = "td th tr tbody thead tfoot colgroup caption option optgroup rb rp rt rtc"
_OUT_OF_PLACE = frozenset(_OUT_OF_PLACE_NAMES.split())
# Elements without children, and elements that end when another element of the same kind begins. They add no depth.
_FLAT = _VOID | _OUT_OF_PLACE | {"p", "li", "dd", "dt", "html", "head", "body"}
_MADE_BY_ENDS = frozenset({"p", "br"})
"""Elements that a parser creates for an unmatched end tag."""
_MULTIPLE = " multiple"
"""Attribute added to each select.

In a select with a single choice, the parser searches all options whenever it adds an option.
"""


class Markup(NamedTuple):
    """Sanitized markup.

    depth: the maximum number of elements that are open at the same time, which may be too low by up to `MAX_LOOSE`.
    """

    text: str
    depth: int


def sanitize_markup(html: str) -> Markup:
    """Limit nesting and attributes of markup, and remove control characters, lone surrogates and scripts.

    Keeps scripts that contain data (JSON, TeX) and style sheets without a `<`. Removes tags beyond `MAX_DEPTH` and
    `MAX_ELEMENTS`, but keeps their text. Removes all attributes of tags with more than `MAX_ATTRIBUTES`, of tags beyond
    `MAX_ALL_ATTRIBUTES`, of formatting elements beyond `MAX_FORMATTING`, and of repeated `html` and `body` tags. Makes
    each `select` allow several choices. Beyond `MAX_LOOSE`, writes end tags that pages may omit.
    """
    return _Sanitizer(strip_unreadable(html)).run()


class _Sanitizer:
    """One pass over the tags of a page.

    opened: open elements, counted by name. dropped: removed start tags whose end tags are removed too, counted by name.
    unended: elements that don't count as open but that a parser may nest, counted by name. loose: the sum of
    `unended`. written: number of characters of all attributes. counted: number of attributes of long tags. merged:
    number of attributes of elements that a page has only once.
    """

    __slots__ = (
        "_copied", "_counted", "_depth", "_dropped", "_elements", "_formatting", "_hidden", "_html", "_is_foreign",
        "_kept", "_loose", "_merged", "_opened", "_position", "_unended", "_written", "deepest",
    )  # fmt: skip

    def __init__(self, html: str) -> None:
        self._html = html
        self._kept: list[str] = []
        self._position = self._copied = 0
        self._opened: Counter[str] = Counter()
        self._dropped: Counter[str] = Counter()
        self._unended: Counter[str] = Counter()
        self._elements = self._depth = self.deepest = self._formatting = self._loose = 0
        self._written = self._counted = self._merged = self._hidden = 0
        self._is_foreign = False

    def run(self) -> Markup:
        html, search = self._html, _TOKEN.search
        while (token := search(html, self._position)) is not None:
            self._position = token.end()
            slash, name, attributes = token.groups()
            if name is None:
                self._pass_comment(token.start())
            elif slash:
                self._pass_end(token.start(), name.lower())
            else:
                self._pass_start(token.start(), token[0], name.lower(), attributes)
        text = "".join([*self._kept, html[self._copied :]]) if self._kept else html
        return Markup(text, self.deepest)

    def _replace(self, start: int, replacement: str) -> None:
        """Replace the tag that was read last."""
        self._kept += (self._html[self._copied : start], replacement)
        self._copied = self._position

    def _pass_comment(self, start: int) -> None:
        self._elements += 1
        if self._elements > MAX_ELEMENTS:
            self._replace(start, " ")

    def _pass_end(self, start: int, name: str) -> None:
        if self._opened[name]:
            self._opened[name] -= 1
            self._depth -= 1
            self._formatting -= name in FORMATTING
        elif self._dropped[name]:
            self._dropped[name] -= 1
            self._replace(start, "")
        elif name in _MADE_BY_ENDS:
            self._pass_comment(start)  # counted and removed as a comment
        elif self._unended[name]:
            self._unended[name] -= 1
            self._loose -= 1
        if name in _FOREIGN:
            self._is_foreign = False

    def _pass_start(self, start: int, tag: str, name: str, attributes: str) -> None:
        self._elements += 1
        bounded = tag
        if self._has_too_many(name, attributes):
            bounded, attributes = f"<{name}>", ""
        elif self._formatting >= MAX_FORMATTING and name in FORMATTING and name != "a":
            bounded = f"<{name}>"
        elif name == "select" and not attributes.startswith(_MULTIPLE):
            bounded = f"<{name}{_MULTIPLE}{attributes}>"
        nested = self._nest(bounded, name, attributes)
        if nested is not tag:
            self._replace(start, nested)
        if name in _RAW and not self._opened["svg"] and not self._opened["math"]:
            self._pass_raw_text(name, attributes)
        elif name == "plaintext":  # everything after this tag is text
            self._position = len(self._html)

    def _has_too_many(self, name: str, attributes: str) -> bool:
        """Return whether a tag has too many attributes, or more than the page's limit still allows."""
        # An attribute has at least two characters, so attributes are not counted until they could exceed the limit.
        if len(attributes) > LONG_TAG or (attributes and self._written // 2 > MAX_ALL_ATTRIBUTES):
            number = _count_attributes(attributes)
            self._counted += number
            if number > MAX_ATTRIBUTES or self._counted > MAX_ALL_ATTRIBUTES:
                return True
        self._written += len(attributes)
        if name in ONCE and attributes:
            self._merged += _count_attributes(attributes)
            return self._merged > MAX_ATTRIBUTES
        return False

    def _nest(self, tag: str, name: str, attributes: str) -> str:
        """Return the replacement for a start tag, depending on the open elements."""
        self._is_foreign = name in _FOREIGN or (self._is_foreign and name not in _HTML_AGAIN)
        if self._elements > MAX_ELEMENTS:
            self._dropped[name] += name not in _VOID
            return " "
        if name in _FLAT:
            return tag if name not in _OUT_OF_PLACE or self._may_stay_loose(name) else f"</{name}>{tag}"
        if self._is_foreign and attributes.endswith("/"):
            # The parser may read the tag as HTML after all, where elements don't close themselves.
            stays = name in _RAW or self._may_stay_loose(name) or self._is_ended_at_once(name)
            return tag if stays else f"{tag}</{name}>"
        if self._depth >= MAX_DEPTH:
            self._dropped[name] += 1
            return ""
        self._opened[name] += 1
        self._depth += 1
        self._formatting += name in FORMATTING
        self.deepest = max(self.deepest, self._depth)
        return tag

    def _may_stay_loose(self, name: str) -> bool:
        if self._loose >= MAX_LOOSE:
            return False
        self._unended[name] += 1
        self._loose += 1
        return True

    def _is_ended_at_once(self, name: str) -> bool:
        return self._html[self._position : self._position + len(name) + 3].lower() == f"</{name}>"

    def _pass_raw_text(self, name: str, attributes: str) -> None:
        """Skip raw text without reading tags in it. Code, and text with many `<` characters, is removed."""
        html, start = self._html, self._position
        end = _RAW_END[name].search(html, start)
        self._position = len(html) if end is None else end.start()
        signs = html.count("<", start, self._position)
        if (
            self._hidden + signs > MAX_HIDDEN
            or (name in _CODE and not _DATA_SCRIPT.search(attributes))
            or (name == "style" and signs)
        ):
            self._replace(start, "")
        else:
            self._hidden += signs


def _count_attributes(attributes: str) -> int:
    return sum(1 for _ in _ATTRIBUTES.finditer(attributes))
