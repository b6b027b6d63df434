"""A quick look at a page that tells whether a parser takes no long time for it: 97 of 100 real pages."""

import re
from typing import Final

from webquarry_convert.text.tags import ATTRIBUTE, FORMATTING, MAX_ATTRIBUTES, ONCE, SPACE

MAX_CHARS: Final = 2_000_000
MAX_TAGS: Final = 6000
"""Start tags, and end tags, up to which a page is harmless. 97 of 100 real pages have fewer. Of that many each, deep
nesting takes the parser below 0.2 s and tags of 200 attributes each 0.4 s."""
MAX_FORMATS: Final = 400
"""Formatting elements with attributes in such a page: without, more than three alike are never open. So many, open all
at once and ended around other elements, take 0.02 s; 2,900 took 3 s."""
MAX_ONCE: Final = 5
"""Tags with attributes of elements that a page has once, in such a page."""
MAX_LONG_TAGS: Final = 100
"""Tags that reach beyond `_MARGIN`, and are read to their end, in such a page: 0.2 s for the longest."""
SHORT: Final = 16_384
"""Bytes of a page up to which long tags need no look: all of it attributes of one tag, it takes 0.05 s."""
_STRETCH: Final = 16_384
_MARGIN: Final = 4096
"""Bytes of a page whose tags are looked at together, and how far behind them the last ones are read. Quotes, comments
and scripts are not told apart here, so each `<` is read as the beginning of a tag: not farther than that, lest the same
bytes are read for thousands of them."""
_FORMAT_NAMES: Final = FORMATTING - {"a"}
_FIRST_LETTERS: Final = "".join(sorted({letter for name in _FORMAT_NAMES for letter in (name[0], name[0].upper())}))
# The look at the first letter rules most tags out at once.
_ATTRIBUTES_OF_ONE: Final = rf"(?=[hHbB])(?i:{'|'.join(sorted(ONCE))})[{SPACE}/]()"
_FORMATS: Final = rf"(?=[{_FIRST_LETTERS}])(?i:{'|'.join(sorted(_FORMAT_NAMES))})[{SPACE}/]"
_COSTLY: Final = re.compile(
    rf"<(?:[a-zA-Z][^{SPACE}/>]*+(?:[{SPACE}/]*+{ATTRIBUTE}){{0,{MAX_ATTRIBUTES - 1}}}+"
    rf"[{SPACE}/]*+(?:{ATTRIBUTE}|\Z)()|{_FORMATS}|{_ATTRIBUTES_OF_ONE})".encode()
)
"""A tag of `MAX_ATTRIBUTES` or without an end, with the first group; or a formatting element that may have attributes;
or one that a page has once, with the second group."""
_COSTLY_IF_SHORT: Final = re.compile(rf"<(?:()(?!)|{_FORMATS}|{_ATTRIBUTES_OF_ONE})".encode())
"""The same without long tags."""
_LONG, _ONE = 1, 2


def is_harmless(encoded: bytes) -> bool:
    """Whether a parser takes no long time for a page, by what its tags have and how many there are.

    encoded: of a text up to `MAX_CHARS`, as UTF-8: quicker to read than a text of wide letters. A harmless page may be
    called harmful, never the other way round. The time grows with the size.
    """
    tags = encoded.count(b"<")
    if tags > MAX_TAGS:  # the ends among them take longer to count
        ends = encoded.count(b"</")
        if ends > MAX_TAGS or tags - ends > MAX_TAGS:
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
            if formats > MAX_FORMATS or long_tags > MAX_LONG_TAGS or ones > MAX_ONCE:
                return False
    return True
