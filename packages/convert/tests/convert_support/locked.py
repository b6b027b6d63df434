"""Encrypts Excel workbooks according to the specification, independently of the code under test."""

import hashlib
import struct
from collections.abc import Callable

PASSWORD = "VelvetSweatshop"


def records(stream: bytes) -> list[tuple[int, bytes]]:
    found, at = [], 0
    while at < len(stream):
        kind, length = struct.unpack_from("<HH", stream, at)
        found.append((kind, stream[at + 4 : at + 4 + length]))
        at += 4 + length
    return found


def with_filepass(stream: bytes, about: bytes) -> bytes:
    """Insert a FILEPASS record as the second record, and move the offset of the sheet accordingly."""
    moved = b""
    for index, (kind, content) in enumerate(records(stream)):
        if kind == 0x85:
            content = struct.pack("<I", struct.unpack_from("<I", content)[0] + 4 + len(about)) + content[4:]
        moved += struct.pack("<HH", kind, len(content)) + content
        if index == 0:
            moved += struct.pack("<HH", 0x2F, len(about)) + about
    return moved


def rc4(key: bytes) -> list[int]:
    """Return the first 1,024 bytes of the key stream."""
    state, j, stream = list(range(256)), 0, []
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    i = j = 0
    for _ in range(1024):
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        stream.append(state[(state[i] + state[j]) % 256])
    return stream


def mixed(stream: bytes, about: bytes, mix: Callable[[int, int, int, int], int]) -> bytes:
    """Encrypt the contents of all records except the first ones, and except the sheets' offsets."""
    plain = with_filepass(stream, about)
    locked, at = b"", 0
    for kind, content in records(plain):
        at += 4
        kept = len(content) if kind in (0x809, 0x2F) else 4 if kind == 0x85 else 0
        body = bytes(mix(byte, at + index, at, len(content)) for index, byte in enumerate(content))
        locked += struct.pack("<HH", kind, len(content)) + content[:kept] + body[kept:]
        at += len(content)
    return locked


def obfuscated(stream: bytes) -> bytes:
    mask = bytes.fromhex("876b9ae21ee305621e699660986e9404")

    def mix(byte: int, at: int, start: int, size: int) -> int:
        turned = (byte << 5 | byte >> 3) & 0xFF
        return turned ^ mask[(start + size + at - start) % 16]

    return mixed(stream, struct.pack("<HHH", 0, 0xB359, 0x9A0A), mix)


def by_blocks(stream: bytes, about: bytes, key: Callable[[int], bytes]) -> bytes:
    pads: dict[int, list[int]] = {}

    def mix(byte: int, at: int, start: int, size: int) -> int:
        if at // 1024 not in pads:
            pads[at // 1024] = rc4(key(at // 1024))
        return byte ^ pads[at // 1024][at % 1024]

    return mixed(stream, about, mix)


def standard(stream: bytes, password: str = PASSWORD) -> bytes:
    salt, verifier = bytes(range(16)), b"0123456789abcdef"
    first = hashlib.md5(password.encode("utf-16-le")).digest()[:5]
    start = hashlib.md5((first + salt) * 16).digest()[:5]

    def key(block: int) -> bytes:
        return hashlib.md5(start + struct.pack("<I", block)).digest()

    text = verifier + hashlib.md5(verifier).digest()
    hidden = bytes(a ^ b for a, b in zip(text, rc4(key(0)), strict=False))
    return by_blocks(stream, struct.pack("<HHH", 1, 1, 1) + salt + hidden, key)


def crypto_api(stream: bytes) -> bytes:
    salt, verifier = bytes(range(16)), b"0123456789abcdef"
    start = hashlib.sha1(salt + PASSWORD.encode("utf-16-le")).digest()

    def key(block: int) -> bytes:
        return hashlib.sha1(start + struct.pack("<I", block)).digest()[:16]

    text = verifier + hashlib.sha1(verifier).digest()
    hidden = bytes(a ^ b for a, b in zip(text, rc4(key(0)), strict=False))
    header = struct.pack("<IIIIIIII", 4, 0, 0x6801, 0x8004, 128, 1, 0, 0) + "RC4".encode("utf-16-le") + b"\0\0"
    about = struct.pack("<HHHII", 1, 2, 2, 4, len(header)) + header
    about += struct.pack("<I", 16) + salt + hidden[:16] + struct.pack("<I", 20) + hidden[16:]
    return by_blocks(stream, about, key)
