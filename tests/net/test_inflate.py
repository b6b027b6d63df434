import gzip
import os
import subprocess
import sys
import zlib
from collections.abc import Sequence
from functools import cache

import brotli  # type: ignore[import-untyped]  # ships no types
import pytest
import zstandard

from webquarry.net.inflate import FREE_BYTES, MAX_RATIO, Body, Bomb, Corrupt, Full, UnknownCoding, inflater

TEXT = os.urandom(70_000) + b"a" * 900_000 + b"hello" * 50_000


def _raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


PACKED = {
    "gzip": gzip.compress(TEXT),
    "deflate": zlib.compress(TEXT),
    "br": brotli.compress(TEXT, quality=5),
    "zstd": zstandard.compress(TEXT),
}


def _inflate(codings: Sequence[str], packed: bytes, *, limit: int = 1 << 30, step: int = 1 << 16) -> bytes:
    body = Body(limit)
    stage = inflater(codings, body)
    for start in range(0, len(packed), step):
        stage.write(packed[start : start + step])
    stage.end()
    return body.take()


@pytest.mark.parametrize("coding", PACKED)
@pytest.mark.parametrize("step", [7, 65536, 1 << 30])
def test_coding_is_decoded_however_its_bytes_arrive(coding: str, step: int) -> None:
    assert _inflate([coding], PACKED[coding], step=step) == TEXT


@pytest.mark.parametrize("step", [1, 1 << 30])
def test_bare_deflate_is_read_as_browsers_read_it(step: int) -> None:
    assert _inflate(["deflate"], _raw_deflate(b"hello" * 99), step=step) == b"hello" * 99


@pytest.mark.parametrize("coding", ["gzip", "zstd"])
def test_several_members_are_one_body(coding: str) -> None:
    assert _inflate([coding], PACKED[coding] * 2, step=999) == TEXT * 2


def test_padding_after_gzip_is_ignored() -> None:
    assert _inflate(["gzip"], PACKED["gzip"] + b"\0\0garbage") == TEXT


def test_two_codings_are_decoded_in_order() -> None:
    assert _inflate(["gzip", " BR"], brotli.compress(PACKED["gzip"], quality=1)) == TEXT


def test_three_codings_are_refused() -> None:
    with pytest.raises(UnknownCoding):
        inflater(["gzip", "gzip", "gzip"], Body(1))


def test_unknown_coding_is_refused() -> None:
    with pytest.raises(UnknownCoding):
        inflater(["compress"], Body(1))


@pytest.mark.parametrize("codings", [[], [""], ["identity"], ["Identity", ""]])
def test_no_coding_passes_bytes_through(codings: list[str]) -> None:
    assert _inflate(codings, b"plain") == b"plain"


@pytest.mark.parametrize("coding", PACKED)
def test_empty_body_needs_no_coding(coding: str) -> None:
    assert _inflate([coding], b"") == b""


@pytest.mark.parametrize("coding", PACKED)
def test_body_of_another_form_is_corrupt(coding: str) -> None:
    with pytest.raises(Corrupt):
        _inflate([coding], b"<html>no coding at all</html>")


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br"])
def test_body_that_ends_early_is_corrupt(coding: str) -> None:
    with pytest.raises(Corrupt):
        _inflate([coding], PACKED[coding][:-9])


def test_zstandard_window_beyond_eight_megabytes_is_refused() -> None:
    wide = zstandard.ZstdCompressionParameters.from_level(1, window_log=25)
    packer = zstandard.ZstdCompressor(compression_params=wide).compressobj()
    with pytest.raises(Corrupt):
        _inflate(["zstd"], packer.compress(b"x" * 1000) + packer.flush())


@pytest.mark.parametrize("coding", PACKED)
def test_limit_keeps_exactly_the_bytes_that_fit(coding: str) -> None:
    body = Body(100_001)
    with pytest.raises(Full):
        inflater([coding], body).write(PACKED[coding])
    assert body.take() == TEXT[:100_001]


@pytest.mark.parametrize("coding", PACKED)
def test_body_of_exactly_the_limit_is_complete(coding: str) -> None:
    assert _inflate([coding], PACKED[coding], limit=len(TEXT)) == TEXT


