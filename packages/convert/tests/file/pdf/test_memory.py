"""A file with many pages needs memory for only a few of them at a time.

The output of liteparse and pdfium is discarded per page.
"""

import subprocess
import sys
from pathlib import Path

from convert_support.portable import Sheet, portable

WORDS = "The river rises in the hills and runs through broad meadows until it meets the"
MEASURED = """
import sys
from pathlib import Path
from webquarry_convert.file.pdf import read

document = read(Path(sys.argv[1]).read_bytes())
assert document.markdown.count("river") == 45 * document.pages
status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
print(int(status["VmHWM"].split()[0]) / 1024)
"""
MOST_MB = 0.15
"""Maximum memory per page, in MB.

The spans of 45 lines take more than half of it, and liteparse's output for these lines would add twice as much.
"""


def measure_peak(folder: Path, pages: int) -> float:
    """Return the peak memory of a process that reads a file with this number of pages, in megabytes."""
    sheets = [Sheet().lines(72, 60, [f"{page} {line} {WORDS}" for line in range(45)]) for page in range(pages)]
    path = folder / f"{pages}.pdf"
    path.write_bytes(portable(*sheets))
    done = subprocess.run([sys.executable, "-c", MEASURED, path], capture_output=True, text=True, check=True)
    return float(done.stdout)


def test_each_additional_page_takes_little_memory(tmp_path: Path) -> None:
    few, many = measure_peak(tmp_path, 100), measure_peak(tmp_path, 300)
    assert many - few < 200 * MOST_MB
