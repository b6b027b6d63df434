"""Emails: plain and HTML texts, quoted replies, attachments, nested emails, unusual charsets, folded headers."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from email.header import Header
from email.message import EmailMessage
from email.policy import SMTP
from random import Random

from corpora.printed import words
from corpora.printed.paper import Cell, Paper

_SUBJECTS = (
    "Zoë Ångström: Angebot für Müller & Söhne",
    "Re: встреча во вторник",
    "Fwd: 見積書の件",
    "Rechnung Nr. 2026-114",
)
_EVENT = ("BEGIN:VCALENDAR", "VERSION:2.0", "METHOD:REQUEST", "BEGIN:VEVENT")
_EVENT_END = ("DTSTART:20260915T083000Z", "DTEND:20260915T093000Z", "END:VEVENT", "END:VCALENDAR")
_CHARSETS = (
    ("utf-8", "Grüße aus Łódź"),
    ("iso-8859-1", "Grüße, à bientôt"),
    ("windows-1252", "“Quoted” – 5 €"),
    ("koi8-r", "Привет из Москвы"),
    ("iso-2022-jp", "お世話になっております"),
    ("gb18030", "你好，世界"),  # in this notation
)


@dataclass(slots=True)
class Mail(Paper):
    message: EmailMessage | None = None
    raw: bytes = b""

    def content(self) -> bytes:
        return self.raw or (self.message.as_bytes(policy=SMTP) if self.message else b"")


def _begin(draw: Random, *, subject: str = "") -> tuple[Mail, EmailMessage]:
    message = EmailMessage()
    mail = Mail(draw, message=message)
    said = subject or draw.choice((*_SUBJECTS, words.phrase(draw, 5, 12)))
    sender, receiver = words.name(draw), words.name(draw)
    message["Subject"] = said
    message["From"] = f'"{sender}" <sender@example.org>'
    message["To"] = f'"{receiver}" <receiver@example.net>, "Office, {draw.choice(words.TOWNS)}" <office@example.net>'
    message["Date"] = f"Tue, {draw.randint(1, 28)} Sep 2026 10:15:00 +0200"
    mail.state_heading(1, said)
    mail.text += [f"{head}: {message[head]}" for head in ("From", "To", "Date")]
    mail.state(said, sender, receiver)
    mail.match(r"sender@example\.org")
    return mail, message


def make_plain(draw: Random) -> Mail:
    """Make a plain email with format=flowed, a reply below the quote, a signature, and letters of many code pages."""
    mail, message = _begin(draw)
    charset, special = draw.choice(_CHARSETS)
    is_narrow = charset not in ("utf-8", "gb18030")
    sentences = [words.sentence(draw) for _ in range(draw.randint(2, 5))]
    quoted = [words.sentence(draw, 2, 2) for _ in range(3)]
    items = [words.phrase(draw, 2, 3) for _ in range(3)]
    lines = [special, "", *sentences, "", *(f"- {item}" for item in items), "", "On Monday somebody wrote:"]
    lines += [
        *(f"> {line}" for line in quoted),
        "",
        "-- ",
        "Office" if is_narrow else words.name(draw),
        "Telephone 0113 496",
    ]
    message.set_content(
        "\n".join(lines) + "\n",
        charset=charset,
        cte="base64" if draw.random() < 0.4 else "8bit" if not is_narrow else "base64",
    )
    mail.state(special, *sentences)
    mail.state_items(items)
    for line in quoted:
        mail.match(rf"(?m)^\s*>[^\n]*{line[:-1]}")
    mail.text += [*(line.strip("->") for line in lines)]
    return mail


def _write_letter(mail: Mail) -> None:
    """Write the markup of a text with a heading, a table and a list."""
    draw = mail.draw
    mail.heading(1, words.phrase(draw, 2, 4))
    mail.paragraph(words.paragraph(draw))
    if draw.random() < 0.7:
        head: list[list[Cell]] = [[(name, 1) for name in ("Article", "Number", "Price")]]
        rows: list[list[Cell]] = [
            [(goods, 1), (str(draw.randint(100, 999)), 1), (words.amount(draw), 1)]
            for goods in draw.sample(words.GOODS, 4)
        ]
        mail.table(head, rows, ruling="grid")
    mail.items([words.phrase(draw, 2, 4) for _ in range(3)])


def make_marked_up(draw: Random) -> Mail:
    """Make an email with text and HTML alternatives, an invisible preview line, layout tables and links."""
    mail, message = _begin(draw)
    unseen = f"{words.name(draw)} {words.amount(draw)}"
    mail.add(f'<div style="display:none;max-height:0">{unseen}</div>')
    mail.deny(unseen)
    mail.add('<table width="600"><tr><td>')
    _write_letter(mail)
    mail.add("</td></tr><tr><td>")
    label = words.phrase(draw, 2, 3)
    mail.add(f'<a href="https://example.org/track?id=1">{label}</a>')
    mail.text.append(label)
    mail.match(rf"\[{label}\]\(<?https://example\.org/track\?id=1>?\)")
    mail.add("</td></tr></table>")
    plain = "\n".join(mail.text)
    if draw.random() < 0.7:
        message.set_content(plain)
        message.add_alternative(mail.markup(), subtype="html")
    else:
        message.set_content(mail.markup(), subtype="html", charset="utf-8")
    return mail


def make_attached(draw: Random) -> Mail:
    """Make an email with attachments, whose names are reported; a nested email and an invitation are read."""
    mail, message = _begin(draw)
    said = words.paragraph(draw)
    message.set_content(said)
    mail.text.append(said)
    mail.state(said)
    for name in draw.sample(["Rechnung März.pdf", "list.csv", "photo.jpg", "Übersicht 2026.xlsx"], 2):
        message.add_attachment(b"%PDF-1.4 nothing", maintype="application", subtype="octet-stream", filename=name)
        mail.match(name.replace(".", r"\\?\."))
        mail.text.append(f"{name} application/octet-stream 16 bytes")
    if draw.random() < 0.5:
        inner = EmailMessage()
        inner["Subject"] = (title := words.phrase(draw, 3, 5))
        inner["From"] = "third@example.com"
        inner.set_content(told := words.paragraph(draw))
        message.add_attachment(inner)
        mail.text.append(told)
        mail.state(title, told)
    if draw.random() < 0.5:
        what, where = words.phrase(draw, 3, 4), f"Room {draw.randint(1, 99)}"
        event = "".join(f"{line}\r\n" for line in (*_EVENT, f"SUMMARY:{what}", f"LOCATION:{where}", *_EVENT_END))
        message.add_attachment(event, subtype="calendar", filename="invite.ics", params={"method": "REQUEST"})
        mail.text += [what, where]
        mail.state(what, where)
    return mail


def make_chain(draw: Random) -> Mail:
    """Make a forwarded email that quotes earlier ones as HTML, including their headers."""
    mail, message = _begin(draw, subject=f"FW: {words.phrase(draw, 4, 9)}")
    parts = []
    for depth in range(draw.randint(2, 4)):
        sender, said = words.name(draw), words.paragraph(draw)
        heads = (("From", html.escape(sender)), ("Sent", words.date(draw)), ("Subject", words.phrase(draw)))
        lead = "<br>".join(f"<b>{head}:</b> {value}" for head, value in heads)
        parts.append(f"{f'<p>{lead}</p>' if depth else ''}<p>{said}</p><blockquote>")
        mail.text.append(said)
        mail.state(said)
        if depth:
            mail.text.append(" ".join(re.sub(r"<[^>]+>", " ", lead).split()))
            mail.facts.append({"type": "line", "text": f"From: {sender}"})
    message.set_content(f"<html><body>{''.join(parts)}{'</blockquote>' * len(parts)}</body></html>", subtype="html")
    return mail


def make_raw(draw: Random) -> Mail:
    """Make an email with headers folded and encoded as in older programs, soft line breaks, and a misnamed charset."""
    mail = Mail(draw)
    subject = draw.choice(_SUBJECTS)
    said = [words.sentence(draw, 6, 9) for _ in range(3)]
    charset, special = draw.choice(
        (("iso-8859-15", "Preis 5 €, größer"), ("utf8", "Grüße"), ("x-unknown", "Grüße"), ("cp-850", "Größe"))
    )
    real = {"iso-8859-15": "iso-8859-15", "utf8": "utf-8", "x-unknown": "utf-8", "cp-850": "cp850"}[charset]
    folded = Header(subject, "utf-8", maxlinelen=40, header_name="Subject").encode(linesep="\r\n")
    text = "\r\n".join([special, "", *said]).encode(real)
    head: Sequence[str] = (
        f"Subject: {folded}",
        "From: =?iso-8859-1?Q?J=F6rg_M=FCller?=\r\n <joerg@example.org>",
        "To: undisclosed-recipients:;",
        "Date: 3 Feb 26 09:05 GMT",
        "MIME-Version: 1.0",
        f"Content-Type: text/plain;\r\n\tcharset={charset}",
        "Content-Transfer-Encoding: quoted-printable",
    )
    mail.raw = "\r\n".join(head).encode() + b"\r\n\r\n" + _quote(text)
    mail.state_heading(1, subject)
    mail.text += ["From: Jörg Müller joerg@example.org", "To: undisclosed-recipients", "Date: 3 Feb 26 09:05 GMT"]
    mail.text += [special, *said]
    mail.state(subject, "Jörg Müller", special, *said)
    return mail


def _quote(text: bytes) -> bytes:
    """Encode as quoted-printable with soft line breaks after 60 characters."""
    lines = []
    for line in text.split(b"\r\n"):
        shown = b"".join(b"=%02X" % byte if byte > 126 or byte == 61 else bytes([byte]) for byte in line)
        while len(shown) > 60:
            cut = shown.rfind(b" ", 0, 60) + 1 or 60
            lines.append(shown[:cut] + b"=")
            shown = shown[cut:]
        lines.append(shown)
    return b"\r\n".join(lines)