MEASURE = """
import os, sys
from webquarry.net.inflate import Body, Full, inflater

def kilobytes(name):  # ru_maxrss will not do: it starts at what the parent process had
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(name))

def measure(coding, path):
    open("/proc/self/clear_refs", "w").write("5")  # the peak starts anew, imports do not hide what follows
    file = open(path, "rb")
    stage = inflater(coding.split(","), Body(10 * 1024 * 1024))
    before = kilobytes("VmRSS")
    try:
        while chunk := file.read(65536):
            stage.write(chunk)
        print("swallowed", flush=True)
    except Full:
        print(kilobytes("VmHWM") - before, flush=True)

for coding, path in zip(sys.argv[1::2], sys.argv[2::2]):
    if (child := os.fork()) == 0:  # which holds nothing of the bombs before
        measure(coding, path)
        os._exit(0)
    os.waitpid(child, 0)
"""


@cache
def _bomb(coding: str) -> bytes:
    """Return 100 MB of zeros, compressed."""
    block = bytes(1 << 20)
    if coding == "gzip,br":
        return bytes(brotli.compress(_bomb("gzip"), quality=5))
    if coding.startswith("br"):
        brotli_packer = brotli.Compressor(quality=1, lgwin=24 if "widest" in coding else 22)
        return b"".join(brotli_packer.process(block) for _ in range(100)) + bytes(brotli_packer.finish())
    if coding == "zstd":
        zstd_packer = zstandard.ZstdCompressor().compressobj()
        return b"".join(zstd_packer.compress(block) for _ in range(100)) + zstd_packer.flush()
    zlib_packer = zlib.compressobj(1, wbits=zlib.MAX_WBITS | (16 if coding == "gzip" else 0))
    return b"".join(zlib_packer.compress(block) for _ in range(100)) + zlib_packer.flush()


# zlib copies its input to its output; the others keep a window that grows with the output
MOST_MB = {"gzip": 6, "deflate": 6, "zstd": 12, "gzip,br": 6, "br": 12, "br, widest window": 20}


@pytest.fixture(scope="module")
def costs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    """Additional memory in MB for each bomb."""
    folder = tmp_path_factory.mktemp("bombs")
    arguments = []
    for number, bomb in enumerate(MOST_MB):
        path = folder / str(number)
        path.write_bytes(_bomb(bomb))
        arguments += [bomb.removesuffix(", widest window"), str(path)]
    done = subprocess.run([sys.executable, "-c", MEASURE, *arguments], capture_output=True, text=True, check=True)
    return {bomb: int(line) / 1024 for bomb, line in zip(MOST_MB, done.stdout.splitlines(), strict=True)}


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("bomb", MOST_MB)
def test_bomb_uses_little_memory_compared_with_the_limit(costs: dict[str, float], bomb: str) -> None:
    assert 1 < costs[bomb] < MOST_MB[bomb]


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_bomb_is_detected_by_its_ratio(coding: str) -> None:
    body = Body(1 << 30)
    with pytest.raises(Bomb):
        inflater([coding], body).write(_bomb(coding))
    assert len(body.take()) < 4 * FREE_BYTES


def test_repetitive_body_is_complete() -> None:
    rows = b"".join(b"<tr class=row><td class=cell>Item number %d</td><td>0.00</td></tr>\n" % n for n in range(150_000))
    packed = brotli.compress(rows, quality=9)
    assert len(rows) > 2 * FREE_BYTES
    assert 50 < len(rows) / len(packed) < MAX_RATIO
    assert _inflate(["br"], packed) == rows


EMPTY = {"gzip": gzip.compress(b""), "zstd": zstandard.compress(b"")}


@pytest.mark.parametrize(("inner", "outer"), [("gzip", "gzip"), ("zstd", "zstd"), ("zstd", "br")])
def test_nested_coding_without_output_is_a_bomb(inner: str, outer: str) -> None:
    """Millions of empty members, each with work for a decoder, result from a few kilobytes and produce no output."""
    many = EMPTY[inner] * 2_000_000
    packed = {"gzip": gzip.compress, "zstd": zstandard.compress, "br": brotli.compress}[outer](many)
    with pytest.raises(Bomb):
        inflater([inner, outer], Body(1 << 30)).write(packed)


def test_endless_empty_members_are_a_bomb() -> None:
    assert _inflate(["gzip"], EMPTY["gzip"] * 9_000 + PACKED["gzip"]) == TEXT
    with pytest.raises(Bomb):
        _inflate(["gzip"], EMPTY["gzip"] * 11_000)
