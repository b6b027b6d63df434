"""Stored results: a conversion with its artifacts, found by cache key or by id."""

import asyncio
import json
import secrets
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import orjson
import zstandard

from webquarry.core.clock import epoch_ms, from_epoch_ms
from webquarry.core.types import PICTURE_ENDINGS, Picture, Wire
from webquarry.storage.database import Database, Operation, Rows, query

COMPRESSION_LEVEL = 1
"""Zstandard compression level.

On 150 real pages, it took a third less time than level 3, while text was 1 % larger and HTML 6 % larger.
"""
OFF_LOOP_BYTES = 64 * 1024
"""Size in bytes above which bodies are compressed and decompressed in a thread. For smaller bodies, the switch costs
more than the work.
"""
CLOCK_SKEW = timedelta(seconds=30)
"""Maximum difference between two servers' clocks.

A server whose clock was fast has stored any entry that is further in the future.
"""
SWEEP_BATCH = 500
"""Maximum number of rows deleted per transaction, so that a sweep never blocks requests for long."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """A stored result.

    `cache_key` is None if it may not be served to others. `owner` is the only account that may read it, or None if it
    is public. `fresh_until` is when it expires as a cache entry, see `is_fresh`. `data` is JSON and `markdown` text,
    both in UTF-8. `fetched_at` is when the source responded; None if there was no single source. `page_starts` are the
    offsets in the markdown at which the pages of a document begin, in characters; empty if unknown.
    """

    id: str
    endpoint: str
    version: int
    cache_key: str | None
    owner: str | None
    created_at: datetime
    fresh_until: datetime | None
    expires_at: datetime
    provider: str | None
    source_url: str | None
    data: bytes
    markdown: bytes
    fetched_at: datetime | None = None
    page_starts: tuple[int, ...] = ()

    def is_fresh(self, now: datetime) -> bool:
        """Return whether the result can serve as a cache entry at `now`.

        A result from the future can't, because its expiry was computed with a wrong clock.
        """
        return self.fresh_until is not None and now < self.fresh_until and self.created_at <= now + CLOCK_SKEW

    @property
    def asked_at(self) -> datetime:
        """The time when the source was requested or, if unknown, when the result was created."""
        return self.fetched_at or self.created_at


@dataclass(frozen=True, slots=True)
class Recorded:
    """Data stored with a conversion: the provider's response from which it was read, and the images that it shows.

    `expires_at` is when the wire is deleted (None: with the conversion). `pictures_expire_at` is when the images are
    deleted, unless another result shows them for longer; they outlive the conversion.
    """

    wire: Wire | None = None
    expires_at: datetime | None = None
    pictures: tuple[Picture, ...] = ()
    pictures_expire_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A conversion as database rows: column values with compressed bodies."""

    conversion: Mapping[str, Any]
    artifacts: Mapping[str, Any]
    pictures: tuple[Mapping[str, Any], ...] = ()


class _Zstd(threading.local):
    """A compressor and decompressor per thread.

    Creating them costs as much as compressing a small body, and they are not thread-safe.
    """

    def __init__(self) -> None:
        self.pack = zstandard.ZstdCompressor(level=COMPRESSION_LEVEL).compress
        self.unpack = zstandard.ZstdDecompressor().decompress


_zstd = _Zstd()

_ANSWERS = """
    SELECT c.id, c.endpoint, c.version, c.cache_key, c.owner, c.created_at, c.fresh_until, c.expires_at, c.provider,
        c.source_url, c.fetched_at, a.data, a.markdown, a.page_starts
    FROM conversions c JOIN artifacts a ON a.seq = c.seq"""
_FRESH = f"""{_ANSWERS}
    WHERE c.cache_key = :cache_key AND c.owner IS NULL AND c.fresh_until > :now AND c.expires_at > :now
        AND c.created_at <= :latest
    ORDER BY c.seq DESC LIMIT 1"""
_BY_ID = f"{_ANSWERS} WHERE c.id = :id AND c.expires_at > :now"
_WIRE = """
    SELECT a.wire, a.wire_about FROM conversions c JOIN artifacts a ON a.seq = c.seq
    WHERE c.id = :id AND c.expires_at > :now AND a.wire_expires_at > :now AND a.wire IS NOT NULL"""
_KEEP = """
    INSERT INTO conversions
        (id, endpoint, version, cache_key, owner, created_at, fresh_until, expires_at, provider, source_url, fetched_at)
    VALUES
        (:id, :endpoint, :version, :cache_key, :owner, :created_at, :fresh_until, :expires_at, :provider, :source_url,
        :fetched_at)
    ON CONFLICT (id) DO NOTHING RETURNING seq"""
