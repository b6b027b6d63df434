"""Globs that match the path and query of a URL: `/docs/*`, `*.pdf`, `/shop/*?page=*`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self
from urllib.parse import unquote, urlsplit

MAX_GLOBS: Final = 50
MAX_LENGTH: Final = 500
_NOT_A_GLOB: Final = re.compile(r"[\^$\\|\x00-\x20]|\.[*+]|[)\]][*+?]|\{\d")
"""Characters that indicate a regular expression instead of a glob."""


@dataclass(frozen=True, slots=True)
class Glob:
    """A pattern in which `*` matches any number of characters, including `/`. It must match the whole path.

    A pattern with `?` also matches the query; otherwise the query is ignored.
    """

    pattern: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the glob. Raises ValueError with a message for people if `text` is not a valid glob."""
        if len(text) > MAX_LENGTH:
            raise ValueError(f"must have at most {MAX_LENGTH} characters")
        if _NOT_A_GLOB.search(text):
            raise ValueError("must be a glob such as /docs/*, not a regular expression")
        if not text.startswith(("/", "*")):
            raise ValueError("must begin with / or *, for example /docs/* or *.pdf")
        return cls(unquote(text, errors="replace"))

    def matches(self, address: str) -> bool:
        """Return whether the glob matches the path of a URL. Takes linear time."""
        parts = urlsplit(address)
        with_query = parts.query and "?" in self.pattern
        return match(self.pattern, unquote(f"{parts.path}?{parts.query}" if with_query else parts.path))


def match(pattern: str, text: str) -> bool:
    """Return whether the whole text matches a pattern with `*`.

    Takes linear time, because no part of the text is tried twice.
    """
    first, *rest = pattern.split("*")
    if not rest:
        return text == first
    last = rest.pop()
    if not text.startswith(first) or len(text) < len(first) + len(last) or not text.endswith(last):
        return False
    at, end = len(first), len(text) - len(last)
    for piece in rest:
        found = text.find(piece, at, end)
        if found < 0:
            return False
        at = found + len(piece)
    return True


def matches_any(globs: Sequence[Glob], address: str) -> bool:
    return any(glob.matches(address) for glob in globs)
