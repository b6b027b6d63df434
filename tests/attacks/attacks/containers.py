"""Binary containers with cycles or false sizes: compound files and the parts of iWork files."""

from collections.abc import Callable, Iterator

from attacks.attack import Attack, Upload
from attacks.making import compound, entry, snappy, zip_parts

MEGABYTE = 1024 * 1024

_OLD: dict[str, tuple[str, Callable[[], bytes]]] = {
    "sectors in a circle": (
        "An old file's sectors follow each other round.",
        lambda: compound(
            entry("Root Entry", 5, child=1) + entry("WordDocument", 2, size=4096) + bytes(256), chain=[1, 0]
        ),
    ),
    "directory in a circle": (
        "The entries of an old file's directory are nested.",
        lambda: compound(
            entry("Root Entry", 5, child=1) + entry("Workbook", 2, left=1, right=1, child=0, size=99) + bytes(256),
            chain=[0xFFFFFFFD, 0xFFFFFFFE],
            directory=0,
        ),
    ),
    "stream of gigabytes": (
        "An old file says that it holds gigabytes.",
        lambda: compound(
            entry("Root Entry", 5, child=1) + entry("Workbook", 2, size=2**40) + bytes(256), chain=[0xFFFFFFFD, 0]
        ),
    ),
    "empty": ("An old file is a header and zeros.", lambda: compound(bytes(9 * MEGABYTE))),
}
_NUMBERS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "packed to gigabytes": (
        "A part claims to inflate to gigabytes.",
        lambda: zip_parts(
            [
                (
                    "Index/Document.iwa",
                    b"\0" + (18).to_bytes(3, "little") + b"\xff\xff\xff\xff\x0f" + b"\xfe\x01\0" * 4,
                ),
                ("Index/Metadata.iwa", bytes(4)),
            ]
        ),
    ),
    "copies of copies": (
        "A part of megabytes is copies of one byte.",
        lambda: zip_parts([("Index/Document.iwa", snappy(60_000) * 200), ("Index/Metadata.iwa", snappy(64))]),
    ),
    "lengths without end": (
        "Lengths have no end.",
        lambda: zip_parts([("Index/Document.iwa", b"\0" + (9000).to_bytes(3, "little") + b"\xff" * 9000)]),
    ),
}


def attacks() -> Iterator[Attack]:
    for what, (tries, makes) in _OLD.items():
        yield Attack(f"old file: {what}", tries, Upload(makes))
    for what, (tries, makes) in _NUMBERS.items():
        yield Attack(f"numbers: {what}", tries, Upload(makes))
