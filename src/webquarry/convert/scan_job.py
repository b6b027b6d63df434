"""The part of reading a scanned page that runs in the child process. The service never imports this module."""

from collections.abc import Sequence

from webquarry.convert.scan import Line, PageRead, PageReading
from webquarry.workers.parcel import Parcel
from webquarry_convert.file import scans
from webquarry_convert.file.image.ocr import lines as ocr_lines
from webquarry_convert.file.image.ocr.rules import Rule
from webquarry_convert.file.readings import Readings


def read_page(body: bytes, page: int) -> Parcel[PageRead]:
    """Read a page of a PDF or an image with OCR. `page` counts from 1."""
    before_s = scans.measure_cpu()
    reading = scans.read_page(body, page)
    facts = PageRead(lines=len(reading.lines), cpu_s=scans.measure_cpu() - before_s)
    return Parcel(facts, (pack_reading(reading).model_dump_json().encode(),))


def pack_reading(reading: ocr_lines.Reading) -> PageReading:
    """Return an OCR result in a form that can be sent to another child process."""
    return PageReading(
        lines=[
            Line(
                box=(line.left, line.top, line.right, line.bottom),
                text=line.text,
                confidence=line.confidence,
                reach=line.reach,
                words=[(word.left, word.right, word.text) for word in line.words],
            )
            for line in reading.lines
        ],
        width=reading.width,
        height=reading.height,
        dpi=reading.dpi,
        lying=[_pack_rule(rule) for rule in reading.lying],
        standing=[_pack_rule(rule) for rule in reading.standing],
    )


def unpack_reading(packed: PageReading) -> ocr_lines.Reading:
    """Return the OCR result from `pack_reading`."""
    return ocr_lines.Reading(
        [
            ocr_lines.Line(
                *line.box,
                line.text,
                line.confidence,
                line.reach,
                tuple(ocr_lines.Word(*word) for word in line.words),
            )
            for line in packed.lines
        ],
        packed.width,
        packed.height,
        packed.dpi,
        [Rule(*box) for box in packed.lying],
        [Rule(*box) for box in packed.standing],
    )


def unpack_readings(body: bytes, scanned: Sequence[Sequence[int]]) -> tuple[bytes, Readings]:
    """Unpack the file and the OCR results from a body that `scan.pack_readings` has built."""
    end = len(body) - sum(length for _, length in scanned)
    readings, at = {}, end
    for page, length in scanned:
        readings[page] = unpack_reading(PageReading.model_validate_json(body[at : at + length]))
        at += length
    return body[:end] if scanned else body, readings


def _pack_rule(rule: Rule) -> tuple[float, float, float, float]:
    return (rule.left, rule.top, rule.right, rule.bottom)
