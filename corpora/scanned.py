"""Scans of printed papers.

Pages of `corpora.printed` become gray, noisy pictures, slightly rotated and partly out of focus.


    python -m corpora.printed /tmp/webquarry-printed --seeds 2
    python -m corpora.scanned /tmp/webquarry-printed /tmp/webquarry-scanned
    python -m bench.files pdf --data /tmp/webquarry-scanned/held_back

The first two papers of each kind with at most two pages are used. The first paper is for choosing thresholds ("a"), and
the second is for reports ("b").
"""

import argparse
import json
import shutil
from collections import Counter
from io import BytesIO
from pathlib import Path
from random import Random

import numpy
import pypdfium2  # type: ignore[import-untyped]
from PIL import Image, ImageFilter

EACH, MOST_PAGES = 2, 2
DPIS = (150, 200, 200, 300)
SLANT = 0.8
"""Maximum angle, in degrees, by which a page is rotated."""
BLURRED, BLUR = 0.4, 0.6
"""Share of the papers that are out of focus, and the blur radius in pixels."""
PAPER, GRAINS, QUALITIES = 0.92, (2, 5, 8), (55, 70, 85)
"""Brightness of the paper, deviations of the noise, and JPEG qualities of the pictures."""


def scan_papers(printed: Path, folder: Path) -> None:
    """Write scans, their truths, and two manifests: of all scans, and of the half that is reported."""
    for name in ("docs", "expected"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    rows = []
    taken: Counter[str] = Counter()
    for line in (printed / "manifest.jsonl").read_text().splitlines():
        paper = json.loads(line)
        kind = paper["suite"]
        if (
            taken[kind] == EACH
            or (pages := _scan_pages(printed / paper["path"], Random(f"{kind} {taken[kind]}"))) is None
        ):
            continue
        half = "ab"[taken[kind]]
        taken[kind] += 1
        name = f"scanned-{kind}-{half}.pdf"
        pages[0].save(
            folder / "docs" / name, "PDF", save_all=True, append_images=pages[1:], resolution=pages[0].info["dpi"][0]
        )
        shutil.copy(printed / paper["expected"], folder / "expected" / f"{name}.json")
        rows.append({**paper, "id": name, "path": f"docs/{name}", "expected": f"expected/{name}.json", "half": half})
    _write_manifest(folder, rows)
    held_back = folder / "held_back"
    held_back.mkdir(exist_ok=True)
    for name in ("docs", "expected"):
        (held_back / name).unlink(missing_ok=True)
        (held_back / name).symlink_to(folder.absolute() / name)
    _write_manifest(held_back, [row for row in rows if row["half"] == "b"])


def _scan_pages(path: Path, lot: Random) -> list[Image.Image] | None:
    """Return a paper's scanned pages, or None if the paper has too many pages."""
    with pypdfium2.PdfDocument(path) as document:
        if len(document) > MOST_PAGES:
            return None
        dpi, slant = lot.choice(DPIS), lot.uniform(-SLANT, SLANT)
        blur = BLUR if lot.random() < BLURRED else 0.0
        grain, quality = lot.choice(GRAINS), lot.choice(QUALITIES)
        noise = numpy.random.default_rng(lot.getrandbits(32))
        return [
            _scan(page.render(scale=dpi / 72).to_pil(), dpi, slant, blur, grain, quality, noise) for page in document
        ]


def _scan(
    page: Image.Image, dpi: int, slant: float, blur: float, grain: int, quality: int, noise: numpy.random.Generator
) -> Image.Image:
    turned = (
        page.convert("L").rotate(slant, Image.Resampling.BICUBIC, fillcolor=255).filter(ImageFilter.GaussianBlur(blur))
    )
    pixels = numpy.asarray(turned) * PAPER + noise.normal(0, grain, (turned.height, turned.width))
    body = BytesIO()
    Image.fromarray(pixels.clip(0, 255).astype(numpy.uint8)).save(body, "JPEG", quality=quality, dpi=(dpi, dpi))
    return Image.open(body)


def _write_manifest(folder: Path, rows: list[dict[str, object]]) -> None:
    (folder / "manifest.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m corpora.scanned", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("printed", type=Path)
    parser.add_argument("folder", type=Path)
    asked = parser.parse_args()
    scan_papers(asked.printed, asked.folder)
