"""Pages and files as markdown for language models.

    from pathlib import Path
    from webquarry_convert import convert

    document = convert(Path("report.pdf"))
    print(document.markdown)

- `page`, `file`: HTML and documents; `fetched`: whatever an address answered
- `verdict`, `marks`: block pages, login forms and JavaScript shells, which are not content
- `write`: a tree as markdown; `tree`, `links`, `media`, `words`: what all of them use
- `text`: charsets, bounded markup, escapes, invisible characters, dates
- `errors`
"""

from typing import TYPE_CHECKING, Any

from webquarry_convert.errors import ConversionError, ConversionFailed, UnsupportedType

if TYPE_CHECKING:
    from webquarry_convert.door import Document, convert, detect

__all__ = ["ConversionError", "ConversionFailed", "Document", "UnsupportedType", "convert", "detect"]


def __getattr__(name: str) -> Any:
    """Import the converter when it is first used: programs that need one of its parts load no other."""
    if name in ("Document", "convert", "detect"):
        from webquarry_convert import door

        return getattr(door, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
