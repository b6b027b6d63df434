"""Decompression bombs: bodies that are small when transferred and consume memory or time when inflated."""

import gzip
from collections.abc import Iterator, Mapping

import zstandard

from webquarry.doctor.egress.attack import Attack
from webquarry.doctor.responses import Inflates

_EMPTY_GZIP = gzip.compress(b"") * 50_000
_EMPTY_ZSTD = zstandard.compress(b"") * 50_000

BOMBS: Mapping[str, Inflates] = {
    "gzip": Inflates("gzip", ("gzip",)),
    "gzip, fastest": Inflates("gzip", ("gzip, fastest",)),
    "gzip in many members": Inflates("gzip", ("gzip members",)),
    "deflate": Inflates("deflate", ("deflate",)),
    "bare deflate": Inflates("deflate", ("bare deflate",)),
    "brotli": Inflates("br", ("br",)),
    "brotli, widest window": Inflates("br", ("br, widest window",)),
    "Zstandard": Inflates("zstd", ("zstd",)),
    "gzip in gzip": Inflates("gzip, gzip", ("gzip", "gzip")),
    "gzip in brotli": Inflates("gzip, br", ("gzip", "br")),
    "brotli in Zstandard": Inflates("br, zstd", ("br", "zstd")),
}
"""Bodies that each inflate to 300 MB of zeros."""
BUSY: Mapping[str, Inflates] = {
    "empty gzip members in gzip": Inflates("gzip, gzip", ("gzip",), of=_EMPTY_GZIP, mb=120),
    "empty Zstandard frames in brotli": Inflates("zstd, br", ("br",), of=_EMPTY_ZSTD, mb=250),
}
"""Bodies that inflate to hundreds of megabytes of empty members, which consume time rather than memory."""


def attacks() -> Iterator[Attack]:
    for what, bomb in BOMBS.items():
        yield Attack(
            f"bomb: {what}",
            f"{bomb.mb} MB of zeros are compressed to kilobytes.",
            responses={"/": bomb},
            aim="memory",
            holds=frozenset({"limits"}),
        )
    for what, bomb in BUSY.items():
        yield Attack(
            f"bomb: {what}",
            "Kilobytes contain millions of empty members to decompress.",
            responses={"/": bomb},
            aim="late",
            holds=frozenset({"limits"}),
            deadline_s=1.0,
        )