_EXTEND = "UPDATE conversions SET expires_at = :until WHERE id = :id AND expires_at < :until"
_KEEP_ARTIFACTS = """
    INSERT INTO artifacts (seq, data, markdown, page_starts, wire, wire_about, wire_expires_at)
    VALUES (:seq, :data, :markdown, :page_starts, :wire, :wire_about, :wire_expires_at)"""
_KEEP_PICTURE = """
    INSERT INTO pictures (name, body, expires_at) VALUES (:name, :body, :expires_at)
    ON CONFLICT (name) DO UPDATE SET expires_at = excluded.expires_at WHERE excluded.expires_at > pictures.expires_at"""
_PICTURE = "SELECT body FROM pictures WHERE name = :name AND expires_at > :now"
_DROP_PICTURES = """
    DELETE FROM pictures WHERE name IN (SELECT name FROM pictures WHERE expires_at <= :now LIMIT :batch)
    RETURNING name"""
_MEDIA_TYPES = {ending: media_type for media_type, ending in PICTURE_ENDINGS.items()}
_DROP_EXPIRED = """
    DELETE FROM conversions WHERE seq IN (SELECT seq FROM conversions WHERE expires_at <= :now LIMIT :batch)
    RETURNING seq"""
_DROP_WIRES = """
    UPDATE artifacts SET wire = NULL, wire_about = NULL, wire_expires_at = NULL
    WHERE seq IN (SELECT seq FROM artifacts WHERE wire_expires_at <= :now LIMIT :batch) RETURNING seq"""


_PROBE = """
    INSERT INTO conversions (id, endpoint, version, created_at, expires_at, source_url)
    VALUES (:id, '', 0, 0, 0, :ballast)"""
_PROBED = "DELETE FROM conversions WHERE id = :id"
_PROBE_CHARACTERS = 16 * 1024


def _probe(id: str) -> Operation[None]:
    yield _PROBE, {"id": id, "ballast": "x" * _PROBE_CHARACTERS}
    yield _PROBED, {"id": id}


