"""Words of PDFs that the conversion loses.

The text that pdfium reads within the pages is compared with the converter's markdown and warnings. The documents need
no labels, so any folder works. A word counts as lost if the markdown contains it less often than the pages and no
warning counts its letters; a word that is part of another word in the markdown, or divided, is not lost. Text that
repeats at the edges of pages is counted by a warning. A file counts as refused if pdfium reads words in it but the
converter raises an error other than a limit.

    python -m bench.lost_words FOLDER      # goal: under 0.5 % of the words, no file refused
"""

import argparse
import html
import multiprocessing
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pypdfium2  # type: ignore[import-untyped]  # it has no types

from bench.table import show
from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.pdf import read

KIT = Path(__file__).parents[2] / "shared" / "evals" / "files"
MOST_LOST = 0.005
WITHIN_S = 60.0
WORST = 10
_WORD = re.compile(r"[^\W_]+")
_TARGET = re.compile(r"\]\([^)]*\)")
_COUNTED = re.compile(r"([0-9][0-9,]*) characters?\b")
_ACCENTS = re.compile("[\u00a8\u00af\u00b4\u00b8\u02c6-\u02dd`]")


@dataclass(frozen=True, slots=True)
class Found:
    """The result for a file.

    words: number of words read by pdfium. lost: number of words without a warning. error: why the file was refused.
    """

    name: str
    words: int = 0
    lost: int = 0
    told: int = 0
    error: str = ""
    is_limit: bool = False
    sample: str = ""


def measure(path: Path) -> Found:
    """Compare a file's markdown with the text that pdfium reads in the file."""
    body = path.read_bytes()
    document, error = None, ""
    try:
        document = read(body)
    except ConversionFailed as failed:
        if failed.reason in ("limits", "encrypted"):  # pdfium could take unlimited time
            return Found(path.name, error=str(failed), is_limit=True)
        error = str(failed)
    drawn = Counter(_WORD.findall(_plain(" ".join(_read_pages(body)))))
    if document is None:
        return Found(path.name, drawn.total(), error=error)
    if document.unread:
        return Found(path.name, drawn.total(), told=drawn.total())
    written = _plain(_TARGET.sub("]", html.unescape(document.markdown)).replace("\\", "").replace("*", ""))
    lost = drawn - Counter(_WORD.findall(written))
    joined = "".join(_WORD.findall(written))
    told = sum(int(number.replace(",", "")) for text in document.warnings for number in _COUNTED.findall(text))
    silent: list[str] = []
    count = 0
    for word in sorted(lost, key=len):
        missing = max(lost[word] - max(joined.count(word) - drawn[word] + lost[word], 0), 0)
        within_told = min(missing, told // len(word))
        told -= within_told * len(word)
        count += within_told
        silent += [word] * (missing - within_told)
    return Found(path.name, drawn.total(), len(silent), count, sample=" ".join(silent[:6]))


def _read_pages(body: bytes) -> Iterator[str]:
    """Yield the text that pdfium reads within each page. Yields nothing for a file that pdfium cannot open."""
    try:
        file = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError:
        return
    for number in range(len(file)):
        try:
            page = file[number]
            text = page.get_textpage().get_text_bounded(*page.get_bbox())
        except pypdfium2.PdfiumError:
            continue
        yield re.sub("-?[\x02\ufffe]\\s*", "", text)
        page.close()


def _plain(text: str) -> str:
    """Return a text without accents, case and variants of letters."""
    text = unicodedata.normalize("NFKD", _ACCENTS.sub("", text))
    return "".join([sign for sign in text if not unicodedata.combining(sign)]).lower()


def _measure_apart(path: Path) -> Found:
    """Measure a file in a process that is killed after a time limit."""
    context = multiprocessing.get_context("fork")
    with context.Pool(1) as pool:
        try:
            return pool.apply_async(measure, (path,)).get(WITHIN_S)
        except multiprocessing.TimeoutError:
            return Found(path.name, error=f"not done within {WITHIN_S:.0f} s", is_limit=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=KIT)
    folder = parser.parse_args().folder
    paths = sorted(folder.rglob("*.pdf"))
    if not paths:
        print(f"No PDF is in {folder}.")
        return 0
    found = [_measure_apart(path) for path in paths]
    read_files = [one for one in found if not one.error]
    words = sum(one.words for one in read_files)
    lost = sum(one.lost for one in read_files)
    told = sum(one.told for one in read_files)
    refused = [one for one in found if one.error and one.words and not one.is_limit]
    share = lost / words if words else 0.0
    rows = [[str(len(found)), f"{words:,}", f"{lost:,} ({share:.2%})", f"{told:,}", str(len(refused))]]
    show(f"Words of PDFs in {folder}", ["files", "words", "lost", "told by warnings", "refused"], rows)
    for one in sorted(read_files, key=lambda one: one.lost, reverse=True)[:WORST]:
        if one.lost:
            print(f"{one.name}: {one.lost} of {one.words} lost, such as {one.sample}")
    for one in refused:
        print(f"{one.name}: {one.error}")
    return int(share >= MOST_LOST or bool(refused))


if __name__ == "__main__":
    sys.exit(main())
