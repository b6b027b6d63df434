"""What a rendering gives."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page as its reader would see it.

    html: the document once its scripts have run, with open shadow trees and frames of the same origin written out;
    url: its address, after redirects and those of scripts; status: HTTP status of the answer it was made from;
    requests: so many it asked for, those kept back included; settled: whether it came to rest, or was taken as it
    stood when time was up.
    """

    html: str
    url: str
    status: int
    requests: int
    settled: bool
