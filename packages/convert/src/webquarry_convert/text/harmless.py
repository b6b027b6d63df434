"""A fast check of whether a parser handles a page quickly. 97 of 100 real pages pass."""

import re
from typing import Final

from webquarry_convert.text.tags import ATTRIBUTE, FORMATTING, MAX_ATTRIBUTES, ONCE, SPACE

MAX_CHARS: Final = 2_000_000
MAX_TAGS: Final = 6000
"""Maximum number of start tags, and of end tags, in a harmless page. 97 of 100 real pages have fewer.

At this limit, deep nesting takes the parser less than 0.2 s, and tags with 200 attributes each take 0.4 s.
"""
MAX_FORMATS: Final = 400
"""Maximum number of formatting elements with attributes in a harmless page.

Of identical elements without attributes, a parser keeps at most three open. Parsing takes 0.02 s if this many elements
are open and overlap other elements; with 2,900 elements it takes 3 s.
"""
MAX_ONCE: Final = 5
"""Maximum number of repeated `html` and `body` tags with attributes in a harmless page."""
MAX_LONG_TAGS: Final = 100
"""Maximum number of tags longer than `_MARGIN` in a harmless page.

These tags are read to their end, which takes at most 0.2 s.
"""
SHORT: Final = 16_384
"""Maximum size, in bytes, of a page whose long tags are not checked. A single tag of this size takes 0.05 s to parse.
"""
_STRETCH: Final = 16_384
_MARGIN: Final = 4096
"""Number of bytes that are searched for tags in one step.

The last tags of a step may extend beyond it by the same number.

Quotes, comments and scripts are not distinguished here, so each `<` is read as the start of a tag. Without the limit,
the same bytes could be read thousands of times.
"""
_FORMAT_NAMES: Final = FORMATTING - {"a"}
_FIRST_LETTERS: Final = "".join(sorted({letter for name in _FORMAT_NAMES for letter in (name[0], name[0].upper())}))
# Checking the first letter first rules out most tags.
_ATTRIBUTES_OF_ONE: Final = rf"(?=[hHbB])(?i:{'|'.join(sorted(ONCE))})[{SPACE}/]()"
_FORMATS: Final = rf"(?=[{_FIRST_LETTERS}])(?i:{'|'.join(sorted(_FORMAT_NAMES))})[{SPACE}/]"
_COSTLY: Final = re.compile(
    rf"<(?:[a-zA-Z][^{SPACE}/>]*+(?:[{SPACE}/]*+{ATTRIBUTE}){{0,{MAX_ATTRIBUTES - 1}}}+"
    rf"[{SPACE}/]*+(?:{ATTRIBUTE}|\Z)()|{_FORMATS}|{_ATTRIBUTES_OF_ONE})".encode()
)
"""Matches a costly tag.

First group: a tag with `MAX_ATTRIBUTES` or without an end. Second group: a formatting element that may have attributes,
or an element that a page has only once.
"""
_COSTLY_IF_SHORT: Final = re.compile(rf"<(?:()(?!)|{_FORMATS}|{_ATTRIBUTES_OF_ONE})".encode())
"""Matches the same tags as `_COSTLY`, except for long tags."""
_LONG, _ONE = 1, 2


def is_harmless(encoded: bytes) -> bool:
    """Return whether a parser handles the page quickly, judging by the number of tags and their attributes.

    encoded: a text of up to `MAX_CHARS` characters in UTF-8, which is faster to search than wide characters. A harmless
    page may be rejected, but a harmful page never passes. Takes linear time.
    """
    tags = encoded.count(b"<")
    if tags > MAX_TAGS:  # counting end tags takes longer
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
