"""Results of OCR, which readers of scanned pages take."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # few files need the OCR engines
    from webquarry_convert.file.image.ocr.lines import Reading

Readings = Mapping[int, "Reading"]
"""OCR results by page, from 1."""
NONE_READ: Final[Readings] = MappingProxyType({})
