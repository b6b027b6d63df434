"""Large documents on a busy machine: limits count processor time, so the documents are converted completely, but
later.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from convert_support.portable import Sheet, portable
from convert_support.prints import PROSE, draw_lines
from convert_support.sheets import xlsx

LOOPS = 8
NICE = "5"
"""Nice value of both the loops and the conversion."""
ROWS, PAGES, LINES = 200_000, 500, 40
CONVERT = """
import sys
from webquarry.convert.file import to_markdown
sys.stdout.write(to_markdown(sys.argv[1]))
"""

pytestmark = pytest.mark.long


def make_scan() -> bytes:
    """Return a PDF of three scanned pages, A4 at 200 dpi, each with a line that identifies it."""
    pictures = []
    for number in ("first", "second", "third"):
        picture = Image.new("L", (1654, 2339), 255)
        draw_lines(picture, [f"This is the {number} page of the letter.", *PROSE * 5], (150, 200))
        pictures.append(picture)
    body = BytesIO()
    pictures[0].save(body, "PDF", resolution=200, save_all=True, append_images=pictures[1:])
    return body.getvalue()


def make_workbook() -> bytes:
    """Return a workbook of 200,000 rows of four cells."""
    cells = ((at, "".join(f'<c r="{column}{at}"><v>{at}</v></c>' for column in "ABCD")) for at in range(1, ROWS + 1))
    return xlsx("".join(f'<row r="{at}">{row}</row>' for at, row in cells))


def make_report() -> bytes:
    """Return a PDF of 500 pages, each of 40 lines."""
    sheets = []
    for page in range(1, PAGES + 1):
        sheet = Sheet()
        for line in range(LINES):
            sheet.text(72, 72 + 16 * line, f"Line {line} of page {page}: {PROSE[line % len(PROSE)]}")
        sheets.append(sheet)
    return portable(*sheets)


def is_whole_scan(markdown: str) -> bool:
    return all(f"This is the {number} page of the letter." in markdown for number in ("first", "second", "third"))


def is_whole_workbook(markdown: str) -> bool:
    return all(f"| {at} | {at} | {at} | {at} |" in markdown for at in range(1, ROWS + 1, 1987))


def is_whole_report(markdown: str) -> bool:
    return all(f"Line {LINES - 1} of page {page}:" in markdown for page in range(1, PAGES + 1))


@pytest.fixture
def _busy_loops() -> Iterator[None]:
    command = ["nice", "-n", NICE, sys.executable, "-c", "while True: pass"]
    loops = [subprocess.Popen(command) for _ in range(LOOPS)]
    yield
    for loop in loops:
        loop.kill()
        loop.wait()


@pytest.mark.usefixtures("_busy_loops")
@pytest.mark.parametrize(
    ("make", "is_whole"),
    [
        pytest.param(make_scan, is_whole_scan, id="a scan of 3 pages"),
        pytest.param(make_workbook, is_whole_workbook, id="a workbook of 200,000 rows"),
        pytest.param(make_report, is_whole_report, id="a PDF of 500 pages"),
    ],
)
def test_a_large_document_is_complete_while_eight_busy_loops_run(
    tmp_path: Path, make: Callable[[], bytes], is_whole: Callable[[str], bool]
) -> None:
    path = tmp_path / "document"
    path.write_bytes(make())
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    ran = subprocess.run(
        ["nice", "-n", NICE, sys.executable, "-c", CONVERT, str(path)],
        env=environment,
        capture_output=True,
        timeout=180,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr.decode()[-2000:]
    assert is_whole(ran.stdout.decode())
