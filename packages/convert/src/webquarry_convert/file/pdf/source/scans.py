"""Pages with unreadable text: scans, and pages whose fonts do not say which characters they draw."""

import re
from collections.abc import Iterable
from itertools import chain

from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.pdf.source.content import Page

_FEW = 20
"""The maximum number of characters on a scan, which may have a stamp or a page number as text."""
_PICTURE = 0.04
"""The fraction of a page without text that a picture must cover to be searched for text. Smaller ones are logos."""
_LARGE = 0.1
"""The same for a page with some text. On a page with more text, a warning mentions such a picture."""
_NOTICE = 2_000
"""The maximum number of characters of a notice. Adobe's own has about 500."""
_ODD = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd\U000f0000-\U0010ffff]")


def is_sparse(page: Page) -> bool:
    """Return whether a page may be a scan: it has almost no text."""
    written = 0
    for span in chain(page.spans, page.sideways):
        written += len(span.text)
        if written >= _FEW:
            return False
    return True


def refuse_notice(pages: Iterable[Page]) -> None:
    """Refuse a dynamic form whose pages contain only a notice, such as "Please wait". Raises ConversionFailed."""
    if sum(len(span.text) for page in pages for span in page.spans) <= _NOTICE:
        raise ConversionFailed(
            "The file is a dynamic form (XFA), which only Adobe's programs can show. Print it to PDF there and "
            "convert the printed file.",
            reason="unsupported_type",
        )


def is_covered(page: Page, share: float) -> bool:
    """Return whether a picture on a sparse page may contain its text. share: of the page, from 0 to 1."""
    return share > (_LARGE if page.spans or page.sideways else _PICTURE)


def is_large(share: float) -> bool:
    """Return whether a picture on a page with text is large enough to be missed."""
    return share > _LARGE


def is_garbled(page: Page) -> bool:
    """Return whether most of its text is private, unassigned or control characters."""
    text = "".join([span.text for span in page.spans])
    if text.isascii() and text.isprintable():
        return False
    return len(_ODD.findall(text)) * 2 > len(text)
