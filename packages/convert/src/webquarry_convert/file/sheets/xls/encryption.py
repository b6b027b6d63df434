"""Decrypts workbooks that were encrypted with Excel's default password ([MS-OFFCRYPTO] 2.3.6 and 2.3.7).

If a workbook's structure is protected but no password is required to open it, Excel encrypts the workbook with a
publicly known password. Excel opens such a file without asking, and so does this module.
"""

import hashlib
import struct
from collections.abc import Callable
from itertools import islice

from webquarry_convert.file.sheets.xls.records import read_records

_PASSWORD = "VelvetSweatshop"  # noqa: S105  # publicly known, so it protects nothing
_OBFUSCATION = (0xB359, 0x9A0A)
"""Values that the oldest method derives from this password: key and verifier."""
_PADDING = bytes.fromhex("bbffffbaffffb98000be0f00bf0f00")
_FILEPASS = 0x2F
_IGNORED = 0xE2  # type of a record without content, which readers skip
_SHEET = 0x85
_BOF = (0x809, 0x409, 0x209, 0x009)
_PLAIN = frozenset({*_BOF, _FILEPASS, 0xE1, 0x138, 0x194, 0x195, 0x196})
"""Records whose content is never encrypted."""
_SHEET_PLAIN = 4
"""Number of unencrypted bytes at the beginning of a sheet record. They contain the sheet's position."""
_BLOCK = 1024
_FIRST_RECORDS = 8
"""Number of initial records among which an encrypted workbook declares its encryption."""


def remove_encryption(stream: bytes) -> bytes | None:
    """Decrypt a stream, or return None if the stream is not encrypted or has a different password."""
    found = next((record for record in islice(read_records(stream), _FIRST_RECORDS) if record[0] == _FILEPASS), None)
    if found is None:
        return None
    _, at, length = found
    about = stream[at : at + length]
    decrypt = _find_method(about)
    if decrypt is None:
        return None
    plain = bytearray(stream)
    for kind, start, size in read_records(stream):
        if kind in _PLAIN:
            continue
        skipped = _SHEET_PLAIN if kind == _SHEET else 0
        plain[start + skipped : start + size] = decrypt(stream, start, size)[skipped:]
    struct.pack_into("<H", plain, at - 4, _IGNORED)
    return bytes(plain)


_Decrypt = Callable[[bytes, int, int], bytes]
"""A function that returns decrypted content.

Its arguments are the stream, and the start and length of the record's content.
"""


def _find_method(about: bytes) -> _Decrypt | None:
    """Return the decryption that a `FILEPASS` record describes, or None if the password is different."""
    if len(about) == 4:  # before Excel 97, there was only one method
        return _build_xor_method(*struct.unpack("<HH", about))
    if len(about) >= 6 and about[:2] == b"\0\0":
        return _build_xor_method(*struct.unpack_from("<HH", about, 2))
    if len(about) < 6 or about[:2] != b"\1\0":
        return None
    major, minor = struct.unpack_from("<HH", about, 2)
    if (major, minor) == (1, 1):
        return _build_rc4_method(about[6:])
    return _build_crypto_api_method(about[6:]) if minor == 2 else None


# The method of Excel 5 and 95: each byte is rotated and combined with one of sixteen bytes.


