"""What an uploaded file is, by its content. Its name is not believed: HTML is called `.xls`, anything `.pdf`. It tells
no more than whether a text is meant as a table.

    kind = detect(body, name)      # "docx"; raises UnsupportedType for what is not read

Only the beginning, the directory of an archive and some small parts are looked at, so it is asked before anything is
charged; in a worker, as a made archive takes it a second or two.
"""

import re
import zlib
from collections.abc import Mapping
from typing import Final, Literal, NoReturn

from webquarry_convert.errors import UnsupportedType
from webquarry_convert.file.archive import Archive
from webquarry_convert.file.compound import SIGNATURE, Compound
from webquarry_convert.file.delimited import is_table
from webquarry_convert.file.document import make_encrypted_error
from webquarry_convert.file.limits import MAX_FILE
from webquarry_convert.media import identify_media

FileType = Literal[
    "pdf",
    "docx",
    "doc",
    "xlsx",
    "xls",
    "csv",
    "odt",
    "ods",
    "odp",
    "numbers",
    "png",
    "jpeg",
    "tiff",
    "webp",
    "gif",
    "bmp",
    "heic",
]

DETECT: Final = "webquarry_convert.file.detect:detect"
"""The name by which a pool runs `detect`."""
PICTURES: frozenset[FileType] = frozenset({"png", "jpeg", "tiff", "webp", "gif", "bmp", "heic"})
"""Types whose text only OCR can read."""

READ: Final = "PDF, Word, Excel, CSV, OpenDocument, Apple Numbers and images are read"

TABLE_NAMES: Final = (".csv", ".tsv", ".tab")
"""How names of delimited texts end."""
_HEAD = 16 * 1024
"""Bytes that decide about text."""
_SMALL = 1 << 20
"""Parts of archives that are larger are not looked at."""
_PDF = b"%PDF-"
_PDF_REACH = 1024
"""Bytes that may stand in front of a PDF's signature, as readers of PDF allow."""

_PICTURES: tuple[tuple[bytes, FileType], ...] = (
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"II*\0", "tiff"),
    (b"MM\0*", "tiff"),
    (b"II+\0", "tiff"),
    (b"MM\0+", "tiff"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
)
_BITMAP_HEADERS = (12, 40, 52, 56, 64, 108, 124)
_HEIC_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs"})
_IMAGE_BRANDS = frozenset({b"mif1", b"msf1", b"mif2"})  # says "a picture", and the brands behind say which

_BARE_SHEETS = (b"\x09\0\x04\0", b"\x09\x02\x06\0", b"\x09\x04\x06\0", b"\x09\x08\x08\0", b"\x09\x08\x10\0")
"""A workbook of Excel's old versions without a compound file around it: kind and length of its first record."""
_COMPOUNDS: tuple[tuple[str, FileType], ...] = (("WordDocument", "doc"), ("Workbook", "xls"), ("Book", "xls"))
_OTHER_COMPOUNDS = (
    ("PowerPoint Document", "a PowerPoint presentation"),
    ("VisioDocument", "a Visio drawing"),
    ("__properties_version1.0", "an Outlook message"),
    ("Quill", "a Publisher document"),
)

_CONTENT_TYPES = "[Content_Types].xml"
_MAIN_TYPE = re.compile(
    rb"application/vnd\.(?:openxmlformats-officedocument\.|ms-)(wordprocessingml|word|spreadsheetml|excel|"
    rb"presentationml|powerpoint|visio)\.[\w.]*\.main(\+xml)?[\"']",
    re.IGNORECASE,
)
_MAIN_NAMES: Mapping[bytes, FileType | str] = {
    b"wordprocessingml": "docx",
    b"word": "docx",
    b"spreadsheetml": "xlsx",
    b"excel": "xlsx",
    b"presentationml": "a PowerPoint presentation",
    b"powerpoint": "a PowerPoint presentation",
    b"visio": "a Visio drawing",
}
_OPEN_DOCUMENT = re.compile(rb"application/vnd\.oasis\.opendocument\.([a-z]+)")
_OPEN_DOCUMENTS: Mapping[bytes, FileType] = {b"text": "odt", b"spreadsheet": "ods", b"presentation": "odp"}
_ROOT_ENTRIES = (b'full-path="/"', b"full-path='/'")
_PAGES_DOCUMENT = re.compile(rb"\x08\x01\x12.{1,2}\x08\x90\x4e", re.DOTALL)  # its first message is of type 10000
_KEYNOTE_PART = re.compile(r"(?:\A|/)(?:Master|Template)?Slide[^/]*\.iwa\Z")

