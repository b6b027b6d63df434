import json
import random
import struct
import zlib
from collections.abc import Callable

import pytest

from convert_support.compound import compound
from convert_support.effort import assert_linear
from convert_support.kit import KIT
from convert_support.packed import packed
from webquarry_convert.errors import ConversionFailed, UnsupportedType
from webquarry_convert.file.detect import detect
from webquarry_convert.file.formats import FORMATS

DEVELOPMENT = KIT / "evals/files/dev"
OFFICE = "application/vnd.openxmlformats-officedocument."
WORD = OFFICE + "wordprocessingml.document.main+xml"
ODF = "application/vnd.oasis.opendocument."
# a chunk's length and inflated length, a literal, and a message header with identifier 1 and the message's type
NUMBERS_MESSAGES = bytes.fromhex("00b61600d950f058300801122c080112030100")
PAGES_MESSAGES = bytes.fromhex("00b61600d950f058300801122c08904e120301")


def package(main: str, **parts: str) -> bytes:
    types = f'<Types><Override PartName="/main.xml" ContentType="{main}"/></Types>'
    return packed({"[Content_Types].xml": types, "main.xml": "<a/>", **parts})


def heif(major: bytes, *others: bytes) -> bytes:
    brands = major + bytes(4) + b"".join(others)
    return struct.pack(">I4s", 8 + len(brands), b"ftyp") + brands + b"\0\0\0\x08meta"


def bitmap() -> bytes:
    return struct.pack("<2sI4xI", b"BM", 58, 54) + struct.pack("<I2i2H6I", 40, 1, 1, 1, 24, 0, 4, 0, 0, 0, 0) + bytes(4)


def zipped(body: bytes) -> bytes:
    packer = zlib.compressobj(wbits=31)
    return packer.compress(body) + packer.flush()


