"""OCR with RapidOCR, which finds lines in a reduced picture and reads each line with a small neural network.

Its wheel includes the weights. RapidOCR is slower than Tesseract, but better with photographs, receipts, colored
backgrounds, Chinese and Japanese. It does not support Korean, Arabic or Thai.
"""

import logging
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

from PIL import Image

from webquarry_convert.file.image.ocr.lines import Line, find_reach

_THREADS = 2
_LENGTHIEST = 60
"""Maximum ratio of the longer side to the shorter.

The network scales a line to a height of 48 pixels and fails if the width becomes 0.
"""
_LEAST = 5_000
"""Minimum number of pixels. Smaller pictures have room for only a few words, which don't justify 300 MB of memory."""
_SOUGHT = (700_000, 175_000)
"""Size, in pixels, of the picture in which lines are searched, and of a second, smaller picture that is used if the
first yields no text. The first size is sufficient for an A4 page in 9-point print. In larger pictures, lines break into
words and the search takes three times as long. At the second size, blurred print looks sharp.
"""
_THINNEST = 3  # minimum length of a line's shorter side, in pixels
_NARROWEST = 96
"""Width, in pixels at a height of 48, to which shorter lines are padded before they are read.

It is the width of two digits.

With the default of 320, receipts would be mostly padding, because every other line is a price.
"""
_AROUND = 0.2  # blank margin around a line's ink, in line heights
_SURE = 0.5  # minimum confidence of text


@cache
def is_there() -> bool:
    return find_spec("rapidocr") is not None and find_spec("onnxruntime") is not None


def read(picture: Image.Image, most: int | None = None) -> list[Line]:
    """Read the lines of a picture, in no particular order.

    picture: an upright picture in mode "L". most: number of lines to read, longest first, if a sample suffices.
    """
    if max(picture.size) > _LENGTHIEST * min(picture.size) or picture.width * picture.height < _LEAST:
        return []
    return next(filter(None, (_read(picture, pixels, most) for pixels in _SOUGHT)), [])


def read_places(picture: Image.Image, places: Sequence[tuple[int, int, int, int]]) -> list[Line]:
    """Read each area as one line, regardless of confidence.

    places: the left, top, right and bottom of each area's ink, in pixels.
    """
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
    # The engine pads the picture to a quarter of its width before it searches for lines.
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
    """Return the engine. Each process has only one, because the engine holds the models."""
    from rapidocr import RapidOCR

    logging.getLogger("RapidOCR").setLevel(logging.ERROR)
    return RapidOCR(
        params={
            "Global.log_level": "error",
            "Global.use_cls": False,
            "Global.use_preprocess_img": False,
            "Det.limit_type": "max",
            "Det.limit_side_len": _SOUGHT[0],  # larger than any side, because the picture is already scaled
            "Rec.rec_batch_num": 2,  # all lines in a batch are padded to the longest one
            "Rec.rec_img_shape": [3, 48, _NARROWEST],
            "EngineConfig.onnxruntime.intra_op_num_threads": _THREADS,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )
