"""Builds small EPUB books."""

from convert_support.packed import packed

_XHTML = "application/xhtml+xml"


def epub(
    *chapters: str, contents: str = "", more: dict[str, str | bytes] | None = None, order: tuple[int, ...] | None = None
) -> bytes:
    """Build a book.

    chapters: the contents of `body` in the parts `text/1.xhtml` and so on. contents: the table of contents' entries.
    more: further parts. order: the chapters' numbers in reading order.
    """
    numbers = range(1, len(chapters) + 1)
    items = "".join(f'<item id="c{at}" href="text/{at}.xhtml" media-type="{_XHTML}"/>' for at in numbers)
    spine = "".join(f'<itemref idref="c{at}"/>' for at in order or numbers)
    return packed(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            '<rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
            "OPS/book.opf": '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">'
            "<metadata><dc:title>A book</dc:title><dc:creator>Ada</dc:creator><dc:language>en</dc:language></metadata>"
            f'<manifest>{items}<item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest>'
            f"<spine>{spine}</spine></package>",
            "OPS/toc.ncx": '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>' + contents + "</navMap></ncx>",
            **{
                f"OPS/text/{at}.xhtml": '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html>'
                '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title/>'
                f'<script src="a.js"/></head><body>{chapter}</body></html>'
                for at, chapter in enumerate(chapters, 1)
            },
            **(more or {}),
        }
    )
