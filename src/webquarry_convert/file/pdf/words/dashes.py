"""Dashes that stand alone, as cells without a value have them: liteparse gives "\u2013" and "\u2014" as "-"."""

from collections.abc import Iterable

from webquarry_convert.file.pdf.source.content import Page
from webquarry_convert.file.pdf.source.pdfium import Characters, File

_DASHES = frozenset("\u2013\u2014")
_MOST = 500
"""Of a page: each is looked up among all of its characters."""


def restore_dashes(pages: Iterable[Page], file: File) -> None:
    for page in pages:
        found = [span for span in page.spans if span.text == "-"][:_MOST]
        characters = file.characters(page.number) if found else None
        if characters is None or not characters.is_upright or not _has_dashes(characters):
            continue
        for span in found:
            drawn = characters.read_at((span.x0 + span.x1) / 2, (span.y0 + span.y1) / 2)
            if drawn in _DASHES:
                span.text, span.parts = drawn, [span]


def _has_dashes(characters: Characters) -> bool:
    return any(characters.find(dash) is not None for dash in _DASHES)
