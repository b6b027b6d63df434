"""Size limits of files.

Files beyond a limit are rejected (`document.make_limit_error`) before they take memory or time.
"""

MAX_FILE = 10_485_760
"""Bytes of an upload."""
MAX_PARTS = 5_000
"""Entries of an archive."""
MAX_INFLATED = 300_000_000
"""Bytes of all inflated parts of an archive, both declared and read."""
MAX_PART = 200_000_000
"""Bytes of one inflated part."""
MAX_RATIO = 200
"""Inflated bytes per packed byte, for parts of at least `RATIO_FROM` bytes."""
RATIO_FROM = 20_000_000
MAX_DEPTH = 200
"""Nested XML elements, or nested lists."""
MAX_CELLS = 2_000_000
"""Non-empty cells of a workbook."""
MAX_COLUMNS = 16_384
MAX_MARKDOWN = 20_000_000
"""Characters of the markdown."""
MAX_PAGES = 2_000
MAX_PIXELS = 60_000_000
"""Pixels of one picture, checked before it is decoded."""
