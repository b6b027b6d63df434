"""No text is lost silently.

All text on a page is in the markdown, or is counted in a warning that states the reason.
"""

import html
import json
import re
from collections import Counter
from unicodedata import normalize

import pytest

from convert_support.kit import KIT
from convert_support.portable import Sheet, portable
from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.pdf import read
from webquarry_convert.file.pdf.source import content
from webquarry_convert.file.pdf.source.pdfium import File

FILES = KIT / "evals/files"
PROSE = [
    "The river rises in the hills and runs through broad meadows",
    "until it meets the sea, where in spring many birds nest and",
    "in autumn the fog stands for days over the marshes.",
]
COUNTED = re.compile(r"([0-9][0-9,]*) characters?\b")
TARGET = re.compile(r"\]\([^)]*\)")


def count_letters(text: str) -> Counter[str]:
    """Count letters without accents, which a page may draw as separate glyphs."""
    return Counter(sign for sign in normalize("NFKD", text) if sign.isalnum())


def count_silent_losses(body: bytes) -> int:
    """Return the number of letters and digits on the pages that are neither in the markdown nor counted in warnings."""
    with File(body) as file:
        facts = file.facts()
        batches = content.read_batches(
            body, file.find_slants, facts.pages, is_tagged=facts.is_tagged, is_form=facts.is_form
        )
        pages = [page for batch in batches for page in batch]
    shown = count_letters(" ".join(span.text for page in pages for span in (*page.spans, *page.sideways)))
    document = read(body)
    if document.unread:
        return 0  # a warning names these pages, because they have no text
    lost = shown - count_letters(TARGET.sub("]", html.unescape(document.markdown)))
    found = sum(int(number.replace(",", "")) for text in document.warnings for number in COUNTED.findall(text))
    return max(sum(lost.values()) - found, 0)


def test_removed_repetitions_are_counted() -> None:
    sheets = []
    for page in (1, 2, 3):
        sheet = Sheet().text(72, 40, "Meadow Mills Ltd").text(300, 770, f"Page {page}").lines(72, 200, PROSE)
        sheets.append(sheet)
    body = portable(*sheets)
    assert count_silent_losses(body) == 0
    assert len(read(body).warnings) == 1
    assert "43 characters" in read(body).warnings[0]


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_invisible_text_is_counted(turn: int) -> None:
    body = portable(Sheet().lines(72, 200, PROSE).text(72, 700, "Hidden below"))
    cropped = body.replace(b"/MediaBox", b"/CropBox[0 200 612 792]/Rotate %d/MediaBox" % turn)
    assert any(
        "Text outside the visible area of the pages is omitted: 11 characters" in text
        for text in read(cropped).warnings
    )


@pytest.mark.long
@pytest.mark.skipif(not FILES.is_dir(), reason="the evaluation kit is not there")
@pytest.mark.parametrize("part", ["dev", "more"])
def test_evaluation_files_lose_no_text_silently(part: str) -> None:
    losses = {}
    for line in (FILES / part / "manifest.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        if entry["format"] == "pdf":
            try:
                losses[entry["id"]] = count_silent_losses((FILES / part / entry["path"]).read_bytes())
            except ConversionFailed:
                continue
    assert {name: count for name, count in losses.items() if count} == {}
    assert len(losses) > 100
