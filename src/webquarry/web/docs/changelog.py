"""The changelog of the running release."""

from functools import cache
from pathlib import Path

_PLACES = (Path(__file__).parents[2] / "CHANGELOG.md", Path(__file__).parents[4] / "CHANGELOG.md")
"""Paths of the file in an installed package and in a checkout."""


@cache
def read_changelog() -> str:
    """Return the changelog as markdown."""
    for path in _PLACES:
        if path.exists():
            return path.read_text("utf-8")
    raise FileNotFoundError(f"none of {', '.join(map(str, _PLACES))} exists")