def _build_xor_method(key: int, verifier: int) -> _Decrypt | None:
    if (key, verifier) != _OBFUSCATION:
        return None
    mask = _build_mask(key)
    turned = bytes((byte << 3 | byte >> 5) & 0xFF for byte in range(256))

    def decrypt(stream: bytes, start: int, size: int) -> bytes:
        first = (start + size) % 16
        pattern = (mask[first:] + mask[:first]) * (size // 16 + 1)
        body = int.from_bytes(stream[start : start + size], "little") ^ int.from_bytes(pattern[:size], "little")
        return body.to_bytes(size, "little").translate(turned)

    return decrypt


def _build_mask(key: int) -> bytes:
    """Return sixteen bytes, derived from the padded password and combined with the two halves of the key."""
    password = _PASSWORD.encode("ascii")
    padded = password + _PADDING[: 16 - len(password)]
    halves = (key & 0xFF, key >> 8)
    mixed = (byte ^ halves[index % 2] for index, byte in enumerate(padded))
    return bytes((byte >> 1 | byte << 7) & 0xFF for byte in mixed)


# The methods since Excel 97 use RC4 with a different key for each 1,024 bytes of the stream.


def _build_rc4_method(about: bytes) -> _Decrypt | None:
    """Return the RC4 method for a salt, an encrypted random text, and its encrypted checksum. Keys use MD5."""
    if len(about) < 48:
        return None
    salt, verifier, checksum = about[:16], about[16:32], about[32:48]
    secret = _hash_md5(_PASSWORD.encode("utf-16-le"))[:5]
    start = _hash_md5((secret + salt) * 16)[:5]

    def key(block: int) -> bytes:
        return _hash_md5(start + struct.pack("<I", block))

    plain = _apply_rc4(key(0), verifier + checksum)
    return _build_block_method(key) if _hash_md5(plain[:16]) == plain[16:] else None


def _build_crypto_api_method(about: bytes) -> _Decrypt | None:
    """Return the CryptoAPI method for a header with the key length, a salt, a random text and its checksum.

    Keys use SHA-1.
    """
    try:
        (header_size,) = struct.unpack_from("<4xI", about)
        (key_bits,) = struct.unpack_from("<I", about, 8 + 16)
        (salt_size,) = struct.unpack_from("<I", about, 8 + header_size)
    except struct.error:
        return None
    at = 8 + header_size + 4
    salt, verifier, checksum = about[at : at + 16], about[at + 16 : at + 32], about[at + 36 : at + 56]
    if salt_size != 16 or len(checksum) != 20 or key_bits not in range(0, 129, 8):
        return None
    start = _hash_sha1(salt + _PASSWORD.encode("utf-16-le"))
    length = key_bits // 8 or 5

    def key(block: int) -> bytes:
        found = _hash_sha1(start + struct.pack("<I", block))[:length]
        return found.ljust(16, b"\0") if length == 5 else found

    plain = _apply_rc4(key(0), verifier + checksum)
    return _build_block_method(key) if _hash_sha1(plain[:16]) == plain[16:] else None


def _build_block_method(key: Callable[[int], bytes]) -> _Decrypt:
    pads: dict[int, bytes] = {}

    def pad(block: int) -> bytes:
        if block not in pads:
            pads.clear()  # records are in order, so only one block is needed at a time
            pads[block] = _apply_rc4(key(block), bytes(_BLOCK))
        return pads[block]

    def decrypt(stream: bytes, start: int, size: int) -> bytes:
        pieces: list[bytes] = []
        at, end = start, start + size
        while at < end:
            block, offset = divmod(at, _BLOCK)
            stop = min(end, at - offset + _BLOCK)
            mask = pad(block)[offset : offset + stop - at]
            mixed = int.from_bytes(stream[at:stop], "little") ^ int.from_bytes(mask, "little")
            pieces.append(mixed.to_bytes(stop - at, "little"))
            at = stop
        return b"".join(pieces)

    return decrypt


def _apply_rc4(key: bytes, body: bytes) -> bytes:
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) & 0xFF
        state[i], state[j] = state[j], state[i]
    i = j = 0
    mixed = bytearray(body)
    for at in range(len(mixed)):
        i = (i + 1) & 0xFF
        a = state[i]
        j = (j + a) & 0xFF
        b = state[j]
        state[i], state[j] = b, a
        mixed[at] ^= state[(a + b) & 0xFF]
    return bytes(mixed)


def _hash_md5(body: bytes) -> bytes:
    return hashlib.md5(body, usedforsecurity=False).digest()


def _hash_sha1(body: bytes) -> bytes:
    return hashlib.sha1(body, usedforsecurity=False).digest()
