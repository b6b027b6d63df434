"""Warnings about pages that were read with low confidence."""

from collections.abc import Iterable, Sequence

from webquarry_convert.file.document import RecognisedPage
from webquarry_convert.file.image.ocr.illegible import ILLEGIBLE

_SURE = 0.85
"""Minimum confidence of a page on which at least nine of ten characters are right.

Handwriting and blurred photographs have a lower confidence.
"""


def warn_of_doubts(recognised: Iterable[RecognisedPage]) -> tuple[str, ...]:
    """Return warnings about pages with low confidence and about pages with illegible lines.

    Each warning is a sentence that names the pages. Pages without text don't count.
    """
    warnings: list[str] = []
    pages = list(recognised)
    unsure = [page for page in pages if 0 < page.confidence < _SURE]
    if unsure:
        least = min(page.confidence for page in unsure)
        doubt = f"recognized with low confidence (down to {least:.2f}), so words may be wrong."
        warnings.append(f"The text on {_name_pages(unsure)} was {doubt}")
    illegible = [page for page in pages if page.illegible]
    if illegible:
        count = sum(page.illegible for page in illegible)
        what = f"Unreadable lines on {_name_pages(illegible)}, such as handwriting"
        warnings.append(f"{what}, are shown as {ILLEGIBLE}: {count}.")
    return tuple(warnings)


def _name_pages(pages: Sequence[RecognisedPage]) -> str:
    *others, last = (str(page.page) for page in pages)
    return f"pages {', '.join(others)} and {last}" if others else f"page {last}"
