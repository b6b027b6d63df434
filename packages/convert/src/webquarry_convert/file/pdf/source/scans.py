"""Pages whose text cannot be read from the file: scans, and fonts that do not tell which characters they draw."""

import re
from collections.abc import Iterable
from itertools import chain

from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.pdf.source.content import Page

_FEW = 20
"""Characters; a scan may carry a stamp or a page number as text."""
_PICTURE = 0.04
"""Share of a page without text that a picture must cover to be looked at for text: smaller ones are logos."""
_LARGE = 0.1
"""The same for a page with some text. Where there is more, such a picture is named in a warning."""
_NOTICE = 2_000
"""Characters; Adobe's own notice has some 500."""
_ODD = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd\U000f0000-\U0010ffff]")


def is_sparse(page: Page) -> bool:
    """Whether it may be a scan: there is next to no text."""
    written = 0
    for span in chain(page.spans, page.sideways):
        written += len(span.text)
        if written >= _FEW:
            return False
    return True


def refuse_notice(pages: Iterable[Page]) -> None:
    """Refuse a dynamic form whose pages hold only a notice, such as "Please wait". Raises ConversionFailed."""
    if sum(len(span.text) for page in pages for span in page.spans) <= _NOTICE:
        raise ConversionFailed(
            "The file is a dynamic form (XFA), which only Adobe's programs can show: print it to PDF there, and "
            "convert the printed file.",
            reason="unsupported_type",
        )


def is_covered(page: Page, share: float) -> bool:
    """Return whether a picture on a sparse page may hold its text. share: of the page, from 0 to 1."""
    return share > (_LARGE if page.spans or page.sideways else _PICTURE)


def is_large(share: float) -> bool:
    """Return whether a picture on a page with text is large enough to be missed."""
    return share > _LARGE


def is_garbled(page: Page) -> bool:
    """Whether most of its text is private, unassigned or control characters."""
    text = "".join([span.text for span in page.spans])
    if text.isascii() and text.isprintable():
        return False
    return len(_ODD.findall(text)) * 2 > len(text)
