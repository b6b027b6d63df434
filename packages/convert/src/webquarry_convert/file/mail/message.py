"""Conversion of a mail: the subject as a heading, the sender, recipients, date and text, and the names of attachments.

Of several alternative parts, the richest supported part is used. Attached mails follow in the same form.
"""

from collections.abc import Sequence
from typing import Final, NoReturn

from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file import properties
from webquarry_convert.file.document import Document, make_limit_error
from webquarry_convert.file.hypertext import convert_hypertext
from webquarry_convert.file.limits import MAX_MARKDOWN
from webquarry_convert.file.mail.headers import Headers
from webquarry_convert.file.mail.invitation import read_invitation
from webquarry_convert.file.mail.mailbox import split_mailbox
from webquarry_convert.file.mail.parts import Part, PartReader
from webquarry_convert.file.mail.plain import read_plain
from webquarry_convert.file.text.line import Content, make_element
from webquarry_convert.file.text.output import write_document
from webquarry_convert.hidden import warn_of_hidden
from webquarry_convert.tree import Node

_SHOWN: Final = ("From", "Sender", "Reply-To", "To", "Cc", "Bcc", "Date", "Sent")
_MESSAGES: Final = frozenset({"message/rfc822", "message/global"})
_PLAIN: Final = frozenset(
    {"text/plain", "text/enriched", "text/richtext", "message/delivery-status", "text/rfc822-headers"}
)
_CALENDAR: Final = "text/calendar"
_SEALED: Final = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
MAX_MESSAGES: Final = 4
"""Maximum number of levels of attached mails that are read. Deeper mails are listed as attachments."""


def read(body: bytes) -> Document:
    """Convert a mail, or all mails in a mailbox one after the other, to markdown. Raises only `ConversionFailed`."""
    mailbox = split_mailbox(body)
    reader = PartReader(is_recoded=mailbox.is_recoded)
    wholes = [reader.read(raw) for raw in mailbox.mails]
    messages = _open_messages(reader, wholes)
    markdown = "\n".join([message.write() for message in messages])
    pictures = sum(message.pictures for message in messages)
    warnings = [f"Inline images are omitted: {pictures}."] if pictures else []
    warnings += warn_of_hidden(sum(message.hidden for message in messages), "mail")
    first = wholes[0].headers if len(wholes) == 1 else Headers(b"")
    return Document(
        markdown=markdown,
        title=first.read_text("subject")[: properties.MAX_VALUE] or None,
        author=_read_name(first.read_text("from"))[: properties.MAX_VALUE] or None,
        language=properties.normalise_language(first.get("content-language").partition(",")[0]),
        warnings=tuple(warnings),
    )


def _open_messages(reader: PartReader, wholes: Sequence[Part]) -> "list[_Message]":
    """Return the mails to write. If there are several, each has different note labels. Raises `ConversionFailed`."""
    if len(wholes) == 1:
        _refuse_encrypted(wholes[0])
        return [_Message(reader, wholes[0], 1)]
    return [_Message(reader, whole, 1, f"{number}-") for number, whole in enumerate(wholes, 1)]


def _refuse_encrypted(whole: Part) -> None:
    is_sealed = whole.media in _SEALED and whole.parameters.get("smime-type", "enveloped-data") != "signed-data"
    if is_sealed or whole.media == "multipart/encrypted":
        _raise_encrypted()


def _raise_encrypted() -> NoReturn:
    raise ConversionFailed("The email is encrypted. Upload it decrypted.", reason="encrypted")


