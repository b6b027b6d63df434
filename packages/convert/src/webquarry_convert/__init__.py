"""Pages and files as markdown for language models.

    from pathlib import Path
    from webquarry_convert import convert

    document = convert(Path("report.pdf"))
    print(document.markdown)

- `page`, `file`: HTML and documents; `fetched`: HTTP responses
- `verdict`, `marks`: block pages and JavaScript shells, which are not content
- `write`: markdown from a tree; `tree`, `links`, `media`, `words`: shared by all stages
- `text`: character encodings, sanitized markup, escapes, invisible characters, dates
- `formats`: for distributions that add a file format
- `errors`
"""

from typing import TYPE_CHECKING, Any

from webquarry_convert.errors import ConversionError, ConversionFailed, UnsupportedType

if TYPE_CHECKING:
    from webquarry_convert.door import Document, convert, detect

__all__ = ["ConversionError", "ConversionFailed", "Document", "UnsupportedType", "convert", "detect"]


def __getattr__(name: str) -> Any:
    """Import the converter on first use. Programs that need only a part of the package load nothing else."""
    if name in ("Document", "convert", "detect"):
        from webquarry_convert import door

        return getattr(door, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