KNOWN: dict[str, tuple[str, bytes]] = {
    "pdf": ("pdf", b"%PDF-1.7\n"),
    "pdf behind a mail's lines": ("pdf", b"\r\n" * 300 + b"%PDF-1.4\n1 0 obj<<>>endobj"),
    "docx": ("docx", package(WORD)),
    "docm": ("docx", package("application/vnd.ms-word.document.macroEnabled.main+xml")),
    "dotx": ("docx", package(OFFICE + "wordprocessingml.template.main+xml")),
    "docx without the main part's type": (
        "docx",
        packed({"[Content_Types].xml": "<Types/>", "Word/Document.xml": "<a/>"}),
    ),
    "docx with types in UTF-16": (
        "docx",
        packed({"[content_types].xml": f'<Types><Override ContentType="{WORD}"/></Types>'.encode("utf-16")}),
    ),
    "xlsx": ("xlsx", package(OFFICE + "spreadsheetml.sheet.main+xml")),
    "xlsm": ("xlsx", package("application/vnd.ms-excel.sheet.macroEnabled.main+xml")),
    "xlsx with types of extensions that it has no parts of": (
        "xlsx",
        packed(
            {
                "[Content_Types].xml": '<Types><Default Extension="bin" ContentType="application/vnd.ms-excel.sheet.'
                'binary.macroEnabled.main"/><Override PartName="/a.xml" '
                f'ContentType="{OFFICE}spreadsheetml.sheet.main+xml"/></Types>'
            }
        ),
    ),
    "xlsx without the main part's type": (
        "xlsx",
        packed({"[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<a/>"}),
    ),
    "pptx": ("pptx", package(OFFICE + "presentationml.presentation.main+xml")),
    "ppsm": ("pptx", package("application/vnd.ms-powerpoint.slideshow.macroEnabled.main+xml")),
    "pptx without the main part's type": (
        "pptx",
        packed({"[Content_Types].xml": "<Types/>", "ppt/presentation.xml": "<a/>"}),
    ),
    "epub": ("epub", packed({"mimetype": "application/epub+zip"})),
    "epub known by its container": (
        "epub",
        packed({"META-INF/container.xml": '<c><rootfile media-type="application/oebps-package+xml"/></c>'}),
    ),
    "mail": ("eml", b"From: a@b.example\r\nTo: c@d.example\r\nDate: Thu, 1 Jan 2026 10:00:00 +0000\r\n\r\nHello\r\n"),
    "mail with long fields": (
        "eml",
        b"Received: from a\n\tby b;\n\tThu\n" * 500 + b"From: a@b.example\nMessage-ID: <1@b>\n\na, b\nc, d\n",
    ),
    "mail without a date": ("eml", b"From: a@b.example\nTo: c@d.example\nSubject: s\n\nHello\n"),
    "mail saved as text by Outlook": (
        "eml",
        b"From:\tAda <a@b.example>\nSent:\tFriday\nTo:\tGrace\nSubject:\ts\n\na\n",
    ),
    "mail in UTF-16": ("eml", "From: a@b.example\nDate: x\nSubject: s\n\nGrüße\n".encode("utf-16")),
    "mail in UTF-16 without a mark": ("eml", "From: a@b.example\nDate: x\nSubject: s\n\na\n".encode("utf-16-be")),
    "mail with a text in UTF-16": (
        "eml",
        b"From: a@b.example\nDate: x\nSubject: s\n\n" + "abc".encode("utf-16-be") * 9,
    ),
    "mailbox": ("eml", b"From a@b Wed Jul 16 06:24:10 2008\nX-Labels: Inbox\nSubject: s\n\nHello\n"),
    "mail with nothing in it": ("eml", b"\n\nFrom: a@b.example\nSubject: a\nMIME-Version: 1.0\n"),
    "odt": ("odt", packed({"mimetype": ODF + "text"})),
    "ott": ("odt", packed({"mimetype": ODF + "text-template"})),
    "ods": ("ods", packed({"mimetype": ODF + "spreadsheet"})),
    "odp": ("odp", packed({"mimetype": ODF + "presentation"})),
    "ods known by its manifest": (
        "ods",
        packed({"META-INF/manifest.xml": f'<m><e media-type="{ODF}spreadsheet" full-path="/"/></m>'}),
    ),
    "numbers": ("numbers", packed({"Index/Document.iwa": NUMBERS_MESSAGES, "Data/Slide.png": b""})),
    "numbers in a folder": (
        "numbers",
        packed({"a.numbers/Index.zip": packed({"Index/Document.iwa": NUMBERS_MESSAGES})}),
    ),
    "numbers of 2009": ("numbers", packed({"index.xml": '<?xml version="1.0"?>\n<ls:document xmlns:ls="a"/>'})),
    "numbers of 2009, packed": ("numbers", packed({"index.xml.gz": zipped(b'<?xml version="1.0"?><ls:document/>')})),
    "doc": ("doc", compound("1Table", "WordDocument", "Data")),
    "xls": ("xls", compound("Workbook")),
    "xls in capitals": ("xls", compound("WORKBOOK")),
    "xls of 1995 in capitals": ("xls", compound("BOOK")),
    "xls of 1995": ("xls", compound("Book")),
    "xls without a compound file": ("xls", b"\x09\x08\x08\0\0\x05\x10\0\xbb\x0d\xcc\x07"),
    "xls of the eighties": ("xls", b"\x09\0\x04\0\2\0\x10\0"),
    "png": ("png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
    "jpeg": ("jpeg", b"\xff\xd8\xff\xe0\0\x10JFIF\0"),
    "tiff": ("tiff", b"II*\0\x08\0\0\0"),
    "tiff, big end first": ("tiff", b"MM\0*\0\0\0\x08"),
    "webp": ("webp", b"RIFF\x1a\0\0\0WEBPVP8L"),
    "gif": ("gif", b"GIF89a\1\0\1\0\0\0\0"),
    "bmp": ("bmp", bitmap()),
    "heic": ("heic", heif(b"heic", b"mif1")),
    "heic by its further brands": ("heic", heif(b"mif1", b"mif1", b"heic")),
    "csv": ("csv", b"a,b\n1,2\n"),
    "csv that speaks of HTML": ("csv", b"id,code\n1,<html><body>no page</body></html>\n2,<p>\n"),
    "csv that speaks of PDF": ("csv", b"type,mark\npdf,%PDF-\n"),
    "csv with a comparison": ("csv", b"<5,>5\n1,2\n"),
    "csv that begins with BM": ("csv", b"BMI;Name\n22;Ada\n"),
    "csv that begins with a brace": ("csv", b"{id},name\n1,a\n"),
    "csv that begins with a bracket": ("csv", b"[km],[h]\n1,[2]\n"),
    "csv in UTF-8 with a mark": ("csv", b"\xef\xbb\xbfNa\xc3\xafve,1\n"),
    "csv in UTF-16": ("csv", "a,b\n1,ж\n".encode("utf-16")),
    "csv in UTF-16 without a mark": ("csv", "Name,Ort\nÄnne,Köln\n".encode("utf-16-be")),
    "csv in Shift-JIS": ("csv", "名前,東京\n".encode("shift_jis")),
    "csv in ISO-2022-JP": ("csv", "名前,東京\n".encode("iso2022_jp")),
    "csv whose commas have spaces": ("csv", b"seed, 0x1\n0, 0xa2\n1, 0xb2\n2, 0xb5\n3, 0xff\n"),
    "csv without empty fields at the end": ("csv", b"name,from,to,by\nBuzz,1996,1997,a\nRex,1997,1998\nBo,1998,1999\n"),
    "csv with a title": ("csv", b"Sales of it all\n\na;b;c\n1;2;3\n4;5;6\n"),
    "csv in quotes": ("csv", b'"a","says, that it is"\n"b","and, if not, no"\n'),
    "csv with long fields": ("csv", b"id,comment\n" + b"7,it came late and the lid was broken but all is well\n" * 5),
    "one row": ("csv", b"a;b;c\n"),
    "csv with an end mark": ("csv", b"a,b\r\n" * 40 + b"\x1a"),
}

REFUSED = [
    ("HTML", b"<!DOCTYPE html><html><body>x</body></html>"),
    ("HTML", b"\xef\xbb\xbf\n\n<!-- a --> <!-- b -->\n  <HTML lang=en>"),
    ("HTML", "<!doctype html><html>".encode("utf-16")),
    ("HTML", "<html><head><title>".encode("utf-16-le")),
    ("HTML", b"<table><tr><td>1"),
    ("HTML", b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>'),
    ("SVG", b'<svg xmlns="http://www.w3.org/2000/svg"/>'),
    ("XML", b'<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>'),
    ("XML", b'<?xml version="1.0"?><a><b/></a>'),
    ("XML", b"<?xml version='1.0'?>\n<!-- a -->\n<link/>"),
    ("XML", b'<w:p xmlns:w="urn:a">one, two</w:p>'),
    ("XML", b'<rss version="2.0"><item>a, b</item></rss>\n'),
    ("XML", "<rss><item>a, b</item></rss>\n".encode("utf-16-le")),
    ("HTML", b'<h:html xmlns:h="http://www.w3.org/1999/xhtml"/>'),
    ("HTML", b"<!-- a --><a href=b>c</a>"),
    ("JSON", '[{"a": 1}]\n'.encode("utf-16-be")),
    ("already text", b"<!-- a -->\n# Notes\n\nMilk, eggs, bread.\n"),
    ("already text", b"<?php\necho 'a, b';\n"),
    ("MIME", b"From: <Saved by Blink>\r\nSubject: a\r\n b\r\nMIME-Version: 1.0\r\n"),
    ("MIME", b"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=a\n\n--a\n"),
    ("MIME", b"From: a@b\nDate: 1\nSnapshot-Content-Location: http://a.example/\nMIME-Version: 1.0\n\n--a\n"),
    ("already text", b"From: a@b.example\nDate: today\nno field\n"),
    ("RTF", b"{\\rtf1\\ansi a}"),
    ("JSON", b'[{"a": 1}]\n'),
    ("JSON", b'{"a": 1}\n{"a": 2}\n'),
    ("already text", b"# Notes\n\nMilk, eggs, bread.\n\n- one, two\n- three\n"),
    ("already text", b"Dear Ada,\n\nwe met on Monday, and agreed.\nGrace\n"),
    ("already text", b"import os, sys\n\n\ndef main(a, b):\n    print(a, b)\n    return a, b\n"),
    ("already text", b"#!/bin/sh\nfor a in 1 2; do\n  echo $a; done\n"),
    ("already text", b"int main(void) {\nint a = 1;\nint b = 2;\nreturn a + b;\n}\n"),
    ("already text", b"From: Ada\nTo: Grace\nSubject: Figures, again\n\nSee you, Ada\n"),
    ("already text", b"[main]\nhost = example.org\nports = 1, 2\n"),
    ("already text", b"name: a\nports:\n- 80\n- 443\n"),
    ("already text", b"| a | b |\n| --- | --- |\n| 1 | 2 |\n"),
    ("already text", b"one\ntwo\nthree\n"),
    ("already text", b"Hello, world\n"),
    ("Word 2", b"\xdb\xa5\x2d\0" + bytes(500)),
    ("Windows Write", b"1\xbe\0\0\0\xab" + bytes(500)),
    ("ZIP", packed({"a.txt": "hello"})),
    ("PowerPoint", compound("PowerPoint Document")),
    ("Outlook", compound("__properties_version1.0")),
    ("OLE2", compound("Something")),
    ("xlsb", package("application/vnd.ms-excel.sheet.binary.macroEnabled.main")),
    ("Visio", package("application/vnd.ms-visio.drawing.main+xml")),
    ("graphics", packed({"mimetype": ODF + "graphics"})),
    ("Pages", packed({"Index/Document.iwa": PAGES_MESSAGES})),
    ("Pages", packed({"index.xml": '<?xml version="1.0"?><sl:document/>'})),
    ("Keynote", packed({"Index/Document.iwa": NUMBERS_MESSAGES, "Index/Slide-12.iwa": b""})),
    ("Keynote", packed({"index.apxl.gz": b""})),
    ("program", b"\x7fELF\2\1\1\0\0\0" + random.Random(1).randbytes(500)),
    ("a program", b"MZ" + random.Random(2).randbytes(3000)),
    ("binary", bytes(5000)),
    ("gzip", zipped(b"a,b\n")),
    ("film", struct.pack(">I4s4s", 20, b"ftyp", b"isom") + b"\0\0\2\0isommp41"),
    ("image", heif(b"avif", b"mif1", b"avif")),
    ("empty", b""),
]


@pytest.mark.parametrize(
    "line",
    ["2026-05-12 10:00:00,123 INFO loaded, n=2\n", "[10:00:00,123] a, b\n", "12/05/2026, 10:15 - Ann: Hi, you\n",
     "[12.05.26, 10:15:07 PM] Bob: ok, bye\n"],
)  # fmt: skip
def test_log_and_chat_lines_are_not_table_rows(line: str) -> None:
    with pytest.raises(UnsupportedType, match="already text"):
        detect(line.encode() * 9)


def test_table_rows_may_begin_with_a_timestamp() -> None:
    assert detect(b"2026-05-12 10:00:00,4.5,x\n12/05/2026,10:15,7\n12/05/2026 10:16,8,1\n" * 3) == "csv"


def test_every_format_has_a_file_that_is_detected() -> None:
    assert {expected for expected, _ in KNOWN.values()} == set(FORMATS)


@pytest.mark.parametrize("case", KNOWN)
def test_type_is_detected_from_the_content(case: str) -> None:
    expected, body = KNOWN[case]
    assert detect(body) == expected


@pytest.mark.parametrize(("named", "body"), REFUSED)
def test_unsupported_types_are_rejected_by_name(named: str, body: bytes) -> None:
    with pytest.raises(UnsupportedType, match=named):
        detect(body)


@pytest.mark.parametrize(
    "body",
    [b"one\ntwo\n", b"comment\nIt came late, and the lid, as so often, was broken\n", b"Hello, world\n", b"a\n"],
)
def test_small_text_with_a_table_extension_is_a_table(body: bytes) -> None:
    for name in ("scores.csv", "SCORES.TSV", "a.tab"):
        assert detect(body, name) == "csv"
    for name in ("", "notes.txt", "csv", "notes.csv.md"):
        with pytest.raises(UnsupportedType, match="already text"):
            detect(body, name)


@pytest.mark.parametrize("body", [b"Subject: s\n\na\n", b"To: Ada\nX-Unsent: 1\n\na\n", b"From: Ada\n\na\n"])
def test_text_with_one_known_field_and_a_mail_extension_is_a_mail(body: bytes) -> None:
    assert detect(body, "a.EML") == "eml"
    with pytest.raises(UnsupportedType):
        detect(body, "a.txt")


@pytest.mark.parametrize("body", [b"Dear Ada,\n\nhello\n", b"Note: call Ada\n\na\n", b"To: Ada\nno field\n\na\n"])
def test_mail_extension_does_not_make_text_without_fields_a_mail(body: bytes) -> None:
    with pytest.raises(UnsupportedType):
        detect(body, "a.eml")


def test_table_extension_does_not_make_other_types_a_table() -> None:
    with pytest.raises(UnsupportedType, match="HTML"):
        detect(b"<!DOCTYPE html><html><body>x</body></html>", "scores.csv")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (compound("EncryptionInfo", "EncryptedPackage"), "encrypted"),
        (packed({"mimetype": ODF + "text", "META-INF/manifest.xml": "<m><encryption-data/></m>"}), "encrypted"),
        (packed({"mimetype": ODF + "text", "encrypted-package": b"x"}), "encrypted"),
        (packed({".iwpv2": b"x", "Index/Document.iwa": b"x"}), "encrypted"),
        (package(WORD)[:-30], "corrupt"),
        (packed({"a": bytes(30_000_000)}), "limits"),
        (compound("Workbook")[:512], "corrupt"),
    ],
)
def test_unreadable_documents_are_distinguished(body: bytes, reason: str) -> None:
    with pytest.raises(ConversionFailed) as caught:
        detect(body)
    assert caught.value.reason == reason