_NO_TEXT = bytes([*range(9), 11, *range(14, 26), *range(28, 32), 127])
"""Control characters that texts do not hold. Form feed, the end mark of old systems and escape (ISO-2022) they do."""
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_PROLOG = re.compile(r"\s*(<!--|<\?|)")
_JSON = re.compile(r'(?:\{\s*"|\[\s*[\[{"])')
_DOCTYPE = re.compile(r"<!doctype\s+([\w:.-]*)", re.IGNORECASE)
_TAG = re.compile(r"<(?:[a-z]+:)?([a-z][a-z0-9]*)(?=[\s/>]|\Z)", re.IGNORECASE)
_HTML_TAG_NAMES = """
    a abbr address article aside b base basefont big blockquote body br button canvas caption center cite code col
    colgroup dd del details dfn dialog div dl dt em embed fieldset figcaption figure font footer form frame frameset
    h1 h2 h3 h4 h5 h6 head header hr html i iframe img input ins kbd label legend li link main map mark menu meta nav
    noframes noscript object ol optgroup option p param picture pre q s samp script section select small source span
    strike strong style sub summary sup table tbody td template textarea tfoot th thead time title tr tt u ul var video
"""
_HTML_TAGS = frozenset(_HTML_TAG_NAMES.split())
_MESSAGE = re.compile(r"(?:[A-Za-z][A-Za-z0-9-]*:[^\n]*\n(?:[ \t][^\n]*\n)*)*?MIME-Version:[ \t]*\d", re.IGNORECASE)


def detect(body: bytes, name: str = "") -> FileType:
    """name: of the file, or ""; a text whose name says so is a table, however few rows and columns it has.

    Raises `UnsupportedType` for what is not read; it says what the file is. Raises `ConversionFailed` for an
    encrypted document, and for an archive or a compound file that is damaged or beyond the limits."""
    if not body:
        raise UnsupportedType("The file is empty: upload one that has content.")
    head = body[:_HEAD]
    if head.startswith(_PDF):
        return "pdf"
    if head.startswith((b"PK\3\4", b"PK\5\6")):
        return _detect_archive(body)
    if head.startswith(SIGNATURE):
        return _detect_compound(body)
    if picture := _detect_picture(head):
        return picture
    if head.startswith(_BARE_SHEETS):
        return "xls"
    if _PDF in head[: _PDF_REACH + len(_PDF)] and (b"endobj" in body or b"startxref" in body):  # texts speak of it too
        return "pdf"
    text = _decode_head(head)
    if text is None:
        media = identify_media(head[:64], "")
        _refuse(media.name if media.form == "other" else "a binary file")
    if notation := _identify_notation(text, body):
        _refuse(notation)
    if not name.lower().endswith(TABLE_NAMES) and not is_table(text, is_whole=len(body) <= _HEAD):
        raise UnsupportedType(f"The file is text already and needs no conversion: {READ}.")
    return "csv"


def is_picture(body: bytes) -> bool:
    """Whether the file is of the `PICTURES`, by its first bytes; this takes no time."""
    return _detect_picture(body[:_HEAD]) is not None


def _refuse(what: str) -> NoReturn:
    raise UnsupportedType(f"The file is {what}, which is not read: {READ}.")


def _detect_picture(head: bytes) -> FileType | None:
    for signature, kind in _PICTURES:
        if head.startswith(signature):
            return kind
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "webp"
    if head.startswith(b"BM") and int.from_bytes(head[14:18], "little") in _BITMAP_HEADERS:
        return "bmp"
    if head[4:8] == b"ftyp":
        brands = head[8 : min(int.from_bytes(head[:4], "big"), 256)]
        if head[8:12] in _HEIC_BRANDS or (head[8:12] in _IMAGE_BRANDS and any(b in brands for b in _HEIC_BRANDS)):
            return "heic"
    return None


def _detect_compound(body: bytes) -> FileType:
    file = Compound(body)
    if "EncryptedPackage" in file:
        raise make_encrypted_error()
    for name, kind in _COMPOUNDS:
        if name in file:
            return kind
    _refuse(next((what for name, what in _OTHER_COMPOUNDS if name in file), "an OLE2 file of another program"))


def _detect_archive(body: bytes) -> FileType:
    archive = Archive(body)
    if (kind := _detect_office(archive) or _detect_open_document(archive) or _detect_iwork(archive)) is None:
        _refuse("a ZIP archive")
    return kind


def _read_small_part(archive: Archive, name: str) -> bytes:
    """A part of an archive; b"" where it is missing, or larger than such a part is."""
    return (archive.read(name) or b"") if (archive.size(name) or 0) <= _SMALL else b""


def _detect_office(archive: Archive) -> FileType | None:
    if _CONTENT_TYPES not in archive:
        return None
    types = _read_small_part(archive, _CONTENT_TYPES)
    if types.startswith((b"\xff\xfe", b"\xfe\xff")):
        types = types.decode("utf-16", "replace").encode()
    for main in _MAIN_TYPE.finditer(types):
        kind = _MAIN_NAMES[main[1].lower()]
        if main[2] is None:
            _refuse("a binary Excel workbook (.xlsb)")
        if kind not in ("docx", "xlsx"):
            _refuse(kind)
        return "docx" if kind == "docx" else "xlsx"
    # some programs leave the main part's type out, and Office opens their files
    if "word/document.xml" in archive:
        return "docx"
    return "xlsx" if "xl/workbook.xml" in archive else None


