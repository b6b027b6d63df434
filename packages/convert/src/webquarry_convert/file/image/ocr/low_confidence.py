"""Pages that were read without being sure, named for whoever uses the text."""

from collections.abc import Iterable, Sequence

from webquarry_convert.file.document import RecognisedPage
from webquarry_convert.file.image.ocr.illegible import ILLEGIBLE

_SURE = 0.85
"""Confidence from which at least nine of ten characters are right; handwriting and blurred photographs are below."""


def warn_of_doubts(recognised: Iterable[RecognisedPage]) -> tuple[str, ...]:
    """A sentence that names the pages of low confidence, and one those with lines that could not be read; none when
    there are none. A page on which nothing was found is no doubt."""
    warnings: list[str] = []
    pages = list(recognised)
    unsure = [page for page in pages if 0 < page.confidence < _SURE]
    if unsure:
        least = min(page.confidence for page in unsure)
        doubt = f"read with low confidence (down to {least:.2f}): words of it may be wrong."
        warnings.append(f"The text of {_name_pages(unsure)} was {doubt}")
    illegible = [page for page in pages if page.illegible]
    if illegible:
        count = sum(page.illegible for page in illegible)
        what = f"Lines of {_name_pages(illegible)} that could not be read, such as handwriting"
        warnings.append(f"{what}, stand as {ILLEGIBLE}: {count}.")
    return tuple(warnings)


def _name_pages(pages: Sequence[RecognisedPage]) -> str:
    *others, last = (str(page.page) for page in pages)
    return f"pages {', '.join(others)} and {last}" if others else f"page {last}"
