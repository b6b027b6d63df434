"""Metadata of text documents: title, author, language. Office and OpenDocument files both use Dublin Core."""

import re
from dataclasses import dataclass
from typing import Final

from webquarry_convert.file.xml import Element

_DC: Final = "{http://purl.org/dc/elements/1.1/}"
_INITIAL: Final = "{urn:oasis:names:tc:opendocument:xmlns:meta:1.0}initial-creator"
_LANGUAGE: Final = re.compile(r"([A-Za-z]{2,3})(?:[-_]([A-Za-z]{4}))?(?:[-_]([A-Za-z]{2}|[0-9]{3}))?(?:[-_].*)?")
MAX_VALUE: Final = 500


@dataclass(frozen=True, slots=True)
class Properties:
    title: str | None = None
    author: str | None = None
    language: str | None = None


def read(root: Element | None) -> Properties:
    """Read the metadata. root: the root element of `docProps/core.xml` or `meta.xml`; None if the part is missing."""
    if root is None:
        return Properties()
    found: dict[str, str] = {}
    for node in root.iter(f"{_DC}title", f"{_DC}creator", f"{_DC}language", _INITIAL):
        value = " ".join((node.text or "").split())[:MAX_VALUE]
        if value:
            found.setdefault(node.tag, value)
    author = found.get(_INITIAL) or found.get(f"{_DC}creator")
    return Properties(found.get(f"{_DC}title"), author, normalise_language(found.get(f"{_DC}language")))


def normalise_language(code: str | None) -> str | None:
    """Return an office program's language code as a BCP 47 tag, or None if it is invalid."""
    found = _LANGUAGE.fullmatch((code or "").strip())
    if found is None:
        return None
    main, script, region = found.groups()
    parts = [main.lower(), script.title() if script else "", region.upper() if region else ""]
    tag = "-".join(part for part in parts if part)
    return None if parts[0] in ("zxx", "und", "none") else tag
