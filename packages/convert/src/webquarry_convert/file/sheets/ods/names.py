"""Names of elements and attributes that several modules use."""

from typing import Final

_OASIS: Final = "urn:oasis:names:tc:opendocument:xmlns"
TABLE: Final = f"{{{_OASIS}:table:1.0}}"
TEXT: Final = f"{{{_OASIS}:text:1.0}}"
OFFICE: Final = f"{{{_OASIS}:office:1.0}}"
STYLE: Final = f"{{{_OASIS}:style:1.0}}"
DRAW: Final = f"{{{_OASIS}:drawing:1.0}}"
CHART: Final = f"{{{_OASIS}:chart:1.0}}"

ADDRESS: Final = "{http://www.w3.org/1999/xlink}href"
COLUMNS_REPEATED: Final = f"{TABLE}number-columns-repeated"
LINE_BREAK: Final = f"{TEXT}line-break"
PARAGRAPHS: Final = frozenset({f"{TEXT}p", f"{TEXT}h"})
SPACES: Final = f"{TEXT}s"
TAB: Final = f"{TEXT}tab"


def parse_repeats(text: str | None) -> int:
    """Return a number of repetitions, or 1 if the number is invalid."""
    return max(int(text), 1) if text and text.isascii() and text.isdigit() and len(text) < 12 else 1
