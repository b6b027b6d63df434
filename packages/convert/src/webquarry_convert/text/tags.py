"""Tags as the standard's tokenizer reads them, and which elements a parser treats in a way of its own."""

from typing import Final

SPACE: Final = r" \t\n\r\f"
_VALUE: Final = rf"""(?:"[^"]*+"?+|'[^']*+'?+|[^{SPACE}>"'][^{SPACE}>]*+)"""
ATTRIBUTE: Final = rf"[^{SPACE}/>][^{SPACE}/>=]*+(?:[{SPACE}]*+=[{SPACE}]*+{_VALUE}?+)?+"
"""Expression of an attribute with its value."""
MAX_ATTRIBUTES: Final = 200
"""Of a tag: the parser compares each with all others."""
ONCE: Final = frozenset({"html", "body"})
"""Elements that a page has once: the parser compares the attributes of each further tag with all that it has so far."""
FORMATTING: Final = frozenset(
    {"a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"}
)
"""What the parser opens again in each block after it, and untangles where it ends around other elements."""
