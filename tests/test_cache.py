"""Results in memory: bounded by size, valid for a few seconds."""

import gc
from dataclasses import replace
from datetime import timedelta
from sys import getsizeof
from typing import get_args

import orjson
import pytest

from support.clock import ManualClock
from webquarry.endpoints.declare import Format
from webquarry.pipeline.cache import BELIEVED_S, OFF_LOOP_BYTES, Ready, ReadyCache, json_text
from webquarry.storage.conversions import Conversion


def ready(number: int, data: bytes = b"{}", markdown: str = "") -> Ready:
    now = ManualClock().now()
    later = now + timedelta(days=1)
    # texts created here, so that entries do not share texts
    key, source = f"{number:064x}", f"https://example.com/{number}"
    text = markdown.encode()
    made = Conversion(f"cv_{number}", "e", 1, key, None, now, later, later, None, source, data, text)
    return Ready(made, json_text(text))


def size(held: object) -> int:
    """Return the bytes of an object and of everything reachable from it."""
    seen: dict[int, object] = {}
    waiting = [held]
    while waiting:
        each = waiting.pop()
        if id(each) not in seen and not isinstance(each, (type, ManualClock)):
            seen[id(each)] = each
            waiting += gc.get_referents(each)
    return sum(getsizeof(each) for each in seen.values())


@pytest.mark.parametrize("letter", ["a", "é", "Ж", "🌍"])
@pytest.mark.parametrize("length", [0, 5_000])
def test_cache_size_is_limited_by_bytes(letter: str, length: int) -> None:
    cache = ReadyCache(1 << 30, ManualClock())
    empty = size(cache)
    for number in range(50):
        entry = ready(number, bytes(length), letter * length)
        cache.put(f"{number:064x}", entry)
        for form in get_args(Format):
            entry.hit(form)
    held = size(cache) - empty
    assert cache.held_bytes / 2 < held <= cache.held_bytes


def test_the_least_recently_used_entries_are_dropped_first() -> None:
    cache = ReadyCache(100_000, ManualClock())
    for number in range(8):
        cache.put(str(number), ready(number, bytes(5_000)))
        assert cache.get("0") is not None
        assert cache.held_bytes <= 100_000
    assert cache.get("1") is None
    assert cache.get("7") is not None


def test_an_expired_entry_is_dropped_at_its_lookup() -> None:
    clock = ManualClock()
    cache = ReadyCache(1_000_000, clock)
    cache.put("k", ready(1))
    clock.advance(BELIEVED_S - 0.1)
    assert cache.get("k") is not None
    assert cache.held_bytes > 0
    clock.advance(0.1)
    assert cache.get("k") is None
    assert cache.held_bytes == 0


def test_a_result_larger_than_a_quarter_of_the_cache_is_not_kept() -> None:
    cache = ReadyCache(100_000, ManualClock())
    cache.put("k", ready(1, bytes(10_000)))
    assert cache.get("k") is None
    assert cache.held_bytes == 0


@pytest.mark.parametrize("letter", ["a", "é", "Ж", "🌍", '"', "\n", "\x00", "ab🌍é"])
@pytest.mark.parametrize("before", range(4))
async def test_long_texts_are_the_same_json_as_short_ones(letter: str, before: int) -> None:
    text = "x" * before + letter * OFF_LOOP_BYTES
    assert json_text(text.encode()) == orjson.dumps(text)
    entry = await Ready.of(replace(ready(1).conversion, markdown=text.encode()))
    assert entry.is_large
    assert orjson.loads(entry.hit("markdown"))["markdown"] == text
