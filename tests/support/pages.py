"""Pages to convert: small synthetic ones, and the real ones of the sample folder."""

import lzma
from pathlib import Path

import orjson

from convert_support.kit import KIT

from .origin import answer

SAMPLES = KIT / "evals/web/data"


def article(name: str) -> bytes:
    """Return a small page."""
    text = f"This paragraph of page {name} is long enough to be taken for what the page is about. " * 4
    return f"<!doctype html><html lang=en><title>{name}</title><main><h1>{name}</h1><p>{text}</main>".encode()


def real_pages(count: int) -> list[bytes]:
    """Return `count` pages, spread evenly over the sets of the sample folder; empty if the folder is missing."""
    records = [line for path in sorted(SAMPLES.glob("*.jsonl.xz")) for line in _lines(path)]
    chosen = records[:: max(1, len(records) // count)][:count]
    return [orjson.loads(record)["html"].encode("utf-8", "replace") for record in chosen]


def as_answer(page: bytes) -> bytes:
    """Return the HTTP response with the page."""
    return answer(200, page, {"Content-Type": "text/html; charset=utf-8"})


def _lines(path: Path) -> list[bytes]:
    with lzma.open(path) as file:
        return file.readlines()
