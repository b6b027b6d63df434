"""The title of a document: what the file says, unless that is what programs write by themselves."""

import re
from collections.abc import Iterable

from webquarry_convert.file.pdf.lines import join_lines
from webquarry_convert.file.pdf.paragraphs import Block
from webquarry_convert.file.pdf.table import Table

_FILE = re.compile(
    r"(?:microsoft\s+\w+\s+-\s+.*"
    r"|.*\.(?:docx?|dotx?|odt|rtf|txt|tex|dvi|ps|eps|pdf|xlsx?|ods|csv|pptx?|odp|indd|qxd|fm|pmd?|pub|pages|graffle|html?))",
    re.IGNORECASE,
)
_NOTHING = re.compile(
    r"\W*+(?:untitled|unbenannt|sans titre|sin t\u00edtulo|senza titolo|no title"
    r"|(?:microsoft\s++)?(?:word|office)?\s*+document|dokument|documento?|(?:powerpoint\s+)?presentation|pr\u00e4sentation"
    r"|slide|book|sheet|chapter|layout|print|title|template|about:blank|\w?)\W*+\d*+\W*+",
    re.IGNORECASE,
)
_LONGEST = 300


def choose_title(said: str | None, blocks: Iterable[Block | Table]) -> str | None:
    """said: in the file's own words. Where it says nothing, or the name of a file, the first heading is the title."""
    is_file = said is not None and _FILE.fullmatch(said) is not None
    if said is not None and not is_file and not _NOTHING.fullmatch(said):
        return said
    first = next((block for block in blocks if isinstance(block, Block) and block.level), None)
    if first is not None:
        return join_lines([line.text for line in first.lines])[:_LONGEST]
    return said if is_file else None
