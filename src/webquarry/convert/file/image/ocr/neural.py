"""RapidOCR: finds lines and reads each by a small network, whose weights come inside its wheel.

Slower than tesseract, and better with photographs, receipts, coloured grounds, Chinese and Japanese. It knows no
Korean, Arabic or Thai.
"""

import logging
from functools import cache
from importlib.util import find_spec
from typing import Any

from PIL import Image

from webquarry.convert.file.image.ocr.lines import Line

_THREADS = 2
_LENGTHIEST = 60  # times as long as wide: it makes the longer side 2,000 pixels, and fails when none is left
_LEAST = 5_000
"""Pixels: fewer are less than a few words take, and not worth 300 MB of network."""


@cache
def is_there() -> bool:
    return find_spec("rapidocr") is not None and find_spec("onnxruntime") is not None


def read(picture: Image.Image) -> list[Line]:
    """picture: mode "L", upright. Lines in no order."""
    if max(picture.size) > _LENGTHIEST * min(picture.size) or picture.width * picture.height < _LEAST:
        return []
    import numpy

    found = _engine()(numpy.asarray(picture.convert("RGB")))
    if found.boxes is None:
        return []
    return [
        Line(*_around(box), text, float(score))
        for box, text, score in zip(found.boxes.tolist(), found.txts, found.scores, strict=True)
        if text.strip()
    ]


def _around(corners: list[list[float]]) -> tuple[float, float, float, float]:
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
            "Rec.rec_batch_num": 2,  # all of a batch are padded to the longest
            "EngineConfig.onnxruntime.intra_op_num_threads": _THREADS,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )
