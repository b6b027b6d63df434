"""Character encoding of fetched bytes, detected as browsers do (WHATWG Encoding and HTML standards).

The order is: byte order mark, `charset` of the Content-Type header, declaration in the markup, and statistics of the
bytes.
"""

import codecs
import re
from typing import NamedTuple

DECLARATION_WINDOW = 4096
"""Number of bytes that are searched for a declaration in the markup.

Browsers read 1,024, but many pages begin with a long comment.
"""
SNIFF_WINDOW = 64 * 1024
"""Number of bytes that the statistical guess examines."""
IMPOSSIBLE_BELOW = 20
"""A declared multi-byte encoding is rejected if more than one in this many bytes can't be decoded."""

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_CHARSET = re.compile(r"""charset\s*+=\s*+["']?+\s*+([^\s"';,>]++)""", re.IGNORECASE)
_META = re.compile(rb"<meta\b[^>]{0,1024}", re.IGNORECASE)
_XML = re.compile(rb"""\s*+<\?xml\b[^>]{0,256}?\bencoding\s*+=\s*+["']([A-Za-z0-9._:-]{1,40})["']""")
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)

# Browsers read each label as a larger character set, listed here. If Python lacks the standard's encoding, its nearest
# superset is used.
_SUPERSETS = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "shift_jis_2004": "cp932",
    "shift_jisx0213": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
    "cp950": "big5hkscs",
    "utf-16": "utf-16-le",
    "utf-8-sig": "utf-8",
}
_LABELS = {
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "ms_kanji": "cp932",
    "ms932": "cp932",
    "ks_c_5601-1987": "cp949",
    "ks_c_5601-1989": "cp949",
    "ks_c_5601": "cp949",
    "ksc5601": "cp949",
    "ksc_5601": "cp949",
    "korean": "cp949",
    "windows-949": "cp949",
    "x-gbk": "gb18030",
    "gb_2312": "gb18030",
    "gb_2312-80": "gb18030",
    "csgb2312": "gb18030",
    "chinese": "gb18030",
    "x-x-big5": "big5hkscs",
    "cn-big5": "big5hkscs",
    "x-euc-jp": "euc_jp",
    "unicode-1-1-utf-8": "utf-8",
    "unicode": "utf-16-le",
    "x-cp1250": "cp1250",
    "x-cp1251": "cp1251",
    "x-cp1252": "cp1252",
    "windows-874": "cp874",
    "dos-874": "cp874",
    "iso-8859-8-i": "iso8859-8",
    "logical": "iso8859-8",
    "visual": "iso8859-8",
    "macintosh": "mac-roman",
    "x-mac-roman": "mac-roman",
    "x-mac-cyrillic": "mac-cyrillic",
    "x-user-defined": "cp1252",
}
# Python's names of the encodings that a page may use. Other encodings, such as utf-7, are rejected as in browsers.
_READABLE_NAMES = """
    utf-8 utf-16-le utf-16-be gb18030 big5hkscs euc_jp iso2022_jp cp932 cp949 koi8-r koi8-u mac-roman
    mac-cyrillic cp866 cp874 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 iso8859-2 iso8859-3
    iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-10 iso8859-13 iso8859-14 iso8859-15 iso8859-16
"""
_READABLE = frozenset(_READABLE_NAMES.split())
_NAMES = {
    "cp1252": "windows-1252",
    "cp932": "shift_jis",
    "cp949": "euc-kr",
    "big5hkscs": "big5",
    "iso2022_jp": "iso-2022-jp",
    "euc_jp": "euc-jp",
    "cp866": "ibm866",
    "mac-roman": "macintosh",
    "mac-cyrillic": "x-mac-cyrillic",
}
_LATIN = frozenset(
    {"cp1250", "cp1252", "cp1254", "cp1257", "cp1258", "iso8859-2", "iso8859-10", "iso8859-13", "iso8859-14"}
    | {"iso8859-3", "iso8859-4", "iso8859-15", "iso8859-16", "mac-roman"}
)
_LATIN_BY_LANGUAGE = {
    **dict.fromkeys(("cs", "hr", "hu", "pl", "ro", "sk", "sl", "sq"), "cp1250"),
    **dict.fromkeys(("et", "lt", "lv"), "cp1257"),
    **dict.fromkeys(("az", "tr"), "cp1254"),
    "vi": "cp1258",
}
_LANG = re.compile(rb"""<html\b[^<>]{0,1024}?\slang\s*+=\s*+["']?+([A-Za-z]{2})\b""", re.IGNORECASE)
_SIGN_IN_WORD = re.compile(r"[^\W\d_][¹²³¼½¾¿¡£¥±¶]+[^\W\d_]")
_STRICT = frozenset(
    {"utf-8", "gb18030", "big5hkscs", "euc_jp", "cp932", "cp949", "utf-16-le", "utf-16-be", "iso2022_jp"}
)


class Decoded(NamedTuple):
    """Decoded text, and the standard's name of its encoding (`utf-8`, `windows-1252`, `shift_jis` …)."""

    text: str
    encoding: str


def decode(body: bytes, content_type: str = "") -> Decoded:
    """Decode the bytes of a page. Never fails: undecodable bytes become U+FFFD, and NUL is removed.

    content_type: the complete header value, or "".
    """
    for mark, marked in _BOMS:
        if body.startswith(mark):
            return _decode_tolerantly(body[len(mark) :], marked)
    codec = _find_declared_codec(body, content_type)
    if codec is not None and (decoded := _decode_as_declared(body, codec)) is not None:
        return decoded
    try:
        return Decoded(_remove_nul(body.decode("utf-8")), "utf-8")
    except UnicodeDecodeError:
        return _decode_tolerantly(body, _guess_codec(body))


def find_codec(label: str) -> str | None:
    """Return Python's codec for a label, using the WHATWG aliases, or None if no page may use it."""
    name = label.strip(" \t\r\n\f\"'").lower()
    if name in _LABELS:
        return _LABELS[name]
    try:
        found = codecs.lookup(name).name
    except (LookupError, ValueError, UnicodeError):
        return None
    found = found if found in _READABLE else _SUPERSETS.get(found, found)
    return found if found in _READABLE else None


def _find_declared_codec(body: bytes, content_type: str) -> str | None:
    if (header := _CHARSET.search(content_type)) and (named := find_codec(header[1])):
        return named
    window = _COMMENT.sub(b"", body[:DECLARATION_WINDOW])
    labels = [match[1].decode()] if (match := _XML.match(window)) else []
    labels += [found[1] for meta in _META.findall(window) if (found := _CHARSET.search(meta.decode("latin-1")))]
    codec = next(filter(None, map(find_codec, labels)), None)
    # A declaration that can be read byte by byte was not written in UTF-16.
    return "utf-8" if codec is not None and codec.startswith("utf-16") else codec


def _decode_as_declared(body: bytes, codec: str) -> Decoded | None:
    """Decode the body as declared, or return None if the bytes contradict the declaration."""
    if codec.startswith("utf-16") and 0 not in body[:SNIFF_WINDOW]:
        return None
    try:
        return Decoded(_remove_nul(body.decode(codec)), _name_encoding(codec))
    except UnicodeDecodeError as exc:
        window = body[exc.start : exc.start + SNIFF_WINDOW]
        if codec in _STRICT and _count_undecodable(window, codec) * IMPOSSIBLE_BELOW > _count_high_bytes(window):
            return None
        return _decode_tolerantly(body, codec)


def _count_undecodable(window: bytes, codec: str) -> int:
    """Return the number of undecodable characters in a window of bytes.

    A character that is cut off at the end counts too; the threshold allows for it.
    """
    return window.decode(codec, "replace").count("\ufffd")


def _count_high_bytes(body: bytes) -> int:
    """Return the number of non-ASCII bytes."""
    return len(body) - len(body.translate(None, bytes(range(128, 256))))


def _guess_codec(body: bytes) -> str:
    """Guess the codec of bytes that are not valid UTF-8 and have no plausible declaration."""
    window = body[:SNIFF_WINDOW]
    if window.count(0) * 4 > len(window):
        return "utf-16-be" if window[:1] == b"\0" else "utf-16-le"
    if _count_undecodable(window, "utf-8") * IMPOSSIBLE_BELOW <= _count_high_bytes(
        window
    ):  # UTF-8 with a few broken bytes
        return "utf-8"
    from charset_normalizer import from_bytes  # the import takes 30 ms, and few pages need it

    best = from_bytes(window, cp_isolation=sorted(_READABLE), steps=5, chunk_size=512).best()
    codec = (best and find_codec(best.encoding)) or "cp1252"
    return _choose_latin_codec(window, codec) if codec in _LATIN else codec


def _choose_latin_codec(window: bytes, codec: str) -> str:
    """Choose between the Latin code pages, which letter statistics cannot tell apart.

    The language of the page decides. Otherwise the result is the Western code page, which browsers fall back to, unless
    it would produce signs such as `³` inside words.
    """
    if language := _LANG.search(window):
        return _LATIN_BY_LANGUAGE.get(language[1].decode().lower(), "cp1252")
    return codec if _SIGN_IN_WORD.search(window.decode("cp1252", "replace")) else "cp1252"


def _decode_tolerantly(body: bytes, codec: str) -> Decoded:
    return Decoded(_remove_nul(body.decode(codec, "replace")), _name_encoding(codec))


def _name_encoding(codec: str) -> str:
    """Return the standard's name for a Python codec."""
    plain = codec.replace("cp125", "windows-125").replace("cp874", "windows-874").replace("iso8859", "iso-8859")
    return _NAMES.get(codec, plain)


def _remove_nul(text: str) -> str:
    return text.replace("\0", "") if "\0" in text else text
