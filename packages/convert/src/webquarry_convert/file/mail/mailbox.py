"""Splits a file into mails: several for a mailbox (mbox, RFC 4155), otherwise one."""

import re
from dataclasses import dataclass
from typing import Final

from webquarry_convert.file.mail.headers import BLANK_LINE
from webquarry_convert.file.wide_text import WINDOW, decode_utf16, find_utf16

_BEFORE: Final = re.compile(rb"(?:\xef\xbb\xbf|[\r\n])*+(?:>*+From [^\r\n]*+[\r\n]++)*+")
"""Matches what may precede a mail's header: a byte order mark, blank lines, and a mailbox's `From ` line."""
_ENVELOPE: Final = (
    rb"From (?=[^\r\n]{0,300}[^0-9](?:19|20)[0-9]{2}(?![0-9]))[^\r\n]{1,300}[0-9]:[0-9]{2}[^\r\n]{0,100}+(?:\r\n?|\n)"
)
"""Matches the `From ` line of a mailbox. Its time and its year distinguish this line from text."""
_BEGINS_MAILBOX: Final = re.compile(rb"(?:\xef\xbb\xbf|[\r\n])*+" + _ENVELOPE)
_NEXT_MAIL: Final = re.compile(
    rb"(?>\r\n|\n|\r)(?:\r\n|\n|\r)" + _ENVELOPE + rb"(?=(?:>From [^\r\n]*+[\r\n]++)?+[!-9;-~]{1,100}+:)"
)
_QUOTED_FROM: Final = re.compile(rb"(?:(?<=[\r\n])|\A)>(?=>*+From )")
"""Matches the `>` that mailbox writers put before lines of text that begin with `From `."""


@dataclass(frozen=True, slots=True)
class Mailbox:
    """The mails of a file.

    mails: the bytes of each mail, from its first header field. is_recoded: whether the file was stored in UTF-16 and
    was converted to UTF-8; if so, the charsets that the parts declare are wrong.
    """

    mails: list[bytes]
    is_recoded: bool = False


def cut_fields(body: bytes) -> bytes:
    """Return the bytes before the first blank line, which are the header if the file is a mail.

    The body may be binary.
    """
    blank = BLANK_LINE.search(body, len(body) - len(body.lstrip(b"\r\n")))
    return body if blank is None else body[: blank.end()]


def split_mailbox(body: bytes) -> Mailbox:
    """Return the mails in a file. A file that does not begin like a mailbox is one mail."""
    codec = find_utf16(cut_fields(body[:WINDOW]))
    if codec is not None:
        body = decode_utf16(body, codec).encode("utf-8", "replace")
    before = _BEFORE.match(body)
    first = before.end() if before is not None else 0
    if _BEGINS_MAILBOX.match(body) is None:
        return Mailbox([body[first:]], codec is not None)
    mails: list[bytes] = []
    for divider in _NEXT_MAIL.finditer(body, first):
        mails.append(body[first : divider.start()])
        first = divider.end()
    mails.append(body[first:])
    return Mailbox([_QUOTED_FROM.sub(b"", mail) for mail in mails], codec is not None)
