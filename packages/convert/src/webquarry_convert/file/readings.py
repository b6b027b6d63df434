"""The type of the OCR results that readers of scanned pages accept."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # avoids loading the OCR engines, which few files need
    from webquarry_convert.file.image.ocr.lines import Reading

Readings = Mapping[int, "Reading"]
"""OCR results by page number, from 1."""
NONE_READ: Final[Readings] = MappingProxyType({})
