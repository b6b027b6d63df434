"""HTTP responses in the form that the converter receives, without a network."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Received:
    """An HTTP response."""

    body: bytes
    url: str
    status: int
    headers: Mapping[str, str]
    rendered: bool = False

    @property
    def content_type(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()
