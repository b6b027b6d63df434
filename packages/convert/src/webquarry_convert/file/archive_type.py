"""Detection of archive types: Office, OpenDocument and Apple Numbers documents, EPUB books, and archives of other
files.
"""

import re
import zlib
from collections.abc import Mapping

from webquarry_convert.file.archive import Archive
from webquarry_convert.file.document import make_encrypted_error
from webquarry_convert.file.formats import refuse_type
from webquarry_convert.file.limits import MAX_FILE

_SMALL = 1 << 20
"""Size, in bytes, above which a part is not examined."""
_CONTENT_TYPES = "[Content_Types].xml"
_MAIN_TYPE = re.compile(
    rb"application/vnd\.(?:openxmlformats-officedocument\.|ms-)(wordprocessingml|word|spreadsheetml|excel|"
    rb"presentationml|powerpoint|visio)\.[\w.]*\.main(\+xml)?[\"']",
    re.IGNORECASE,
)
_MAIN_NAMES: Mapping[bytes, str | None] = {
    b"wordprocessingml": "docx",
    b"word": "docx",
    b"spreadsheetml": "xlsx",
    b"excel": "xlsx",
    b"presentationml": "pptx",
    b"powerpoint": "pptx",
    b"visio": None,
}
_USUAL_MAINS: Mapping[str, str] = {
    "word/document.xml": "docx",
    "xl/workbook.xml": "xlsx",
    "ppt/presentation.xml": "pptx",
}
_OPEN_DOCUMENT = re.compile(rb"application/vnd\.oasis\.opendocument\.([a-z]+)")
_OPEN_DOCUMENTS: Mapping[bytes, str] = {b"text": "odt", b"spreadsheet": "ods", b"presentation": "odp"}
_ROOT_ENTRIES = (b'full-path="/"', b"full-path='/'")
_PAGES_DOCUMENT = re.compile(rb"\x08\x01\x12.{1,2}\x08\x90\x4e", re.DOTALL)  # first message of type 10000
_KEYNOTE_PART = re.compile(r"(?:\A|/)(?:Master|Template)?Slide[^/]*\.iwa\Z")


def detect_archive(body: bytes) -> str:
    archive = Archive(body)
    if (kind := _detect_office(archive) or _detect_open_document(archive) or _detect_iwork(archive)) is None:
        refuse_type("a ZIP archive")
    return kind


def _read_small_part(archive: Archive, name: str) -> bytes:
    """Return a part of an archive, or b"" if the part is missing or too large."""
    return (archive.read(name) or b"") if (archive.size(name) or 0) <= _SMALL else b""


def _detect_office(archive: Archive) -> str | None:
    if _CONTENT_TYPES not in archive:
        return None
    types = _read_small_part(archive, _CONTENT_TYPES)
    if types.startswith((b"\xff\xfe", b"\xfe\xff")):
        types = types.decode("utf-16", "replace").encode()
    # Entries for single parts come first, because the entry for an extension may match no part.
    entries = sorted(types.split(b"<"), key=lambda entry: b"PartName" not in entry)
    for main in filter(None, map(_MAIN_TYPE.search, entries)):
        kind = _MAIN_NAMES[main[1].lower()]
        if main[2] is None:
            refuse_type("a binary Excel workbook (.xlsb)")
        if kind is None:
            refuse_type("a Visio drawing")
        return kind
    # Some programs omit the type of the main part. Office opens their files anyway.
    return next((kind for name, kind in _USUAL_MAINS.items() if name in archive), None)


def _detect_open_document(archive: Archive) -> str | None:
    """Return the type of an OpenDocument or EPUB file; both declare it in the same place."""
    manifest = _read_small_part(archive, "META-INF/manifest.xml")
    stated = _read_small_part(archive, "mimetype") or _find_root_entry(manifest)
    if stated.startswith(b"application/epub+zip"):
        return "epub"
    if stated.startswith(b"application/vnd.sun.xml."):
        refuse_type("a StarOffice or OpenOffice.org 1 document")
    found = _OPEN_DOCUMENT.search(stated)
    if found is None:
        container = _read_small_part(archive, "META-INF/container.xml")
        return "epub" if b"application/oebps-package+xml" in container else None
    if b"encryption-data" in manifest or "encrypted-package" in archive:
        raise make_encrypted_error()
    if (kind := _OPEN_DOCUMENTS.get(found[1])) is None:
        refuse_type(f"an OpenDocument file of an unsupported type ({found[1].decode()})")
    return kind


def _find_root_entry(manifest: bytes) -> bytes:
    """Return the manifest entry for the whole document, which declares the document's type, or b"" if there is none."""
    return next((entry for entry in manifest.split(b"<") if any(root in entry for root in _ROOT_ENTRIES)), b"")


def _detect_iwork(archive: Archive) -> str | None:
    """Return the type of an Apple iWork file.

    Numbers has stored compressed messages since 2013 and compressed XML before. A nested archive may contain the
    messages.
    """
    names = _map_last_names(archive)
    if ".iwpv2" in names:
        raise make_encrypted_error()
    if "Index.zip" in names:
        archive = _open_index(archive, names["Index.zip"])
        names = _map_last_names(archive)
    if "Document.iwa" in names:
        return _detect_messages(archive, names["Document.iwa"])
    if "index.apxl" in names or "index.apxl.gz" in names:
        refuse_type("a Keynote presentation")
    index = names.get("index.xml") or names.get("index.xml.gz")
    return None if index is None else _detect_packed_xml(archive, index)


def _open_index(archive: Archive, name: str) -> Archive:
    """Return the nested archive with this name, or the outer archive if the nested one is too large."""
    return archive if (archive.size(name) or 0) > MAX_FILE else Archive(archive.read(name) or b"")


def _detect_messages(archive: Archive, document: str) -> str:
    """Return the type of a file that consists of messages. document: name of the main part."""
    if any(map(_KEYNOTE_PART.search, archive.names)):
        refuse_type("a Keynote presentation")
    if _PAGES_DOCUMENT.search(next(archive.stream(document), b""), 0, 32):
        refuse_type("a Pages document")
    return "numbers"


def _detect_packed_xml(archive: Archive, index: str) -> str | None:
    root = _read_first_bytes(archive, index)
    if b"<sl:document" in root and b"<ls:document" not in root:
        refuse_type("a Pages document")
    return "numbers" if b"<ls:document" in root else None


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