def _detect_open_document(archive: Archive) -> FileType | None:
    manifest = _read_small_part(archive, "META-INF/manifest.xml")
    entries = (entry for entry in manifest.split(b"<") if any(root in entry for root in _ROOT_ENTRIES))
    stated = _read_small_part(archive, "mimetype") or next(entries, b"")
    if stated.startswith(b"application/epub+zip"):
        _refuse("an EPUB book")
    if stated.startswith(b"application/vnd.sun.xml."):
        _refuse("a document of StarOffice or OpenOffice.org 1")
    found = _OPEN_DOCUMENT.search(stated)
    if found is None:
        return None
    if b"encryption-data" in manifest or "encrypted-package" in archive:
        raise make_encrypted_error()
    if (kind := _OPEN_DOCUMENTS.get(found[1])) is None:
        _refuse(f"an OpenDocument file of another kind ({found[1].decode()})")
    return kind


def _detect_iwork(archive: Archive) -> FileType | None:
    """Numbers, which since 2013 packs messages, and before packed XML. Its folder may be packed as a whole, with the
    messages in an archive of their own."""
    names = _map_last_names(archive)
    if ".iwpv2" in names:
        raise make_encrypted_error()
    if "Index.zip" in names and (archive.size(names["Index.zip"]) or 0) <= MAX_FILE:
        archive = Archive(archive.read(names["Index.zip"]) or b"")
        names = _map_last_names(archive)
    if "Document.iwa" in names:
        if any(map(_KEYNOTE_PART.search, archive.names)):
            _refuse("a Keynote presentation")
        if _PAGES_DOCUMENT.search(next(archive.stream(names["Document.iwa"]), b""), 0, 32):
            _refuse("a Pages document")
        return "numbers"
    if "index.apxl" in names or "index.apxl.gz" in names:
        _refuse("a Keynote presentation")
    if "index.xml" in names or "index.xml.gz" in names:
        root = _read_first_bytes(archive, names.get("index.xml") or names["index.xml.gz"])
        if b"<ls:document" in root:
            return "numbers"
        if b"<sl:document" in root:
            _refuse("a Pages document")
    return None


def _map_last_names(archive: Archive) -> dict[str, str]:
    return {name.rpartition("/")[2]: name for name in reversed(archive.names)}


def _read_first_bytes(archive: Archive, name: str) -> bytes:
    piece = next(archive.stream(name), b"")
    if not name.endswith(".gz"):
        return piece[:4096]
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(piece, 4096)
    except zlib.error:
        return b""


def _decode_head(head: bytes) -> str | None:
    """The beginning as text, in which characters beyond ASCII may be wrong; None when it is none."""
    encoding = None
    for mark, marked in _BOMS:
        if head.startswith(mark):
            head, encoding = head[len(mark) :], marked
            break
    encoding = encoding or _guess_encoding(head)
    if encoding.startswith("utf-16"):
        text = head.decode(encoding, "replace")
        if text.count("\ufffd") * 100 > len(text) + 100:  # the last character may be cut
            return None
        head = text.encode("utf-8", "replace")
    if 0 in head or (len(head) - len(head.translate(None, _NO_TEXT))) * 100 > len(head):
        return None
    return head.decode("latin-1")


def _guess_encoding(head: bytes) -> str:
    """UTF-16 is known by its zeros, which stand in every other place only."""
    even, odd = head[::2].count(0), head[1::2].count(0)
    if odd > 16 * even and odd * 32 > len(head):
        return "utf-16-le"
    if even > 16 * odd and even * 32 > len(head):
        return "utf-16-be"
    return "latin-1"


def _identify_notation(text: str, body: bytes) -> str | None:
    """What a text is that is no table, by its beginning: a page is not to be read as one."""
    at, is_xml = _skip_prolog(text)
    if doctype := _DOCTYPE.match(text, at):
        return {"html": "an HTML page", "svg": "an SVG image"}.get(doctype[1].lower(), "an XML document")
    if tag := _TAG.match(text, at):
        name = tag[1].lower()
        if name == "svg":
            return "an SVG image"
        if name in _HTML_TAGS:
            return "an HTML page"
    if is_xml:
        return "an XML document"
    if text.startswith("{\\rtf", at):
        return "an RTF document"
    if _MESSAGE.match(text, at):
        return "a web archive or a mail (MIME)"
    # not parsed: that takes long, and lines of objects are no table either
    is_json = _JSON.match(text, at) and body[-64:].rstrip().endswith((b"}", b"]"))
    return "JSON data" if is_json else None


def _skip_prolog(text: str) -> tuple[int, bool]:
    """Where the first thing begins behind spaces, comments and the declaration of XML; and whether there were any."""
    at, is_xml = 0, False
    while prolog := _PROLOG.match(text, at):
        at = prolog.end()
        if not prolog[1]:
            break
        is_xml = True
        closing = "-->" if prolog[1] == "<!--" else "?>"
        end = text.find(closing, at)
        at = len(text) if end < 0 else end + len(closing)
    return at, is_xml