class Conversions:
    """The stored results of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def fresh(self, cache_key: str, now: datetime) -> Conversion | None:
        """Return the newest public result for `cache_key` that is fresh at `now`, or None.

        A result stored while a clock was fast is not fresh.
        """
        values = {"cache_key": cache_key, "now": epoch_ms(now), "latest": epoch_ms(now + CLOCK_SKEW)}
        return await _decode_first(await self._database.read(lambda: query(_FRESH, values)))

    async def by_id(self, id: str, now: datetime) -> Conversion | None:
        """Return the result with this id unless it has expired. The caller must check its owner."""
        values = {"id": id, "now": epoch_ms(now)}
        return await _decode_first(await self._database.read(lambda: query(_BY_ID, values)))

    async def wire(self, id: str, now: datetime) -> Wire | None:
        """Return the stored response of a result, or None if the response was not stored or has expired."""
        values = {"id": id, "now": epoch_ms(now)}
        rows = await self._database.read(lambda: query(_WIRE, values))
        return await asyncio.to_thread(_decode_wire, *rows[0]) if rows else None

    async def picture(self, name: str, now: datetime) -> Picture | None:
        """Return the image with this name unless it has expired."""
        rows = await self._database.read(lambda: query(_PICTURE, {"name": name, "now": epoch_ms(now)}))
        _, dot, ending = name.rpartition(".")
        return Picture(_MEDIA_TYPES[dot + ending], bytes(rows[0][0])) if rows else None

    async def keep(self, conversion: Conversion, recorded: Recorded | None = None) -> None:
        """Store a result for which nobody is charged. An existing result with the same id is kept."""
        record = await encode(conversion, recorded)
        await self._database.write(lambda: insert(record), admitted=True)

    async def keep_pictures(self, pictures: Sequence[Picture], until: datetime) -> None:
        """Store images that no stored result shows."""
        rows = [_picture_row(picture, epoch_ms(until)) for picture in pictures]
        await self._database.write(lambda: _insert_pictures(rows))

    async def delete(self, id: str) -> bool:
        """Delete one result with its artifacts. Return whether there was one."""
        sql = "DELETE FROM conversions WHERE id = :id RETURNING seq"
        return bool(await self._database.write(lambda: query(sql, {"id": id})))

    async def probe(self) -> None:
        """Write and delete as much data as a small result. Raises Overloaded if the store accepts no writes."""
        id = f"probe_{secrets.token_hex(8)}"
        await self._database.write(lambda: _probe(id))

    async def sweep(self, now: datetime) -> bool:
        """Delete one batch each of wires, results and images expired by `now`. Return whether more may be left."""
        values = {"now": epoch_ms(now), "batch": SWEEP_BATCH}
        wires = await self._database.write(lambda: query(_DROP_WIRES, values))
        answers = await self._database.write(lambda: query(_DROP_EXPIRED, values))
        pictures = await self._database.write(lambda: query(_DROP_PICTURES, values))
        return SWEEP_BATCH in (len(wires), len(answers), len(pictures))


def insert(record: Record) -> Operation[None]:
    """Write a conversion and its artifacts. Do nothing if the id already exists."""
    rows = yield _KEEP, record.conversion
    if rows:
        yield _KEEP_ARTIFACTS, {**record.artifacts, "seq": rows[0][0]}
        yield from _insert_pictures(record.pictures)


def extend(id: str, until: datetime) -> Operation[None]:
    """Keep a result until then, if it would expire earlier."""
    yield _EXTEND, {"id": id, "until": epoch_ms(until)}


def _insert_pictures(rows: Sequence[Mapping[str, Any]]) -> Operation[None]:
    for row in rows:
        yield _KEEP_PICTURE, row


def _picture_row(picture: Picture, until_ms: int | None) -> Mapping[str, Any]:
    return {"name": picture.name, "body": picture.body, "expires_at": until_ms}


async def encode(conversion: Conversion, recorded: Recorded | None = None) -> Record:
    """Return the rows of `conversion` and its wire. Large bodies are compressed off the event loop."""
    if (
        _bulk(conversion.data, conversion.markdown, recorded.wire.body if recorded and recorded.wire else None)
        > OFF_LOOP_BYTES
    ):
        return await asyncio.to_thread(_encode, conversion, recorded)
    return _encode(conversion, recorded)


async def _decode_first(rows: Rows) -> Conversion | None:
    if not rows:
        return None
    if _bulk(*rows[0][11:]) > OFF_LOOP_BYTES // 4:  # text compresses to about a quarter
        return await asyncio.to_thread(_decode, rows[0])
    return _decode(rows[0])


def _bulk(*bodies: bytes | str | None) -> int:
    return sum(len(body) for body in bodies if body)


def _encode(c: Conversion, recorded: Recorded | None) -> Record:
    pack = _zstd.pack
    recorded = recorded or Recorded()
    wire, pictures_until = recorded.wire, _ms(recorded.pictures_expire_at or c.expires_at)
    return Record(
        conversion={
            "id": c.id,
            "endpoint": c.endpoint,
            "version": c.version,
            "cache_key": c.cache_key,
            "owner": c.owner,
            "created_at": epoch_ms(c.created_at),
            "fresh_until": _ms(c.fresh_until),
            "expires_at": epoch_ms(c.expires_at),
            "provider": c.provider,
            "source_url": c.source_url,
            "fetched_at": _ms(c.fetched_at),
        },
        artifacts={
            "data": pack(c.data),
            "markdown": pack(c.markdown),
            "page_starts": pack(orjson.dumps(c.page_starts)) if c.page_starts else None,
            "wire": pack(wire.body) if wire else None,
            "wire_about": _about(wire) if wire else None,
            "wire_expires_at": _ms(recorded.expires_at) if wire else None,
        },
        pictures=tuple(_picture_row(picture, pictures_until) for picture in recorded.pictures),
    )


def _decode(row: tuple[Any, ...]) -> Conversion:
    unpack = _zstd.unpack
    id, endpoint, version, cache_key, owner, created, fresh, expires, provider, source_url, fetched, *bodies = row
    data, markdown, page_starts = bodies
    return Conversion(
        id=id,
        endpoint=endpoint,
        version=version,
        cache_key=cache_key,
        owner=owner,
        created_at=from_epoch_ms(created),
        fresh_until=None if fresh is None else from_epoch_ms(fresh),
        expires_at=from_epoch_ms(expires),
        provider=provider,
        source_url=source_url,
        data=unpack(data),
        markdown=unpack(markdown),
        fetched_at=None if fetched is None else from_epoch_ms(fetched),
        page_starts=() if page_starts is None else tuple(orjson.loads(unpack(page_starts))),
    )


def _decode_wire(body: bytes, about: str) -> Wire:
    """Return the wire for a body and the text of `_about`."""
    fields = json.loads(about)
    return Wire(**{**fields, "body": _zstd.unpack(bytes(body)), "fetched_at": from_epoch_ms(fields["fetched_at"])})


def _ms(instant: datetime | None) -> int | None:
    return None if instant is None else epoch_ms(instant)


def _about(wire: Wire) -> str:
    """Return a wire without its body as JSON in ASCII, because databases reject some characters in headers."""
    return json.dumps(
        {
            "url": wire.url,
            "requested_url": wire.requested_url,
            "status": wire.status,
            "headers": dict(wire.headers),
            "fetched_at": epoch_ms(wire.fetched_at),
            "truncated": wire.truncated,
            "rendered": wire.rendered,
        }
    )
