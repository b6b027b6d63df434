"""The interface for distributions that add a file format: the declaration, the document, the errors, and a writer.

    [project.entry-points."webquarry_convert.formats"]
    srt = "webquarry_srt:FORMAT"

The entry point has the name of the format. docs/adding-a-format.md has a complete example.
"""

from webquarry_convert.file.document import (
    Document,
    Sheet,
    make_corrupt_error,
    make_encrypted_error,
    make_limit_error,
)
from webquarry_convert.file.format import Format
from webquarry_convert.file.hypertext import HypertextPage
from webquarry_convert.file.installed_formats import GROUP

__all__ = [
    "GROUP",
    "Document",
    "Format",
    "Sheet",
    "make_corrupt_error",
    "make_encrypted_error",
    "make_limit_error",
    "write_html",
]


def write_html(html: str) -> str:
    """Return HTML as markdown, without hidden text.

    The caller must escape the strings in it with `html.escape`. Takes linear time.
    """
    return HypertextPage(html).write().markdown
