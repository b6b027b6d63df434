"""Pages that were read without being sure, named for whoever uses the text."""

from collections.abc import Iterable

from webquarry_convert.file.document import RecognisedPage

_SURE = 0.85
"""Confidence from which at least nine of ten characters are right; handwriting and blurred photographs are below."""


def warn_of_doubts(recognised: Iterable[RecognisedPage]) -> tuple[str, ...]:
    """One sentence that names the pages of low confidence; none when there are none. A page on which nothing was found
    is no doubt."""
    unsure = [page for page in recognised if 0 < page.confidence < _SURE]
    if not unsure:
        return ()
    least = min(page.confidence for page in unsure)
    *others, last = (str(page.page) for page in unsure)
    pages = f"pages {', '.join(others)} and {last}" if others else f"page {last}"
    return (f"The text of {pages} was read with low confidence (down to {least:.2f}): words of it may be wrong.",)
