"""Detects pages with unreadable text, which are scans and pages whose fonts do not map glyphs to characters."""

import re
from collections.abc import Iterable
from itertools import chain

from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.pdf.source.content import Page

_FEW = 20
"""The maximum number of characters on a scan. Its text may be a stamp or a page number."""
_PICTURE = 0.04
"""The fraction of a page without text that a picture must cover for OCR to search the picture for text.

Smaller pictures are logos.
"""
_LARGE = 0.1
"""The same fraction for a page with little text. On a page with more text, a warning mentions such a picture."""
_NOTICE = 2_000
"""The maximum length of a notice, in characters. Adobe's own notice has about 500."""
_ODD = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd\U000f0000-\U0010ffff]")


def is_sparse(page: Page) -> bool:
    """Return whether a page has almost no text and may be a scan."""
    written = 0
    for span in chain(page.spans, page.sideways):
        written += len(span.text)
        if written >= _FEW:
            return False
    return True


def refuse_notice(pages: Iterable[Page]) -> None:
    """Raise `ConversionFailed` for a dynamic form whose pages contain only a notice, such as "Please wait"."""
    if sum(len(span.text) for page in pages for span in page.spans) <= _NOTICE:
        raise ConversionFailed(
            "The file is a dynamic form (XFA), which only Adobe's programs can show. Print it to PDF there and "
            "convert the printed file.",
            reason="unsupported_type",
        )


def is_covered(page: Page, share: float) -> bool:
    """Return whether a picture on a sparse page may contain the page's text.

    share: the picture's share of the page, from 0 to 1.
    """
    return share > (_LARGE if page.spans or page.sideways else _PICTURE)


def is_large(share: float) -> bool:
    """Return whether a picture on a page with text is large enough to mention in a warning."""
    return share > _LARGE


def is_garbled(page: Page) -> bool:
    """Return whether most characters on a page are private-use, unassigned or control characters."""
    text = "".join([span.text for span in page.spans])
    if text.isascii() and text.isprintable():
        return False
    return len(_ODD.findall(text)) * 2 > len(text)
