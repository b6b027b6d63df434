"""RapidOCR: finds lines in a picture made smaller, and reads each by a small network, whose weights come inside its
wheel.

Slower than tesseract, and better with photographs, receipts, coloured grounds, Chinese and Japanese. It knows no
Korean, Arabic or Thai.
"""

import logging
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

from PIL import Image

from webquarry_convert.file.image.ocr.lines import Line, find_reach

_THREADS = 2
_LENGTHIEST = 60  # times as long as wide; its network shrinks a line to a height of 48 pixels and fails at none
_LEAST = 5_000
"""Pixels: fewer are less than a few words take, and not worth 300 MB of network."""
_SOUGHT = (700_000, 175_000)
"""Pixels of the picture in which lines are looked for, and of a second one when nothing can be read. The first shows
all lines of an A4 page of 9 points; in larger ones, lines fall into words, and it takes three times as long. In the
second, print that is out of focus looks sharp."""
_THINNEST = 3  # pixels of a side of a line
_NARROWEST = 96
"""Pixels of width, of 48 of height, to which shorter lines are padded before they are read: two digits. Its own 320 are
mostly emptiness on receipts, where every other line is a price."""
_AROUND = 0.2  # of a height, of paper around ink that is read as a line
_SURE = 0.5  # what it is less sure of is no text


@cache
def is_there() -> bool:
    return find_spec("rapidocr") is not None and find_spec("onnxruntime") is not None


def read(picture: Image.Image, most: int | None = None) -> list[Line]:
    """picture: mode "L", upright. most: lines, the longest ones, where a sample is enough. Lines in no order."""
    if max(picture.size) > _LENGTHIEST * min(picture.size) or picture.width * picture.height < _LEAST:
        return []
    return next(filter(None, (_read(picture, pixels, most) for pixels in _SOUGHT)), [])


def read_places(picture: Image.Image, places: Sequence[tuple[int, int, int, int]]) -> list[Line]:
    """What each place holds, taken as one line, however sure; places: left, top, right and bottom of its ink."""
    import numpy

    pixels = numpy.asarray(picture.convert("RGB"))
    parts = [_crop_around(pixels, place) for place in places]
    read = _engine().recognize_txt(parts)
    return [
        Line(*place, text.strip(), float(score), find_reach(text, place[1], place[3]))
        for place, text, score in zip(places, read.txts, read.scores, strict=True)
    ]


def _crop_around(pixels: Any, place: tuple[int, int, int, int]) -> Any:
    left, top, right, bottom = place
    margin = round(_AROUND * (bottom - top))
    return pixels[max(0, top - margin) : bottom + margin, max(0, left - margin) : right + margin]


def _read(picture: Image.Image, sought: int, most: int | None) -> list[Line]:
    import numpy

    engine = _engine()
    # it is padded to a quarter of its width before lines are looked for
    scale = min(1.0, (sought / (picture.width * max(picture.height, picture.width / 4))) ** 0.5)
    small = picture.resize((max(1, round(picture.width * scale)), max(1, round(picture.height * scale))))
    found = engine(numpy.asarray(small.convert("RGB")), use_rec=False).boxes
    boxes = [] if found is None else [box for box in found / numpy.float32(scale) if _has_room(box.tolist())]
    if most is not None:
        boxes = sorted(boxes, key=lambda box: _measure_length(box.tolist()))[-most:]
    if not boxes:
        return []
    recognized = engine.recognize_txt(engine.crop_text_regions(numpy.asarray(picture.convert("RGB")), boxes))
    return [
        Line(*_find_bounds(box.tolist()), text, float(score))
        for box, text, score in zip(boxes, recognized.txts, recognized.scores, strict=True)
        if score >= _SURE and text.strip()
    ]


def _has_room(corners: list[list[float]]) -> bool:
    left, top, right, bottom = _find_bounds(corners)
    return min(right - left, bottom - top) >= _THINNEST


def _measure_length(corners: list[list[float]]) -> float:
    left, top, right, bottom = _find_bounds(corners)
    return max(right - left, bottom - top)


def _find_bounds(corners: list[list[float]]) -> tuple[float, float, float, float]:
    across, down = [x for x, _ in corners], [y for _, y in corners]
    return min(across), min(down), max(across), max(down)


@cache
def _engine() -> Any:
    """One a process: it holds the models."""
    from rapidocr import RapidOCR

    logging.getLogger("RapidOCR").setLevel(logging.ERROR)
    return RapidOCR(
        params={
            "Global.log_level": "error",
            "Global.use_cls": False,
            "Global.use_preprocess_img": False,
            "Det.limit_type": "max",
            "Det.limit_side_len": _SOUGHT[0],  # more than any side: the picture has its size already
            "Rec.rec_batch_num": 2,  # all of a batch are padded to the longest
            "Rec.rec_img_shape": [3, 48, _NARROWEST],
            "EngineConfig.onnxruntime.intra_op_num_threads": _THREADS,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )
