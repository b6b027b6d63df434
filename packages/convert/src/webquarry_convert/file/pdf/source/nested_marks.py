"""Rejects deeply nested marked content, because pdfium copies all enclosing marks whenever a mark opens.

`/P <</MCID 1>> BDC` and `/Artifact BMC` open marked content, and `EMC` closes the most recently opened content.
"""

import re
from collections.abc import Iterable

from webquarry_convert.file.document import make_limit_error
from webquarry_convert.file.limits import MAX_DEPTH
from webquarry_convert.file.pdf.source.streams import Stream

_OPENING = (b"BDC", b"BMC")
_OPENED = re.compile(b"B[DM]C")
_MARK = re.compile(rb"(?<![A-Za-z])(?:BDC|BMC|EMC)(?![A-Za-z])")


def check_marks(streams: Iterable[Stream]) -> None:
    """Raise `make_limit_error` if a stream nests marked content more than `MAX_DEPTH` deep."""
    for stream in streams:
        content = stream.content
        if content and len(_OPENED.findall(content)) > MAX_DEPTH and _measure_depth(content) > MAX_DEPTH:
            raise make_limit_error(f"marked content more than {MAX_DEPTH} deep")


def _measure_depth(content: bytes) -> int:
    deepest = depth = 0
    for mark in _MARK.findall(content):
        depth = depth + 1 if mark in _OPENING else max(0, depth - 1)
        deepest = max(deepest, depth)
    return deepest
