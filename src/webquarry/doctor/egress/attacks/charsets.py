"""Texts with a wrong or unknown charset, or with a charset chosen to hide something."""

from collections.abc import Iterator, Mapping

from webquarry.doctor.egress.attack import ANSWERED, Attack
from webquarry.doctor.responses import Sends, answer

_TYPE = "Content-Type: text/html; charset="

TEXTS: Mapping[str, bytes] = {
    "invalid UTF-8": answer(b"<p>\xff\xfe\x80\xc0\xaf</p>" * 50, f"{_TYPE}utf-8"),
    "overlong UTF-8": answer(b"<p>\xc0\xbcscript\xc0\xbe</p>", f"{_TYPE}utf-8"),
    "half characters": answer(b"<p>\xed\xa0\x80\xed\xbf\xbf \xf5\x80\x80\x80</p>", f"{_TYPE}utf-8"),
    "UTF-16 of odd length": answer(b"\xff\xfe<\0p\0>", f"{_TYPE}utf-16"),
    "UTF-8 declared as UTF-16": answer(b"<p>plain</p>x", f"{_TYPE}utf-16le"),
    "an unknown label": answer(b"<p>caf\xe9</p>", f"{_TYPE}klingon-8"),
    "a label of a binary codec": answer(b"<p>caf\xe9</p>", f"{_TYPE}base64"),
    "a label that decompresses": answer(b"<p>caf\xe9</p>", f"{_TYPE}zlib_codec"),
    "a label with a path": answer(b"<p>caf\xe9</p>", f"{_TYPE}../../etc/passwd"),
    "a very long label": answer(b"<p>caf\xe9</p>", f"{_TYPE}{'x' * 20_000}"),
    "a label with NUL": answer(b'<meta charset="utf\0-8"><p>caf\xe9</p>', "Content-Type: text/html"),
    "UTF-7": answer(b"+ADw-script+AD4-alert(1)+ADw-/script+AD4- \xff", f"{_TYPE}utf-7"),
    "IDNA as the charset": answer(b"xn--\xff" * 5000, f"{_TYPE}idna"),
    "Punycode as the charset": answer(b"\xff-" + b"a" * 20_000, f"{_TYPE}punycode"),
    "contradictory labels": answer(b'\xef\xbb\xbf<meta charset="utf-16be"><p>caf\xe9</p>', f"{_TYPE}shift_jis"),
    "truncated Japanese": answer(b"<p>\x1b$B\x1b$B%\x1b(</p>\x1b$", f"{_TYPE}iso-2022-jp"),
    "truncated Chinese": answer(b"<p>\x81\x30\x81</p>\x84\x31\xa4", f"{_TYPE}gb18030"),
    "only NULs": answer(b"\0" * 100_000, "Content-Type: text/html"),
}


def attacks() -> Iterator[Attack]:
    for what, raw in TEXTS.items():
        yield Attack(
            f"charset: {what}",
            "Bytes that are invalid in their declared encoding.",
            responses={"/": Sends(raw)},
            aim="fault",
            holds=ANSWERED,
        )