class _Message:
    """A mail, read from its part.

    level: 1 for a mail directly in the file, plus one for each enclosing mail. note_prefix: prefix of note labels,
    unique among the mails of a mailbox. pictures, hidden: number of pictures and hidden characters that were removed,
    including those in attached mails.
    """

    def __init__(self, reader: PartReader, part: Part, level: int, note_prefix: str = "") -> None:
        self._note_prefix = note_prefix
        self.pictures = self.hidden = 0
        self._reader = reader
        self._part = part
        self._level = level
        self._texts: list[str] = []
        self._attached: list[str] = []
        self._length = 0
        self._calendars: set[str] = set()

    def write(self) -> str:
        self._add(self._build_head())
        self._read(self._part)
        if self._attached:
            items: Content = [make_element("li", [name]) for name in self._attached]
            heading = make_element(f"h{min(self._level + 1, 6)}", ["Attachments"])
            self._add([heading, make_element("ul", items)])
        return "\n".join(self._texts)

    def _build_head(self) -> Content:
        headers = self._part.headers
        subject = headers.read_text("subject")
        label = "" if self._level == 1 else "Attached mail: "
        facts: Content = [
            make_element("li", [f"{name}: {value}"]) for name in _SHOWN if (value := headers.read_text(name.lower()))
        ]
        heading = make_element(f"h{min(self._level, 6)}", [f"{label}{subject or 'Without a subject'}"])
        return [heading, make_element("ul", facts)] if facts else [heading]

    def _add(self, content: Content) -> None:
        page = Node("body", {}, -1)
        page.children = content
        self._add_text(write_document(page))

    def _add_text(self, text: str) -> None:
        self._length += len(text)
        if self._length > MAX_MARKDOWN:
            raise make_limit_error(f"more than {MAX_MARKDOWN // 1_000_000} million characters of text")
        if text:
            self._texts.append(text)

    def _read(self, part: Part) -> None:
        if part.media.startswith("multipart/"):
            self._read_parts(part)
        elif part.media in _MESSAGES and self._level < MAX_MESSAGES:
            self._read_message(part)
        elif part.media == "text/html" and not part.is_attachment:
            made = convert_hypertext(
                part.read_text(), note_prefix=f"{self._note_prefix}{self._level}-{len(self._texts)}-"
            )
            self.hidden += made.hidden
            self._add_text(made.markdown)
        elif part.media in _PLAIN and not part.is_attachment:
            self._add(read_plain(part.read_text(), part.parameters))
        elif part.media == _CALENDAR:
            self._read_calendar(part)
        else:
            self._attach(part)

    def _read_calendar(self, part: Part) -> None:
        """Add an invitation, unless it was already added.

        Many mails contain it twice: among the alternative parts and as a file.
        """
        text = part.read_text().strip()
        content = [] if text in self._calendars else read_invitation(text, self._level + 1)
        self._calendars.add(text)
        if content:
            self._add(content)
        if part.is_attachment or not content:
            self._attach(part)

    def _read_parts(self, part: Part) -> None:
        children = list(self._reader.read_children(part))
        if not children:
            self._attach(part)
        elif part.media == "multipart/alternative":
            self._read_alternatives(children)
        elif part.media == "multipart/related":
            self._read(children[0])
            for child in children[1:]:
                if child.media.startswith("image/") and not child.is_attachment:
                    self.pictures += 1
                else:
                    self._attach(child)
        else:
            for child in children:
                self._read(child)

    def _read_alternatives(self, forms: list[Part]) -> None:
        """Read the best of several alternative parts, and list the parts with a different kind of content."""
        chosen = _choose_alternative(forms)
        self._read(chosen)
        for form in forms:
            if form is not chosen and form.media not in _PLAIN and form.media != "text/html":
                (self._read if form.media == _CALENDAR else self._attach)(form)

    def _read_message(self, part: Part) -> None:
        whole = self._reader.read(part.unpack(), depth=part.depth + 1)
        inner = _Message(self._reader, whole, self._level + 1, self._note_prefix)
        self._add_text(inner.write())
        self.pictures += inner.pictures
        self.hidden += inner.hidden

    def _attach(self, part: Part) -> None:
        """Add an unread part to the list of attachments."""
        name = part.file_name or part.headers.read_text("content-description")[:200] or "without a name"
        self._attached.append(f"{name} ({part.media}, {len(part.unpack()):,} bytes)")


def _choose_alternative(children: list[Part]) -> Part:
    """Return the last supported alternative, because senders put the richest last."""
    for child in reversed(children):
        if child.media == "text/html" or (child.media.startswith("multipart/") and child.parameters.get("boundary")):
            return child
    return next((child for child in reversed(children) if child.media in _PLAIN), children[-1])


def _read_name(sender: str) -> str:
    """Return a sender's display name, or the address if there is no display name."""
    name, _, address = sender.partition("<")
    return name.strip().strip('"').strip() or address.strip(" <>")
