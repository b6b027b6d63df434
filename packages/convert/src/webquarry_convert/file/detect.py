"""Detection of the type of an uploaded file from its content.

File names are not trusted: some HTML files end in `.xls`, and any file may end in `.pdf`. The name only helps to
recognize a table or a mail among text files. Built-in formats are tried before formats from other distributions.

    kind = detect(body, name)      # "docx"; raises UnsupportedType for unsupported types

Detection reads only a file's beginning, or an archive's directory and a few small parts. It is therefore cheap enough
to run before a request is charged. It runs in a worker, because a crafted archive can take a second or two.
"""

import re
from typing import Final

from webquarry_convert.errors import UnsupportedType
from webquarry_convert.file.archive_type import detect_archive
from webquarry_convert.file.compound import SIGNATURE, Compound
from webquarry_convert.file.delimited import is_table
from webquarry_convert.file.document import make_encrypted_error
from webquarry_convert.file.formats import FORMATS, PICTURES, describe_supported, list_installed, refuse_type
from webquarry_convert.file.mail.mailbox import cut_fields
from webquarry_convert.file.mail.recognition import is_mail
from webquarry_convert.file.wide_text import WINDOW, decode_utf16, find_utf16
from webquarry_convert.media import identify_media

TABLE_NAMES: Final = (".csv", ".tsv", ".tab")
"""File extensions of delimited tables."""
_HEAD = WINDOW
"""Number of bytes that are examined to recognize text."""
(_PDF,) = FORMATS["pdf"].signatures
_PDF_REACH = 1024
"""Maximum number of bytes before a PDF's signature. PDF readers allow as many."""

_SIGNATURES: Final = {signature: each.name for each in FORMATS.values() for signature in each.signatures}
_BITMAP_HEADERS = (12, 40, 52, 56, 64, 108, 124)
_HEIC_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs"})
_IMAGE_BRANDS = frozenset({b"mif1", b"msf1", b"mif2"})  # generic brands; a later brand names the format

_OLD_TEXTS = (
    (b"\xdb\xa5", "a Word 2 for Windows document"),
    (b"\x9b\xa5", "a Word 1 for Windows document"),
    (b"1\xbe\0\0\0\xab", "a Windows Write or Word for DOS document"),
)
_BARE_SHEETS = (b"\x09\0\x04\0", b"\x09\x02\x06\0", b"\x09\x04\x06\0", b"\x09\x08\x08\0", b"\x09\x08\x10\0")
"""Possible first bytes of an old Excel workbook without a compound file: the type and length of its first record."""
_COMPOUNDS: tuple[tuple[str, str], ...] = (("WordDocument", "doc"), ("Workbook", "xls"), ("Book", "xls"))
_OTHER_COMPOUNDS = (
    ("PowerPoint Document", "a PowerPoint presentation"),
    ("VisioDocument", "a Visio drawing"),
    ("__properties_version1.0", "an Outlook message"),
    ("Quill", "a Publisher document"),
)

_NO_TEXT = bytes([*range(9), 11, *range(14, 26), *range(28, 32), 127])
"""Control characters that never occur in text.

Form feed, the end-of-file mark of old systems and escape (ISO-2022) may occur.
"""
_UTF8_MARK = b"\xef\xbb\xbf"
_PROLOG = re.compile(r"\s*(<!--|<\?|)")
_JSON = re.compile(r'(?:\{\s*"|\[\s*[\[{"])')
_DOCTYPE = re.compile(r"<!doctype\s+([\w:.-]*)", re.IGNORECASE)
_TAG = re.compile(r"<([a-z]+:)?([a-z][a-z0-9]*)(?=[\s/>]|\Z)", re.IGNORECASE)
_HTML_TAG_NAMES = """
    a abbr address article aside b base basefont big blockquote body br button canvas caption center cite code col
    colgroup dd del details dfn dialog div dl dt em embed fieldset figcaption figure font footer form frame frameset
    h1 h2 h3 h4 h5 h6 head header hr html i iframe img input ins kbd label legend li link main map mark menu meta nav
    noframes noscript object ol optgroup option p param picture pre q s samp script section select small source span
    strike strong style sub summary sup table tbody td template textarea tfoot th thead time title tr tt u ul var video
"""
_HTML_TAGS = frozenset(_HTML_TAG_NAMES.split())
_MESSAGE = re.compile(r"(?:[A-Za-z][A-Za-z0-9-]*:[^\n]*\n(?:[ \t][^\n]*\n)*)*?MIME-Version:[ \t]*\d", re.IGNORECASE)


def detect(body: bytes, name: str = "") -> str:
    """Return the type of a file.

    name: the file's name, or "". A text file whose extension is for tables or mail has this type, even if it has few
    rows, columns or fields.

    Raises `UnsupportedType`, naming the type, for an unsupported file. Raises `ConversionFailed` for an encrypted
    document, and for an archive or a compound file that is damaged or too large.
    """
    if not body:
        raise UnsupportedType("The file is empty. Upload a file with content.")
    try:
        return _detect_built_in(body, name)
    except UnsupportedType:
        for kind, installed in list_installed().formats.items():
            if installed.matches(body, name):
                return kind
        raise


