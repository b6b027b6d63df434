"""Detection of the media type of fetched bytes: a page, text, code, or an unsupported file.


The bytes take precedence over the header, because servers send documents as `text/html` and pages as
`application/octet-stream`.
"""

import re
from dataclasses import dataclass
from typing import Literal

Form = Literal["html", "markdown", "text", "code", "other"]
SNIFFED = 2048

_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"BM", "a bitmap image"),
    (b"II*\0", "a TIFF image"),
    (b"MM\0*", "a TIFF image"),
    (b"\0\0\1\0", "an icon"),
    (b"PK\3\4", "a ZIP archive or an Office document"),
    (b"PK\5\6", "an empty ZIP archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Office document"),
    (b"{\\rtf", "an RTF document"),
    (b"%!PS", "a PostScript document"),
    (b"\x1f\x8b\x08", "a gzip archive"),
    (b"\xfd7zXZ\0", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"OggS", "an Ogg recording"),
    (b"ID3", "an MP3 recording"),
    (b"fLaC", "a FLAC recording"),
    (b"\x1a\x45\xdf\xa3", "a Matroska video"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"\0asm", "a program"),
)
_TEXTUAL_SIGNATURES = frozenset({b"BM", b"BZh", b"ID3", b"MZ", b"OggS", b"fLaC"})  # text may begin with these, too
_DECLARED_OTHER = (
    ("application/pdf", "a PDF document"),
    ("application/msword", "an Office document"),
    ("application/vnd.", "an Office document or another application's file"),
    ("application/rtf", "an RTF document"),
    ("application/zip", "a ZIP archive"),
    ("application/epub+zip", "an EPUB book"),
    ("message/", "a mail"),
    ("image/", "an image"),
    ("audio/", "a recording"),
    ("video/", "a film"),
    ("font/", "a font"),
)
HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
_TABLE_TYPES = frozenset({"text/csv", "text/tab-separated-values"})
_MARKDOWN_TYPES = frozenset({"text/markdown", "text/x-markdown"})
_LANGUAGES = {
    "application/json": "json",
    "text/json": "json",
    "application/xml": "xml",
    "text/xml": "xml",
    "text/css": "css",
    "text/javascript": "javascript",
    "application/javascript": "javascript",
    "application/x-javascript": "javascript",
    "application/yaml": "yaml",
    "text/yaml": "yaml",
    "application/x-ndjson": "json",
    "application/toml": "toml",
}
_CONTROLS = bytes([*range(9), 11, *range(14, 27), *range(28, 32)])
_HTML_START = re.compile(
    rb"(?>\s+|<!--.*?-->|<\?xml[^>]*+>)*+<(?:!doctype\s+html|html|head|body|title|meta|link|script|style|div|table|h1|p|a|br)"
    rb"\b",
    re.IGNORECASE | re.DOTALL,
)
_MARKUP_PATH = re.compile(r"\.(?:md|markdown|mdx)\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Media:
    """A media type.

    form: how the content is read; `other` is not supported. name: the language of `code` (such as `json`), or a
    readable name of the type for `other`. media_type: the declared type, or the type detected from the bytes.
    """

    form: Form
    media_type: str
    name: str = ""


def identify_media(body: bytes, media_type: str, path: str = "") -> Media:
    """Detect the media type of a body.

    media_type: value of the Content-Type header without parameters; "" if missing. path: path of the URL.
    """
    start = body[:SNIFFED]
    vague = media_type in ("", "application/octet-stream", "binary/octet-stream", "unknown/unknown", "*/*")
    is_text = _is_text(start)
    if name := _identify_signature(start, is_text):
        return Media("other", media_type or "application/octet-stream", name)
    if not is_text:
        name = _name_declared_type(media_type) or "a binary file"
        return Media("other", media_type or "application/octet-stream", name)
    if vague:
        return _guess_media(start, "", path)
    return _read_declared_type(media_type, start, path) or _guess_media(start, media_type, path)


def _read_declared_type(media_type: str, start: bytes, path: str) -> Media | None:
    """Return the media type of a text as the server declared it, or None if the server declared no text type."""
    if media_type in HTML_TYPES:
        return Media("html", media_type)
    if _is_markdown(media_type, path):
        return Media("markdown", media_type)
    if language := _find_notation(media_type):
        return Media("html", media_type) if _is_xhtml(language, start) else Media("code", media_type, language)
    if media_type in _TABLE_TYPES and not _HTML_START.match(start):
        return Media("other", media_type, "a table of values")
    if media_type.startswith("text/"):
        return Media("text", media_type)
    name = _name_declared_type(media_type)
    return Media("other", media_type, name) if name else None


def _is_markdown(media_type: str, path: str) -> bool:
    return media_type in _MARKDOWN_TYPES or (media_type == "text/plain" and _MARKUP_PATH.search(path) is not None)


def _is_xhtml(language: str, start: bytes) -> bool:
    return language == "xml" and b"http://www.w3.org/1999/xhtml" in start and _HTML_START.match(start) is not None


def _guess_media(start: bytes, media_type: str, path: str) -> Media:
    bare = start.lstrip(b"\xef\xbb\xbf \t\r\n")
    if _HTML_START.match(bare):
        return Media("html", media_type or "text/html")
    if bare.startswith(b"<?xml"):
        return Media("code", media_type or "application/xml", "xml")
    if bare[:1] in (b"{", b"["):
        return Media("code", media_type or "application/json", "json")
    if _MARKUP_PATH.search(path):
        return Media("markdown", media_type or "text/markdown")
    return Media("text", media_type or "text/plain")


def _identify_signature(start: bytes, is_text: bool) -> str | None:
    for signature, name in _SIGNATURES:
        if start.startswith(signature) and not (is_text and signature in _TEXTUAL_SIGNATURES):
            return name
    if start[4:8] == b"ftyp":
        return "an image" if start[8:12] in (b"avif", b"heic", b"heix", b"mif1") else "a film"
    if start[:4] == b"RIFF":
        return "a WebP image" if start[8:12] == b"WEBP" else "a recording"
    return None


def _is_text(start: bytes) -> bool:
    """Return whether the bytes are text.

    Text begins with a UTF-16 byte order mark, or contains almost no control characters that are unusual in text.
    """
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    return len(start) - len(start.translate(None, _CONTROLS)) <= len(start) // 200


def _find_notation(media_type: str) -> str | None:
    if media_type in _LANGUAGES:
        return _LANGUAGES[media_type]
    if media_type.startswith("image/"):
        return None
    return "json" if media_type.endswith("+json") else "xml" if media_type.endswith("+xml") else None


def _name_declared_type(media_type: str) -> str | None:
    return next((name for start, name in _DECLARED_OTHER if media_type.startswith(start)), None)