def test_streams_inside_others_do_not_make_a_workbook() -> None:
    assert detect(compound("WordDocument", inside=("Workbook",))) == "doc"
    with pytest.raises(UnsupportedType):
        detect(compound("Data", inside=("Workbook",)))


def test_cyclic_directory_does_not_hang() -> None:
    body = bytearray(compound("Workbook"))
    body[512 + 4 : 512 + 8] = struct.pack("<I", 1)  # the sector after the directory refers to itself
    assert detect(bytes(body)) == "xls"


@pytest.mark.parametrize(
    "made",
    [
        lambda size: b"<!-- -->" * size + b"a,b",
        lambda size: b"<!--" * size,
        lambda size: b"a:\n " * size,
        lambda size: b"\0a" * size,
        lambda size: b',""' * size,
        lambda size: b',"a' * size,
        lambda size: b"a,(\n;|\t^" * size,
        lambda size: packed({"META-INF/manifest.xml": b"<e " + b'full-path="/ ' * size}),
        lambda size: packed({"[Content_Types].xml": b"application/vnd.ms-word." * size}),
    ],
)
def test_hostile_beginnings_take_linear_time(made: Callable[[int], bytes]) -> None:
    def prepared(size: int) -> Callable[[], object]:
        body = made(size)
        return lambda: [_judged(body) for _ in range(20)]

    assert_linear(prepared, 8000)


