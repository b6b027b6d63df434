"""Texts: long runs of one character, of scripts and of characters with a meaning in markdown, and false encodings."""

import json
from collections.abc import Callable, Iterator

from attacks.attack import Attack, Page
from attacks.markup import LARGEST, fill_page, html

MEGABYTE = 1024 * 1024
_SIGNS = "*_`~[]()<>#|\\!-+=.:;,'\"@$%^&{}/? \t\u00a0\u200b\u00ad"
_PLAIN = "text/plain; charset=utf-8"


def _run(sign: str, most: int = LARGEST) -> bytes:
    data = sign.encode()
    return data * (most // len(data))


_TEXTS: dict[str, tuple[str, Callable[[], bytes], str]] = {
    "returns": ("9 MB of carriage returns are served as text.", lambda: b"\r" * 9_000_000, _PLAIN),
    "line feeds": ("9 MB of line feeds are served as text.", lambda: b"\n" * 9_000_000, _PLAIN),
    "returns and line feeds": ("9 MB of both.", lambda: b"\r\n" * 4_500_000, _PLAIN),
    "spaces": ("9 MB of spaces.", lambda: b"a" + b" " * 9_000_000 + b"b", _PLAIN),
    "one word": ("A word of 9 MB.", lambda: b"a" * 9_000_000, _PLAIN),
    "nothing": ("9 MB of zero bytes.", lambda: bytes(9_000_000), _PLAIN),
    "Chinese": ("9 MB of Chinese without a space.", lambda: _run("漢字仮名"), _PLAIN),
    "markdown, lists": (
        "Markdown of 9 MB is items, each deeper.",
        lambda: b"".join(b" " * (at % 2000) + b"- a\n" for at in range(9_000)),
        "text/markdown",
    ),
    "markdown, quotes": ("Markdown of 9 MB is quotation signs.", lambda: _run("> "), "text/markdown"),
    "markdown, brackets": ("Markdown of 9 MB is brackets.", lambda: _run("[]("), "text/markdown"),
    "markdown, emphasis": (
        "Markdown of 9 MB is emphasis that is not closed.",
        lambda: _run("*a **b _"),
        "text/markdown",
    ),
    "markdown, backticks": (
        "Markdown has runs of backticks, each longer.",
        lambda: b" a ".join(b"`" * at for at in range(1, 4000)),
        "text/markdown",
    ),
    "markdown, tables": ("Markdown of 9 MB is a table.", lambda: b"|a|b|\n|-|-|\n" + _run("|a|b|\n"), "text/markdown"),
    "markdown, definitions": ("Markdown of 9 MB is definitions of links.", lambda: _run("[a]: /b\n"), "text/markdown"),
    "JSON, nested": ("JSON of 9 MB nests.", lambda: b"[" * (LARGEST // 2) + b"]" * (LARGEST // 2), "application/json"),
    "JSON, wide": (
        "JSON has a million names.",
        lambda: json.dumps({f"n{at}": at for at in range(500_000)}).encode(),
        "application/json",
    ),
    "JSON, digits": ("JSON is a number of 9 MB.", lambda: b"9" * LARGEST, "application/json"),
    "JSON, one text": (
        "JSON is a text of 9 MB of backslashes.",
        lambda: b'"' + b"\\\\" * (LARGEST // 2 - 2) + b'"',
        "application/json",
    ),
    "JSON, objects": (
        "JSON is 300,000 objects.",
        lambda: json.dumps([{"a": 1, "b": "two"}] * 300_000).encode(),
        "application/json",
    ),
    "XML, nested": (
        "XML of 9 MB nests.",
        lambda: b"<a>" * (LARGEST // 7) + b"</a>" * (LARGEST // 7),
        "application/xml",
    ),
    "XML, entities": (
        "XML defines a billion laughs.",
        lambda: (
            b'<!DOCTYPE l [<!ENTITY a "ha">'
            + b"".join(
                b'<!ENTITY a%d "%b">' % (at, b"&a%b;" % (str(at - 1).encode() if at > 1 else b"") * 10)
                for at in range(1, 10)
            )
            + b"]><l>&a9;</l>"
        ),
        "application/xml",
    ),
    "XML, feed": (
        "A feed has 100,000 entries.",
        lambda: (
            b"<rss version='2.0'><channel><title>a</title>"
            + b"<item><title>a</title><description>&lt;p&gt;b</description></item>" * 100_000
        ),
        "application/rss+xml",
    ),
    "CSV": ("A table of 9 MB is served.", lambda: b"a,b\n" + b"1,2\n" * (LARGEST // 4 - 1), "text/csv"),
    "script": ("9 MB of a script are served.", lambda: _run("var a = {b: [1, 2]};\n"), "text/javascript"),
    "of no type": ("9 MB of angle brackets are served without a type.", lambda: _run("<"), "application/octet-stream"),
}
"""The sentence, the bytes and the Content-Type of each attack, by special feature."""

_IN_PAGES: dict[str, tuple[str, str]] = {
    "Chinese": ("9 MB of Chinese without a space are in a page.", "漢字仮名"),
    "combining marks": ("A letter has megabytes of combining marks.", "\u0301\u0327"),
    "combining letters": ("Letters have a combining mark each.", "e\u0301"),
    "joined emoji": ("Emoji are joined endlessly.", "\U0001f469\u200d"),
    "right to left": ("Direction is changed at every sign.", "\u202ea\u202c"),
    "no spaces of width": ("Words are parted by spaces without width.", "a\u200b"),
    "ligatures": ("Ligatures that become many letters.", "\ufdfa"),
    "Hangul parts": ("Syllables are written in parts.", "\u1112\u1161\u11ab"),
    "digits": ("9 MB of digits.", "1"),
    "dates": ("Dates by the million.", "2024-01-02 "),
    "money": ("Prices by the million.", "$1,234.56 "),
    "addresses": ("Addresses by the hundred thousand.", "http://a.example/b?c=d#e "),
    "address without end": ("An address of 9 MB.", "http://a."),
    "mail addresses": ("Endless email addresses.", "a@b."),
    "hyphens": ("Endless hyphenated words.", "a-"),
    "sentences": ("Sentences of one letter.", "A. "),
    "words of bylines": ("Bylines by the hundred thousand.", "By A B, 2 min read | Share "),
    "formulas": ("Dollar signs around letters.", "$a$ "),
    "formula without end": ("Formulas begin and do not end.", "\\( \\[ $$"),
    "fences": ("Fences of code in a text.", "```\n~~~\n"),
    "list signs": ("Every line begins like an item.", "1. a\n"),
    "table signs": ("Every line looks like a table.", "|--|\n"),
}
"""Repeated text of a page."""

_LIES: dict[str, tuple[str, Callable[[], bytes], str]] = {
    "UTF-7": ("A page calls itself UTF-7.", lambda: html("<p>+ADw-script+AD4-" * 200_000), "text/html; charset=utf-7"),
    "UTF-16 without a mark": (
        "9 MB of UTF-16 come without a mark or a name.",
        lambda: html("<p>Some words.</p>" * 250_000).decode().encode("utf-16-le"),
        "text/html",
    ),
    "UTF-16 by half": (
        "A page in UTF-8 begins with the mark of UTF-16.",
        lambda: b"\xff\xfe" + html("<p>Some words.</p>" * 400_000),
        "text/html; charset=utf-16",
    ),
    "lone surrogates": (
        "UTF-16 is halves of characters.",
        lambda: b"\xff\xfe" + b"\x00\xd8" * 4_000_000,
        "text/html; charset=utf-16",
    ),
    "UTF-32": (
        "A page is UTF-32.",
        lambda: html("<p>Some words.</p>" * 100_000).decode().encode("utf-32"),
        "text/html",
    ),
    "unknown name": ("The encoding's name has 7,000 letters.", lambda: html(), "text/html; charset=" + "x" * 7000),
    "name of an unusual codec": (
        "The encoding is named after a codec of Python's.",
        lambda: html(),
        "text/html; charset=idna",
    ),
    "name of a packer": ("The encoding is called zlib.", lambda: html(), "text/html; charset=zlib_codec"),
    "punycode": (
        "9 MB are called Punycode.",
        lambda: b"a" * 3_000_000 + b"-" + b"9" * 6_000_000,
        "text/html; charset=punycode",
    ),
    "escapes": (
        "9 MB are called an encoding of escapes.",
        lambda: b"\\N{LATIN SMALL LETTER A}" * 350_000,
        "text/html; charset=unicode_escape",
    ),
    "ISO-2022": (
        "An encoding with states changes it at every sign.",
        lambda: b"\x1b$B\x1b(B" * 1_400_000,
        "text/html; charset=iso-2022-jp",
    ),
    "HZ": ("Another one does so.", lambda: b"~{~}" * 2_400_000, "text/html; charset=hz"),
    "invalid everywhere": (
        "Every byte of 9 MB breaks UTF-8.",
        lambda: b"<p>" + b"\xff\x80" * 4_500_000,
        "text/html; charset=utf-8",
    ),
    "nothing says which": (
        "9 MB of random letters of many encodings.",
        lambda: b"<p>" + bytes(range(128, 256)) * 70_000,
        "text/html",
    ),
    "many declarations": (
        "100,000 elements name an encoding.",
        lambda: b"<meta charset=koi8-r>" * 100_000 + html(),
        "text/html",
    ),
    "declaration without end": (
        "The declaration of an encoding is a megabyte of spaces.",
        lambda: (
            b'<meta http-equiv="content-type" content="text/html; charset' + b" " * MEGABYTE + b'=koi8-r">' + html()
        ),
        "text/html",
    ),
    "XML declaration": (
        "An XML declaration has no end.",
        lambda: b"<?xml " + b"encoding " * 1_000_000,
        "application/xhtml+xml",
    ),
}


def attacks() -> Iterator[Attack]:
    for what, (tries, makes, kind) in _TEXTS.items():
        yield Attack(f"text: {what}", tries, Page(makes, kind))
    for what, (tries, piece) in _IN_PAGES.items():
        yield Attack(f"writing: {what}", tries, Page(_fill_text(piece)))
    for sign in _SIGNS:
        shown = sign if sign.isprintable() and sign != " " else f"U+{ord(sign):04X}"
        yield Attack(f"sign: {shown}", f"A page's text is a megabyte of {shown}.", Page(_fill_text(sign, MEGABYTE)))
    for what, (tries, makes, kind) in _LIES.items():
        yield Attack(f"encoding: {what}", tries, Page(makes, kind))


def _fill_text(piece: str, most: int = LARGEST - 4096) -> Callable[[], bytes]:
    shown = piece.replace("&", "&amp;").replace("<", "&lt;")
    return lambda: fill_page(shown, most, before="<p>", after="</p>")
