"""Slides, books and emails in which one element grows."""

from collections.abc import Callable, Mapping
from functools import partial

from convert_support.books import epub
from convert_support.office import pptx

_UNITS = (
    "<",
    "<b>",
    "<b><i>",
    "</b>",
    "<p>a",
    "<div>",
    "<br/>",
    "<a href='x'>a</a>",
    "<img alt='a'/>",
    "<!--",
    "&amp;",
    "&",
)
_LINES = (
    "a\n",
    "> a\n",
    ">" * 9 + "\n",
    "> > a\n",
    "- a\n",
    "-- \n",
    " \n",
    "a b ",
    "*",
    "_",
    "http://a.example ",
    "=\n",
    "=41",
)


def _shape(inner: str) -> str:
    return f"<p:sp><p:txBody>{inner}</p:txBody></p:sp>"


def _paragraph(inner: str) -> str:
    return f"<a:p>{inner}</a:p>"


_RUN = "<a:r><a:t>a</a:t></a:r>"
_CELL = f"<a:tc><a:txBody>{_paragraph(_RUN)}</a:txBody></a:tc>"


def _table(rows: str) -> str:
    return (
        f"<p:graphicFrame><a:graphic><a:graphicData><a:tbl>{rows}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    )


def make_slides() -> Mapping[str, Callable[[int], bytes]]:
    return {
        "pptx slides": lambda n: pptx(*[_shape(_paragraph(_RUN))] * (n // 8)),
        "pptx shapes": lambda n: pptx(_shape(_paragraph(_RUN)) * n),
        "pptx placed shapes": lambda n: pptx(
            "".join(
                f'<p:sp><p:spPr><a:xfrm><a:off x="{at % 7}" y="{at * 37 % 101}"/><a:ext cx="5" cy="9"/></a:xfrm>'
                f"</p:spPr><p:txBody>{_paragraph(_RUN)}</p:txBody></p:sp>"
                for at in range(n)
            )
        ),
        "pptx groups": lambda n: pptx("<p:grpSp>" * min(n, 60) + _shape(_paragraph(_RUN)) + "</p:grpSp>" * min(n, 60)),
        "pptx links": lambda n: pptx(
            _shape(_paragraph('<a:r><a:rPr><a:hlinkClick r:id="h0"/></a:rPr><a:t>a</a:t></a:r>' * n)),
            links={1: [(f"h{at}", "hyperlink", f"http://a.example/{at}") for at in range(n)]},
        ),
        "pptx tables": lambda n: pptx(_table(f"<a:tr>{_CELL}</a:tr>") * n),
        "pptx paragraphs": lambda n: pptx(_shape(_paragraph(_RUN) * n)),
        "pptx runs": lambda n: pptx(_shape(_paragraph(_RUN * n))),
        "pptx items": lambda n: pptx(
            _shape("".join(f'<a:p><a:pPr lvl="{at % 9}"><a:buAutoNum type="arabicPeriod"/></a:pPr>{_RUN}</a:p>'
                           for at in range(n)))
        ),
        "pptx rows": lambda n: pptx(_table(f"<a:tr>{_CELL * 2}</a:tr>" * n)),
        "pptx columns": lambda n: pptx(_table(f"<a:tr>{_CELL * n}</a:tr>" * 2)),
        "pptx letters": lambda n: pptx(_shape(_paragraph(f"<a:r><a:t>{'a ' * n}</a:t></a:r>"))),
    }  # fmt: skip


def make_books() -> Mapping[str, Callable[[int], bytes]]:
    point = '<navPoint><navLabel><text>a</text></navLabel><content src="text/1.xhtml#{}"/></navPoint>'
    return {
        "epub chapters": lambda n: epub(*["<p>a</p>"] * (n // 4)),
        "epub one chapter again": lambda n: epub("<p>a</p>", order=(1,) * n),
        "epub points of the contents": lambda n: epub("<p>a</p>", contents="".join(map(point.format, range(n)))),
        "epub paragraphs": lambda n: epub("<p>a</p>" * n),
        "epub notes": lambda n: epub('<aside epub:type="footnote"><p>a</p></aside>' * n),
        "epub marks of notes": lambda n: epub(
            "".join(f'<p>a<a epub:type="noteref" href="#n{at}">{at}</a></p>' for at in range(n))
            + "".join(f'<aside epub:type="footnote" id="n{at}"><p>a</p></aside>' for at in range(n))
        ),
        "epub terms": lambda n: epub(f"<dl>{'<dt>a</dt><dd>b</dd>' * n}</dl>"),
        "epub lists of terms": lambda n: epub("<dl><dt>a</dt><dd>b</dd></dl>" * n),
        "epub definitions of a term": lambda n: epub(f"<dl><dt>a</dt>{'<dd><p>b</p></dd>' * n}</dl>"),
        "epub pictures": lambda n: epub("".join(f'<p><img src="{at}.png" alt="a"/></p>' for at in range(n))),
        "epub rows": lambda n: epub(f"<table>{'<tr><td>a</td><td>b</td></tr>' * n}</table>"),
        **{f"epub text of {unit!a}": partial(_repeat_in_chapter, unit=unit) for unit in _UNITS},
    }


def make_mails() -> Mapping[str, Callable[[int], bytes]]:
    return {
        "eml fields": lambda n: _write_mail("X-A: b\r\n" * n, "a"),
        "eml receivers": lambda n: _write_mail("To: " + "a <a@b.example>,\r\n " * n + "a@b.example\r\n", "a"),
        "eml fields of receivers": lambda n: _write_mail("Cc: a <a@b.example>\r\n" * n, "a"),
        "eml references": lambda n: _write_mail("References: " + "<a@b.example>\r\n " * n + "<c@b.example>\r\n", "a"),
        "eml quotes within each other": lambda n: _write_mail(
            "", "".join(f"{'>' * (at % 90)} a\r\n" for at in range(n))
        ),
        "eml folded lines": lambda n: _write_mail("X-A: b\r\n" + " c\r\n" * n, "a"),
        "eml encoded words": lambda n: _write_mail("To: " + "=?utf-8?q?a_b?= " * n + "\r\n", "a"),
        "eml parts": lambda n: _write_mail(
            'Content-Type: multipart/mixed; boundary="x"\r\n', "--x\r\n\r\na\r\n" * n + "--x--"
        ),
        "eml open parts": lambda n: _write_mail('Content-Type: multipart/mixed; boundary="x"\r\n', "--x\r\n" * n),
        "eml attachments": lambda n: _write_mail(
            'Content-Type: multipart/mixed; boundary="x"\r\n',
            '--x\r\nContent-Disposition: attachment; filename="a.txt"\r\n\r\na\r\n' * n + "--x--",
        ),
        "eml mails within each other": lambda n: _write_mail(
            "", "Content-Type: message/rfc822\r\n\r\nFrom: a@b.example\r\n" * n
        ),
        "eml base64": lambda n: _write_mail("Content-Transfer-Encoding: base64\r\n", "YSBi\r\n" * n),
        "eml mails of a mailbox": lambda n: b"From a Wed Jul 16 06:24 2008\nSubject: b\n\nc\n\n" * n,
        "eml lines that begin with From": lambda n: b"From a Wed 06:24 2008\nTo: b\n\n" + b"From 1:00 2008 \n\n" * n,
        "eml quoted lines of a mailbox": lambda n: b"From a Wed 06:24 2008\nTo: b\n\n" + b">" * n + b"\n>From " * n,
        "eml in UTF-16": lambda n: ("From: a@b\nDate: x\n\n" + "ab\n\n" * n).encode("utf-16"),
        "eml quoted": lambda n: _write_mail("Content-Transfer-Encoding: quoted-printable\r\n", "a=20=\r\n" * n),
        **{f"eml text of {unit!a}": partial(_repeat_in_mail, unit=unit, kind="plain") for unit in _LINES},
        **{f"eml html text of {unit!a}": partial(_repeat_in_mail, unit=unit, kind="html") for unit in _UNITS},
    }


def _repeat_in_chapter(number: int, *, unit: str) -> bytes:
    return epub(unit * number + "x")


def _repeat_in_mail(number: int, *, unit: str, kind: str) -> bytes:
    return _write_mail(f"Content-Type: text/{kind}; charset=utf-8\r\n", unit * number + "x")


def _write_mail(fields: str, body: str) -> bytes:
    return f"From: a@b.example\r\nSubject: s\r\n{fields}\r\n{body}".encode()