def _judged(body: bytes) -> str:
    try:
        return detect(body)
    except UnsupportedType as refused:
        return refused.message


def test_damage_never_gives_unexpected_errors() -> None:
    chance = random.Random(3)
    bodies = [body for _, body in KNOWN.values()]
    for _ in range(4000):
        body = bytearray(chance.choice(bodies))
        for _ in range(chance.choice((1, 2, 8))):
            body[chance.randrange(len(body))] = chance.randrange(256)
        try:
            assert detect(bytes(body[: chance.randrange(len(body) + 1)])) in FORMATS
        except (UnsupportedType, ConversionFailed):
            continue


@pytest.mark.skipif(not DEVELOPMENT.is_dir(), reason="the development documents are not here")
def test_types_of_real_documents_are_detected() -> None:
    pictures = {".jpg": "jpeg", ".png": "png", ".tif": "tiff"}
    wrong = []
    for line in (DEVELOPMENT / "manifest.jsonl").read_text().splitlines():
        entry = json.loads(line)
        path = DEVELOPMENT / entry["path"]
        expected = {"scan": "pdf", "image": pictures.get(path.suffix)}.get(entry["format"], entry["format"])
        if (found := detect(path.read_bytes(), path.name)) != expected:
            wrong.append((path.name, found))
    assert wrong == []
