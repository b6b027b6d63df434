"""Embedded pages (`altChunk`) in HTML, or in MHTML as saved by browsers.

Programs that create reports in HTML write documents with such pages.
"""

from typing import Final

from webquarry_convert.file.document import make_limit_error
from webquarry_convert.file.hypertext import HypertextPage
from webquarry_convert.file.mail.parts import Part, PartReader
from webquarry_convert.text.charset import decode

MAX_TAGS: Final = 400_000
"""Maximum number of tags in a page. Most of the time and memory is spent on tags."""
_HTML: Final = frozenset({"text/html", "application/xhtml+xml"})


def read_chunk(body: bytes) -> HypertextPage | None:
    """Parse an embedded page, or return None for other content, such as another document, RTF or plain text."""
    if body.count(b"<") > MAX_TAGS:
        raise make_limit_error(f"more than {MAX_TAGS:,} tags in an embedded page")
    if body.lstrip(b"\xef\xbb\xbf\r\n\t ")[:1] == b"<":
        return HypertextPage(decode(body, "text/html").text)
    reader = PartReader()
    page = _find_page(reader, reader.read(body))
    return None if page is None else HypertextPage(page.read_text())


def _find_page(reader: PartReader, part: Part) -> Part | None:
    """Return the first part that contains HTML."""
    if part.media in _HTML:
        return part
    return next((found for inner in reader.read_children(part) if (found := _find_page(reader, inner))), None)
