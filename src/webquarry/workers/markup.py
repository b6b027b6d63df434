"""Markup as a kind of piece: tags and attributes from an allow list, properly nested."""

import asyncio
import re
from collections.abc import Callable, Set
from dataclasses import dataclass
from html import unescape
from typing import Final

from webquarry.workers.job import Claim, ReplyError
from webquarry.workers.pieces import Text

Allows = Callable[[str, str, str], bool]
"""Function of (element, attribute, value) that returns whether it is allowed; the attribute is "" if the element itself
is checked.
"""
_TOKEN: Final = re.compile(
    r'[^<]++|<(/?)([A-Za-z][A-Za-z0-9]{0,40})((?: [A-Za-z][A-Za-z0-9:-]{0,80}(?:="[^"]*+")?)*+)(/?)>'
)
_ATTRIBUTE: Final = re.compile(r' ([A-Za-z0-9:-]+)(?:="([^"]*+)")?')
_AT_ONCE: Final = 2000
"""Number of tags and strings to read before other requests get their turn."""


@dataclass(frozen=True, slots=True)
class Markup:
    """HTML or XML in the form in which serializers write it.

    Everything except tags and text is refused. This includes comments, processing instructions and declarations.
    `voids` are elements that are never closed. `holds_text` are elements whose text is checked as `allows(element,
    "#text", text)`, because it is not plain text. `depth` is the maximum nesting.
    """

    allows: Allows
    most: int
    depth: int = 100
    voids: Set[str] = frozenset()
    holds_text: Set[str] = frozenset()

    async def check(self, piece: bytes, claim: Claim) -> None:
        """Check the piece tag by tag."""
        await Text(self.most).check(piece, claim)
        text = piece.decode()
        open_elements: list[str] = []
        place = count = 0
        while place < len(text):
            token = _TOKEN.match(text, place)
            if token is None:
                raise ReplyError("its markup has something other than tags and text")
            self._take(token, open_elements)
            place, count = token.end(), count + 1
            if count % _AT_ONCE == 0:
                await asyncio.sleep(0)
        if open_elements:
            raise ReplyError("its markup has elements that are not closed")

    def _take(self, token: re.Match[str], open_elements: list[str]) -> None:
        """Process one tag or text."""
        end, name, attributes, is_empty = token.groups()
        if name is None:
            if open_elements and open_elements[-1] in self.holds_text:
                self._judge(open_elements[-1], "#text", token[0])
            return
        if end:
            if attributes or is_empty or not open_elements or open_elements.pop() != name:
                raise ReplyError("its markup closes an element that is not open")
            return
        self._judge(name, "", "")
        for attribute, value in _ATTRIBUTE.findall(attributes):
            self._judge(name, attribute, value)
        if not is_empty and name not in self.voids:
            open_elements.append(name)
        if len(open_elements) > self.depth:
            raise ReplyError("its markup nests too deeply")

    def _judge(self, name: str, attribute: str, value: str) -> None:
        if not self.allows(name, attribute, unescape(value)):
            raise ReplyError("its markup has an element or an attribute that is not allowed")
