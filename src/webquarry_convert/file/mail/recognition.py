"""Whether a text is a mail: it begins with the fields of one. A saved web page (MHTML) begins alike, and is none."""

import re
from typing import Final

_FIELD: Final = re.compile(
    r"([!-9;-~]{1,100}+):[ \t]*+([^\r\n]{0,200}+)[^\r\n]*+(?:\r\n?|\n|\Z)(?:[ \t]++[^\r\n]*+(?:\r\n?|\n|\Z))*+"
)
_WRITTEN: Final = frozenset({"to", "cc", "bcc", "subject", "reply-to", "delivered-to", "date", "message-id"})
_SENT: Final = frozenset({"date", "message-id", "received", "mime-version", "return-path"})
"""Fields that programs write; a note that begins like a mail has none of them."""


LEAST: Final = 2
"""Fields beside the sender without which a text is no mail."""


def is_mail(text: str) -> bool:
    """text: the beginning of a file."""
    names: set[str] = set()
    at = len(text) - len(text.lstrip("\ufeff\r\n"))
    while found := _FIELD.match(text, at):
        name = found[1].lower()
        if name == "snapshot-content-location" or (name == "from" and found[2].lower().startswith("<saved by")):
            return False
        names.add(name)
        at = found.end()
    is_ended = at >= len(text) or text[at] in "\r\n"
    return is_ended and "from" in names and bool(names & _SENT) and len(names & (_SENT | _WRITTEN)) >= LEAST
