"""Size limits of files.

A file beyond a limit is rejected (`document.make_limit_error`) before it uses much memory or time.
"""

MAX_FILE = 10_485_760
"""Maximum size of an uploaded file, in bytes."""
MAX_PARTS = 5_000
"""Maximum number of entries in an archive."""
MAX_INFLATED = 300_000_000
"""Maximum total size, in bytes, of an archive's inflated parts. It applies to the declared sizes and to the bytes read.
"""
MAX_PART = 200_000_000
"""Maximum size of one inflated part, in bytes."""
MAX_RATIO = 200
"""Maximum number of inflated bytes per compressed byte, for parts with at least `RATIO_FROM` bytes."""
RATIO_FROM = 20_000_000
MAX_DEPTH = 200
"""Maximum nesting of XML elements or lists."""
MAX_CELLS = 2_000_000
"""Maximum number of non-empty cells in a workbook."""
MAX_COLUMNS = 16_384
MAX_MARKDOWN = 20_000_000
"""Maximum length of the markdown, in characters."""
MAX_PAGES = 2_000
MAX_PIXELS = 60_000_000
"""Maximum number of pixels in a picture, checked before it is decoded."""
