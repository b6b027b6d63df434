"""The XML parts of a document that is an archive, within the bounds of what a text takes to be read."""

from typing import Final

from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file import xml
from webquarry_convert.file.archive import Archive
from webquarry_convert.file.document import make_limit_error
from webquarry_convert.file.xml import Element

MAX_XML: Final = 40_000_000
"""Bytes of a part: a book of a thousand pages has about half of that. What is made of it takes ten times as much."""
MAX_TAGS: Final = 2_500_000
"""Tags of a part, which are what takes memory and time."""
MAX_TIMES: Final = 2
MAX_AGAIN: Final = 1_000_000
"""What may be read of all parts, each as often as it is used: so many times what they hold, and so many bytes. A chart
may be shown again and again."""


class Parts:
    """A document's parts by name. warnings: of parts that are damaged and can be missed."""

    def __init__(self, body: bytes) -> None:
        self.archive = Archive(body)
        self.warnings: list[str] = []
        self._left = MAX_AGAIN + MAX_TIMES * sum(self.archive.size(name) or 0 for name in self.archive.names)

    def parse(self, name: str) -> Element | None:
        """The root of a part; None when there is no such part."""
        body = self.read_marked_up(name)
        return None if body is None else xml.parse(body)

    def read_marked_up(self, name: str) -> bytes | None:
        """A part with marks as it stands; None when there is no such part."""
        if (self.archive.size(name) or 0) > MAX_XML:
            raise make_limit_error(f"more than {MAX_XML // 1_000_000} MB of text with its marks")
        body = self.archive.read(name)
        if body is None:
            return None
        if body.count(b"<") > MAX_TAGS:
            raise make_limit_error(f"more than {MAX_TAGS:,} marks in its text")
        self._left -= len(body)
        if self._left < 0:
            raise make_limit_error("parts that are used again and again")
        return body

    def parse_optional(self, name: str, title: str) -> Element | None:
        """A part that the text can be read without: a damaged one is a warning. title: what the warning calls it."""
        try:
            return self.parse(name)
        except ConversionFailed as failed:
            if failed.reason != "corrupt":
                raise
            warning = f"The {title} of the document are damaged and left out."
            if warning not in self.warnings:
                self.warnings.append(warning)
            return None
