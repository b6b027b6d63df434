"""The XML parts of a document in an archive, with limits."""

from typing import Final

from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file import xml
from webquarry_convert.file.archive import Archive
from webquarry_convert.file.document import make_limit_error
from webquarry_convert.file.xml import Element

MAX_XML: Final = 40_000_000
"""Maximum size of a part, in bytes.

A book of a thousand pages has half this size. The parsed tree takes ten times as much memory.
"""
MAX_TAGS: Final = 2_500_000
"""Maximum number of tags in a part. Most of the memory and time is spent on tags."""
MAX_TIMES: Final = 2
MAX_AGAIN: Final = 1_000_000
"""Limits on reading parts repeatedly: a multiple of their total size, and a number of bytes.

A slide may show the same chart many times.
"""


class Parts:
    """The parts of a document by name. warnings: warnings about damaged optional parts."""

    def __init__(self, body: bytes) -> None:
        self.archive = Archive(body)
        self.warnings: list[str] = []
        self._left = MAX_AGAIN + MAX_TIMES * sum(self.archive.size(name) or 0 for name in self.archive.names)

    def parse(self, name: str) -> Element | None:
        """Return the root of a part, or None if it is missing."""
        body = self.read_marked_up(name)
        return None if body is None else xml.parse(body)

    def read_marked_up(self, name: str) -> bytes | None:
        """Return the bytes of a part with markup, or None if it is missing."""
        if (self.archive.size(name) or 0) > MAX_XML:
            raise make_limit_error(f"more than {MAX_XML // 1_000_000} MB of markup")
        body = self.archive.read(name)
        if body is None:
            return None
        if body.count(b"<") > MAX_TAGS:
            raise make_limit_error(f"more than {MAX_TAGS:,} tags")
        self._left -= len(body)
        if self._left < 0:
            raise make_limit_error("parts that are used too often")
        return body

    def parse_optional(self, name: str, title: str) -> Element | None:
        """Parse an optional part. A damaged part only causes a warning. title: the part's name in the warning."""
        try:
            return self.parse(name)
        except ConversionFailed as failed:
            if failed.reason != "corrupt":
                raise
            warning = f"The {title} of the document are damaged and omitted."
            if warning not in self.warnings:
                self.warnings.append(warning)
            return None
