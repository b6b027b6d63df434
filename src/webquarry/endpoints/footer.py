"""The last line of a result's markdown, which shows when the data was fetched."""

import re
from typing import Final

from webquarry.core.types import Wire
from webquarry_convert.text.instants import rfc3339

_FOOTER: Final = re.compile(rb"(?:\A|\n\n)\*Fetched [0-9TZ:.+-]{10,40}\*\n\Z")
_FOOTER_BYTES: Final = 80


def with_instant(markdown: bytes, wire: Wire) -> bytes:
    """Append a line with the time of the provider's response, for readers who can't see the response headers."""
    ending = b"*Fetched %s*\n" % rfc3339(wire.fetched_at).encode()
    if len(markdown) > 1 and markdown.endswith(b"\n") and not markdown.endswith(b"\n\n"):
        return b"\n".join((markdown, ending))  # one join, so that a large text is copied only once
    body = markdown.rstrip(b"\n")
    return b"%s\n\n%s" % (body, ending) if body else markdown


def remove_footer(markdown: bytes) -> bytes:
    """Return the markdown without its footer."""
    found = _FOOTER.search(markdown, max(0, len(markdown) - _FOOTER_BYTES))
    return markdown if found is None else markdown[: found.start()].rstrip(b"\n") + b"\n" if found.start() else b""
