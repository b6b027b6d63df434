"""Where links of documents lead."""

from typing import Final

_SCHEMES: Final = ("http://", "https://", "mailto:", "tel:")


def build_target(address: str | None, place: str | None = None) -> str | None:
    """An address that a reader can follow, with the place in it; None for what lies in the document or beside it."""
    address = (address or "").strip()
    if not address.lower().startswith(_SCHEMES):
        return None
    return f"{address}#{place}" if place and "#" not in address else address