def _detect_built_in(body: bytes, name: str) -> str:
    head = body[:_HEAD]
    if kind := _detect_signature(head):
        return kind
    if head.startswith((b"PK\3\4", b"PK\5\6")):
        return detect_archive(body)
    if head.startswith(SIGNATURE):
        return _detect_compound(body)
    for signature, what in _OLD_TEXTS:
        if head.startswith(signature):
            refuse_type(what)
    if head.startswith(_BARE_SHEETS):
        return "xls"
    # Texts about PDF contain the signature, too.
    if _PDF in head[: _PDF_REACH + len(_PDF)] and (b"endobj" in body or b"startxref" in body):
        return "pdf"
    return _detect_text(body, name)


def _detect_text(body: bytes, name: str) -> str:
    head = body[:_HEAD]
    fields = _decode_head(cut_fields(head))
    if fields is not None and is_mail(fields, name):
        return "eml"
    text = _decode_head(head)
    if text is None:
        media = identify_media(head[:64], "")
        refuse_type(media.name if media.form == "other" else "a binary file")
    if notation := _identify_notation(text, body):
        refuse_type(notation)
    if not name.lower().endswith(TABLE_NAMES) and not is_table(text, is_whole=len(body) <= _HEAD):
        raise UnsupportedType(f"The file is already text and needs no conversion. {describe_supported()}")
    return "csv"


def is_picture(body: bytes) -> bool:
    """Return whether the first bytes identify one of the types in `PICTURES`. Takes constant time."""
    return _detect_signature(body[:_HEAD]) in PICTURES


def _detect_signature(head: bytes) -> str | None:
    """Return the type that the first bytes prove, or None if they prove nothing."""
    for signature, kind in _SIGNATURES.items():
        if head.startswith(signature):
            return kind
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "webp"
    if head.startswith(b"BM") and int.from_bytes(head[14:18], "little") in _BITMAP_HEADERS:
        return "bmp"
    return "heic" if head[4:8] == b"ftyp" and _is_heic(head) else None


def _is_heic(head: bytes) -> bool:
    """Return whether a file that consists of media boxes has a HEIC brand, as its main brand or as a compatible one."""
    if head[8:12] in _HEIC_BRANDS:
        return True
    brands = head[8 : min(int.from_bytes(head[:4], "big"), 256)]
    return head[8:12] in _IMAGE_BRANDS and any(brand in brands for brand in _HEIC_BRANDS)


def _detect_compound(body: bytes) -> str:
    file = Compound(body)
    if "EncryptedPackage" in file:
        raise make_encrypted_error()
    for name, kind in _COMPOUNDS:
        if name in file:
            return kind
    what = next((what for name, what in _OTHER_COMPOUNDS if name in file), "an OLE2 file of an unsupported program")
    return refuse_type(what)


def _decode_head(head: bytes) -> str | None:
    """Decode the beginning of a text, or return None if it is not text.

    Some non-ASCII characters of the result may be wrong.
    """
    encoding = find_utf16(head)
    if encoding is not None:
        text = decode_utf16(head, encoding)
        if text.count("\ufffd") * 100 > len(text) + 100:  # the last character may be cut off
            return None
        head = text.encode("utf-8", "replace")
    head = head.removeprefix(_UTF8_MARK)
    if 0 in head or (len(head) - len(head.translate(None, _NO_TEXT))) * 100 > len(head):
        return None
    return head.decode("latin-1")


def _identify_notation(text: str, body: bytes) -> str | None:
    """Return the notation in which a text is written, such as HTML, or None if it is unknown.

    A known notation prevents a web page from being read as a table.
    """
    at, is_xml = _skip_prolog(text)
    if doctype := _DOCTYPE.match(text, at):
        return {"html": "an HTML page", "svg": "an SVG image"}.get(doctype[1].lower(), "an XML document")
    if markup := _identify_markup(text, at, body, is_xml=is_xml):
        return markup
    if text.startswith("{\\rtf", at):
        return "an RTF document"
    if _MESSAGE.match(text, at):
        return "a web archive (MIME)"
    # The text is not parsed, because that would take too long. Lines of JSON objects are not a table, either.
    return "JSON data" if _JSON.match(text, at) and _ends_with(body, b"}", b"]") else None


def _identify_markup(text: str, at: int, body: bytes, *, is_xml: bool) -> str | None:
    """Return a text's kind, judging by its first element.

    is_xml: whether the text begins with an XML declaration.
    """
    if tag := _TAG.match(text, at):
        prefix, name = tag[1], tag[2].lower()
        is_xml = is_xml or prefix is not None
        if name == "svg":
            return "an SVG image"
        if name == "html" or (name in _HTML_TAGS and not is_xml):
            return "an HTML page"
        is_xml = is_xml or _ends_with(body, b">")
    return "an XML document" if is_xml else None


def _ends_with(body: bytes, *signs: bytes) -> bool:
    """Return whether a text, possibly in UTF-16, ends with one of these characters."""
    return body[-64:].strip(b"\0 \t\r\n").endswith(signs)


def _skip_prolog(text: str) -> tuple[int, bool]:
    """Skip white space, comments and processing instructions.

    Returns the position after them, and whether one of them is an XML declaration.
    """
    at, is_xml = 0, False
    while prolog := _PROLOG.match(text, at):
        at = prolog.end()
        if not prolog[1]:
            break
        is_xml = is_xml or text.startswith("xml", at)
        closing = "-->" if prolog[1] == "<!--" else "?>"
        end = text.find(closing, at)
        at = len(text) if end < 0 else end + len(closing)
    return at, is_xml
