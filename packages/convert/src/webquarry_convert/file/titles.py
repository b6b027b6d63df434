"""The title of a document: from its metadata, unless a program generated that title, otherwise its first heading."""

import re
from dataclasses import replace

from webquarry_convert.file.document import Document
from webquarry_convert.links import extract_visible

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
_HEADING_OR_FENCE = re.compile(r"^(?:[ ]{0,3}(?P<fence>`{3,}|~{3,})|#{1,6}[ \t]+(?P<heading>[^\n]+))", re.MULTILINE)


def choose_title(document: Document) -> Document:
    """Return the document with its title and the source of the title. Names of sheets don't count as headings."""
    title = document.title
    is_file = title is not None and _FILE.fullmatch(title) is not None
    if title is not None and not is_file and not _NOTHING.fullmatch(title):
        return replace(document, title_source=document.title_source or "properties")
    heading = _find_heading(document.markdown) if document.sheets is None else None
    if heading is not None:
        return replace(document, title=heading, title_source="heading")
    return replace(document, title=title if is_file else None, title_source="properties" if is_file else None)


def _find_heading(markdown: str) -> str | None:
    """Return the text of the first heading outside code blocks."""
    fence: str | None = None
    for found in _HEADING_OR_FENCE.finditer(markdown):
        mark = found["fence"]
        if mark is not None:
            fence = mark if fence is None else None if mark.startswith(fence) else fence
        elif fence is None and (text := extract_visible(found["heading"])):
            return text[:_LONGEST]
    return None
