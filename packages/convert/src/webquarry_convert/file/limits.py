"""How much of a file is read. What is beyond is refused (`document.beyond`), before it takes memory or time."""

MAX_FILE = 10_485_760
"""Bytes of an upload."""
MAX_PARTS = 5_000
"""Entries of an archive."""
MAX_INFLATED = 300_000_000
"""Bytes of all parts of an archive together, as it declares them and as they are read."""
MAX_PART = 200_000_000
"""Bytes of one part, inflated."""
MAX_RATIO = 200
"""Inflated bytes for each packed one, from `RATIO_FROM` bytes on."""
RATIO_FROM = 20_000_000
MAX_DEPTH = 200
"""Elements of XML, or lists, open at once."""
MAX_CELLS = 2_000_000
"""Cells of a workbook that hold something."""
MAX_COLUMNS = 16_384
MAX_MARKDOWN = 20_000_000
"""Characters of an answer."""
MAX_PAGES = 2_000
MAX_PIXELS = 60_000_000
"""Of one picture, before it is decoded."""
