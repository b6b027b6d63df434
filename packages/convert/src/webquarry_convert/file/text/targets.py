"""Targets of links in documents."""

from typing import Final

_SCHEMES: Final = ("http://", "https://", "mailto:", "tel:")


def build_target(address: str | None, place: str | None = None) -> str | None:
    """Return an external link target with its fragment, or None for a target inside the document or a local file."""
    address = (address or "").strip()
    if not address.lower().startswith(_SCHEMES):
        return None
    return f"{address}#{place}" if place and "#" not in address else address
