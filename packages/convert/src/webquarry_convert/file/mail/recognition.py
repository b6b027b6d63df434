"""Recognition of mails among text files, by their header fields.

A saved web page (MHTML) begins like a mail but is not one.
"""

import re
from collections.abc import Set as AbstractSet
from typing import Final

NAMES: Final = (".eml", ".mbox", ".mbx")
"""Extensions of mail files."""
_BEFORE: Final = re.compile(r"[\ufeff\r\n]*+((?:>*+From [^\r\n]*+[\r\n]++)*+)")
"""Matches what may precede the header: blank lines and a mailbox's `From ` line."""
_ENVELOPE: Final = re.compile(r"From [^\r\n]{1,300}[0-9]:[0-9]{2}")
_FIELD: Final = re.compile(
    r"([!-9;-~]{1,100}+):[ \t]*+([^\r\n]{0,200}+)[^\r\n]*+(?:\r\n?|\n|\Z)(?:[ \t]++[^\r\n]*+(?:\r\n?|\n|\Z))*+"
)
_WRITTEN: Final = frozenset({"to", "cc", "bcc", "subject", "reply-to", "delivered-to", "date", "message-id"})
_SENT: Final = frozenset({"date", "message-id", "received", "mime-version", "return-path"})
"""Fields that mail programs write. A note that only begins like a mail lacks these fields."""
_RECEIVERS: Final = frozenset({"to", "cc", "bcc"})
_OF_MAILS: Final = _WRITTEN | _SENT | {"from", "sender", "content-type"}
_ADDRESS: Final = re.compile(r"[^\s@<>\"]@[^\s@<>\"]")

LEAST: Final = 2
"""Minimum number of fields in a mail, in addition to the sender."""


def is_mail(text: str, name: str = "") -> bool:
    """Return whether a text is a mail.

    text: the beginning of a file. name: the file's name, or "". One known field is enough if the file's extension or a
    mailbox's `From ` line marks a mail. Otherwise a mail needs a sender, and either fields that a program wrote, or an
    address, a recipient and a subject.
    """
    before = _BEFORE.match(text)
    at = 0 if before is None else before.end()
    is_stated = name.lower().endswith(NAMES) or (before is not None and _ENVELOPE.match(before[1]) is not None)
    fields, at = _read_fields(text, at)
    names = fields.keys()
    sender = fields.get("from", "")
    if "snapshot-content-location" in names or sender.lower().startswith("<saved by"):
        return False
    if at < len(text) and text[at] not in "\r\n":  # the header ends without a blank line
        return False
    if is_stated:
        return bool(names & _OF_MAILS)
    return "from" in names and _has_fields_of_mail(names, sender)


def _read_fields(text: str, at: int) -> tuple[dict[str, str], int]:
    """Return the fields that begin at a position, by lower-case name, and the position at which they end."""
    fields: dict[str, str] = {}
    while found := _FIELD.match(text, at):
        fields.setdefault(found[1].lower(), found[2])
        at = found.end()
    return fields, at


def _has_fields_of_mail(names: AbstractSet[str], sender: str) -> bool:
    """Return whether the fields other than the sender show that the text is a mail."""
    if names & _SENT:
        return len(names & (_SENT | _WRITTEN)) >= LEAST
    return _ADDRESS.search(sender) is not None and bool(names & _RECEIVERS) and "subject" in names
