"""Tags as the standard's tokenizer reads them, and the elements that a parser treats specially."""

from typing import Final

SPACE: Final = r" \t\n\r\f"
_VALUE: Final = rf"""(?:"[^"]*+"?+|'[^']*+'?+|[^{SPACE}>"'][^{SPACE}>]*+)"""
ATTRIBUTE: Final = rf"[^{SPACE}/>][^{SPACE}/>=]*+(?:[{SPACE}]*+=[{SPACE}]*+{_VALUE}?+)?+"
"""Matches an attribute with its value."""
MAX_ATTRIBUTES: Final = 200
"""Maximum number of attributes in a tag. The parser compares each attribute with all others."""
ONCE: Final = frozenset({"html", "body"})
"""Elements that a page has only once.

For each repeated tag, the parser compares the attributes with all previous ones.
"""
FORMATTING: Final = frozenset(
    {"a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"}
)
"""Formatting elements.

A parser reopens them in each following block and rearranges them if they overlap other elements.
"""
