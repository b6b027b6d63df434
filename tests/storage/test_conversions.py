import asyncio
import json
import random
from dataclasses import fields, replace
from datetime import timedelta

import pytest
import zstandard

from support.clock import ManualClock
from webquarry.core.clock import epoch_ms
from webquarry.core.types import Picture, Wire
from webquarry.storage import Database
from webquarry.storage.conversions import CLOCK_SKEW, OFF_LOOP_BYTES, Conversion, Conversions, Recorded
from webquarry.storage.database import query

NOW = ManualClock().now()


def wire(body: bytes = b"\x00<html>\xff") -> Wire:
    return Wire(
        body=body,
        url="https://example.com/final",
        requested_url="https://example.com/",
        status=200,
        headers={"content-type": "text/html", "x-odd": "\x00\udcff"},
        fetched_at=NOW,
        truncated=True,
    )


def conversion(id: str, cache_key: str | None = "k", **changes: object) -> Conversion:
    made = Conversion(
        id=id,
        endpoint="markdown_url",
        version=1,
        cache_key=cache_key,
        owner=None,
        created_at=NOW,
        fresh_until=NOW + timedelta(hours=1),
        expires_at=NOW + timedelta(days=30),
        provider="web",
        source_url="https://example.com/final",
        data=json.dumps({"title": "Größe"}).encode(),
        markdown="# Größe\n".encode(),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


async def kept_wires(database: Database) -> list[bytes]:
    rows = await database.read(lambda: query("SELECT wire FROM artifacts WHERE wire IS NOT NULL ORDER BY seq", {}))
    return [zstandard.ZstdDecompressor().decompress(row[0]) for row in rows]


@pytest.fixture
def conversions(database: Database) -> Conversions:
    return Conversions(database)


async def test_stored_conversion_is_found_unchanged(conversions: Conversions) -> None:
    kept = conversion("cv_1")
    await conversions.keep(kept, Recorded(wire(), NOW + timedelta(hours=24)))
    assert await conversions.by_id("cv_1", NOW) == kept
    assert await conversions.fresh("k", NOW) == kept
    assert await conversions.by_id("cv_2", NOW) is None
    assert await conversions.fresh("other", NOW) is None


async def test_the_pages_of_a_document_are_kept(conversions: Conversions) -> None:
    kept = conversion("cv_1", page_starts=(0, 2, 2, 8))
    await conversions.keep(kept)
    assert await conversions.by_id("cv_1", NOW) == kept


async def test_conversion_from_the_future_is_not_fresh(conversions: Conversions) -> None:
    year = timedelta(days=365)
    sound = conversion("cv_1")
    ahead = conversion(
        "cv_2", created_at=NOW + year, fresh_until=NOW + year + timedelta(hours=1), expires_at=NOW + 2 * year
    )
    await conversions.keep(sound)
    await conversions.keep(ahead)
    assert await conversions.fresh("k", NOW) == sound
    assert await conversions.fresh("k", NOW + timedelta(hours=2)) is None
    assert await conversions.by_id("cv_2", NOW) == ahead
    assert not ahead.is_fresh(NOW)


async def test_clocks_of_servers_may_differ_a_little(conversions: Conversions) -> None:
    other = conversion("cv_1", created_at=NOW + CLOCK_SKEW)
    await conversions.keep(other)
    assert await conversions.fresh("k", NOW) == other
    assert other.is_fresh(NOW)


async def test_bodies_of_any_size_are_kept(conversions: Conversions, database: Database) -> None:
    noise = random.Random(1).randbytes(OFF_LOOP_BYTES)
    large = conversion("cv_1", data=b"", markdown=noise.hex().encode())
    await conversions.keep(large, Recorded(wire(noise * 10)))
    assert await conversions.by_id("cv_1", NOW) == large
    assert await kept_wires(database) == [noise * 10]


async def test_concurrent_compressions_do_not_interfere(conversions: Conversions) -> None:
    dice = random.Random(2)
    sizes = [20, OFF_LOOP_BYTES, 4 * OFF_LOOP_BYTES, 1000] * 10
    kept = [conversion(f"cv_{n}", data=dice.randbytes(size)) for n, size in enumerate(sizes)]
    await asyncio.gather(*[conversions.keep(one) for one in kept])
    assert await asyncio.gather(*[conversions.by_id(one.id, NOW) for one in kept]) == kept


async def test_the_wire_is_stored_completely_with_its_result(conversions: Conversions, database: Database) -> None:
    await conversions.keep(conversion("cv_1"), Recorded(wire()))
    await conversions.keep(conversion("cv_2"))
    assert await kept_wires(database) == [wire().body]
    rows = await database.read(lambda: query("SELECT wire_about FROM artifacts WHERE wire IS NOT NULL", {}))
    assert json.loads(rows[0][0]) == {
        "url": "https://example.com/final",
        "requested_url": "https://example.com/",
        "status": 200,
        "headers": {"content-type": "text/html", "x-odd": "\x00\udcff"},
        "fetched_at": epoch_ms(NOW),
        "truncated": True,
        "rendered": False,
    }
    assert set(json.loads(rows[0][0])) == {one.name for one in fields(Wire)} - {"body"}


async def test_bodies_are_compressed(conversions: Conversions, database: Database) -> None:
    await conversions.keep(conversion("cv_1", markdown=b"word " * 4000))
    rows = await database.read(lambda: query("SELECT LENGTH(markdown) FROM artifacts", {}))
    assert rows[0][0] < 1000


async def test_the_newest_conversion_of_a_cache_key_is_found(conversions: Conversions) -> None:
    for number in range(3):
        await conversions.keep(conversion(f"cv_{number}"))
    found = await conversions.fresh("k", NOW)
    assert found is not None
    assert found.id == "cv_2"


async def test_storing_an_id_again_changes_nothing(conversions: Conversions) -> None:
    await conversions.keep(conversion("cv_1"))
    await conversions.keep(conversion("cv_1", markdown=b"something else"))
    found = await conversions.by_id("cv_1", NOW)
    assert found is not None
    assert found.markdown == "# Größe\n".encode()


async def test_a_result_is_cached_until_stale_and_readable_until_it_expires(conversions: Conversions) -> None:
    await conversions.keep(conversion("cv_1"))
    assert await conversions.fresh("k", NOW + timedelta(minutes=59)) is not None
    assert await conversions.fresh("k", NOW + timedelta(hours=1)) is None
    assert await conversions.by_id("cv_1", NOW + timedelta(days=29)) is not None
    assert await conversions.by_id("cv_1", NOW + timedelta(days=30)) is None


async def test_a_private_result_is_not_served_to_others(conversions: Conversions, database: Database) -> None:
    add = "INSERT INTO accounts (id, email, balance, created_at) VALUES ('ac_1', 'a@example.com', 0, 0)"
    await database.write(lambda: query(add, {}))
    await conversions.keep(conversion("cv_1", owner="ac_1"))
    await conversions.keep(conversion("cv_2", fresh_until=None))
    assert await conversions.fresh("k", NOW) is None
    found = await conversions.by_id("cv_1", NOW)
    assert found is not None
    assert found.owner == "ac_1"


async def test_a_sweep_deletes_wires_before_results(
    conversions: Conversions, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webquarry.storage.conversions.SWEEP_BATCH", 2)
    day = timedelta(days=1)
    for id, expires in (("cv_0", 60 * day), ("cv_1", 30 * day), ("cv_2", 30 * day)):
        await conversions.keep(conversion(id, expires_at=NOW + expires), Recorded(wire(), NOW + day))
    assert not await conversions.sweep(NOW + timedelta(hours=23))
    assert len(await kept_wires(database)) == 3
    assert await conversions.sweep(NOW + timedelta(hours=24))  # a whole batch: there may be more
    assert len(await kept_wires(database)) == 1
    assert not await conversions.sweep(NOW + timedelta(hours=24))
    assert await kept_wires(database) == []
    assert await conversions.by_id("cv_1", NOW) is not None
    assert await conversions.sweep(NOW + timedelta(days=30))
    assert not await conversions.sweep(NOW + timedelta(days=30))
    assert await conversions.by_id("cv_1", NOW) is None
    assert await conversions.by_id("cv_0", NOW) is not None
    rows = await database.read(lambda: query("SELECT COUNT(*) FROM artifacts", {}))
    assert rows[0][0] == 1


async def test_a_result_is_deleted_with_its_artifacts(conversions: Conversions, database: Database) -> None:
    await conversions.keep(conversion("cv_1"))
    assert await conversions.delete("cv_1")
    assert not await conversions.delete("cv_1")
    rows = await database.read(lambda: query("SELECT COUNT(*) FROM artifacts", {}))
    assert rows[0][0] == 0


async def test_picture_is_kept_as_long_as_any_result_shows_it(
    conversions: Conversions,
) -> None:
    picture, day = Picture("image/png", b"\x89PNG"), timedelta(days=1)
    for id, until in (("cv_1", 3 * day), ("cv_2", 9 * day), ("cv_3", 5 * day)):
        shown = Recorded(pictures=(picture,), pictures_expire_at=NOW + until)
        await conversions.keep(conversion(id, expires_at=NOW + day), shown)
    assert await conversions.picture(picture.name, NOW + 8 * day) == picture
    assert await conversions.picture(f"{'0' * 32}.png", NOW) is None
    assert await conversions.picture(picture.name, NOW + 9 * day) is None
    await conversions.sweep(NOW + 8 * day)
    assert await conversions.by_id("cv_2", NOW) is None
    assert await conversions.picture(picture.name, NOW) == picture
    await conversions.sweep(NOW + 10 * day)
    assert await conversions.picture(picture.name, NOW) is None
