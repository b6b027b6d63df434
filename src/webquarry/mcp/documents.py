"""Documents: the documentation for callers, offered as resources of the tool protocol."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Document:
    """A page of the docs. `read` returns its markdown, and may take some milliseconds the first time."""

    address: str
    name: str
    title: str
    description: str
    read: Callable[[], str]


ListDocuments = Callable[[], Sequence[Document]]
