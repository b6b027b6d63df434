"""Portions of results, for callers who want only a part of a stored result.

The stored result does not change, so one entry serves every portion of it. Markdown is read in a child process.
Finished portions are kept in memory, because the same request is often repeated.
"""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Protocol, TypeVar

import orjson

from webquarry.core.errors import InvalidParams
from webquarry.core.process.loop import LOOP_BYTES
from webquarry.core.types import Deadline
from webquarry.endpoints.footer import remove_footer
from webquarry.endpoints.picking import PICK, pick
from webquarry.endpoints.portion import DEFAULT_TOKENS, Portion
from webquarry.excerpts.job import CHOOSE, CHUNK, FIND_BLOCK, MARK, MOST_CHUNKS, Paged
from webquarry.pipeline.cache import OFF_LOOP_BYTES, json_text
from webquarry.storage.conversions import Conversion
from webquarry.workers.job import Job
from webquarry.workers.parcel import Parcel
from webquarry.workers.workers import Workers

F = TypeVar("F")
WITHIN_S: Final = 20.0
"""Maximum time in seconds for choosing a portion of a result."""
_LIMIT_BYTES: Final = 8 * 1024 * 1024


class _Run(Protocol):
    """Runs a job on the markdown of a result."""

    async def __call__(self, job: Job[F], /, **options: Any) -> Parcel[F]: ...


@dataclass(frozen=True, slots=True)
class Part:
    """A portion of a result. `data` and `markdown` are None if they are not in the response.

    `is_picked` is True if `data` has only picked fields: the response then names it `fields`, because the schema of
    `data` requires all of them. `extra` contains further fields, as a JSON object or "". `omitted_tokens` is the
    estimated size of the markdown left out.
    """

    data: bytes | None
    markdown: bytes | None
    extra: bytes = b""
    is_picked: bool = False
    omitted_tokens: int = 0

    @property
    def size_bytes(self) -> int:
        return len(self.data or b"") + len(self.markdown or b"") + len(self.extra) + 500

    def write(self, head: Mapping[str, Any], *, has_data: bool, has_markdown: bool) -> bytes:
        """Return the envelope with these first fields. A large envelope must be written in a thread."""
        parts = [orjson.dumps(head)[:-1]]
        if has_data and self.data is not None:
            parts += [b',"fields":' if self.is_picked else b',"data":', self.data]
        if has_markdown and self.markdown is not None:
            parts += [b',"markdown":', json_text(self.markdown)]
        if self.extra:
            parts += [b",", self.extra[1:-1]]
        return b"".join([*parts, b"}"])

    @property
    def is_large(self) -> bool:
        return self.size_bytes > OFF_LOOP_BYTES


class Portions:
    """Chooses portions of results, in child processes if that would block the event loop."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._kept: OrderedDict[tuple[str, Portion], Part] = OrderedDict()
        self._held_bytes = 0

    async def choose(
        self, conversion: Conversion, portion: Portion, tree: Mapping[str, Any], deadline: Deadline, account: str
    ) -> Part:
        """Return the portion of a result. `tree` contains its picked fields; an empty tree means all fields."""
        key = (conversion.id, portion)
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            return kept
        data = await self._pick(conversion.data, tree, deadline, account) if tree else conversion.data
        run = partial(self._run, conversion, deadline, account)
        if portion.shortens_markdown:
            part = await _shorten(run, portion)
        else:
            part = await _show_whole(run, portion, conversion)
        part = replace(part, data=data, is_picked=bool(tree))
        self._keep(key, part)
        return part

    async def _run(
        self, conversion: Conversion, deadline: Deadline, account: str, job: Job[F], **options: Any
    ) -> Parcel[F]:
        """Run a job on the markdown of a result."""
        options["page_starts"] = list(conversion.page_starts)
        body = remove_footer(conversion.markdown)
        return await self._workers.run(job, body, options, deadline=deadline, account=account, subject="answer")

    async def find_block(self, conversion: Conversion, number: int, deadline: Deadline, account: str) -> Part:
        """Return a block of a result's markdown. Raises InvalidParams if the markdown has fewer blocks."""
        found = await self._run(conversion, deadline, account, FIND_BLOCK, number=number)
        if not found.facts.is_found:
            last = found.facts.blocks - 1
            raise InvalidParams(f"Parameter 'block' must be from 0 to {last}: the result has no further blocks.")
        return Part(None, None, found.pieces[0])

    async def _pick(self, data: bytes, tree: Mapping[str, Any], deadline: Deadline, account: str) -> bytes:
        if len(data) <= LOOP_BYTES // 2:
            return pick(data, tree)
        found = await self._workers.run(
            PICK, data, {"tree": tree}, deadline=deadline, account=account, subject="answer"
        )
        return found.pieces[0]

    def _keep(self, key: tuple[str, Portion], part: Part) -> None:
        if part.size_bytes > _LIMIT_BYTES // 4 or key in self._kept:
            return
        self._kept[key] = part
        self._held_bytes += part.size_bytes
        while self._held_bytes > _LIMIT_BYTES:
            self._held_bytes -= self._kept.popitem(last=False)[1].size_bytes


async def _shorten(run: _Run, portion: Portion) -> Part:
    """Return the excerpts for a query, or the beginning of each section."""
    found = await run(
        CHOOSE,
        query=portion.query,
        max_tokens=portion.max_tokens or DEFAULT_TOKENS,
        marks_pages=portion.pages,
    )
    chosen, pages, markdown = found.pieces
    extra = _merge(chosen, pages) if portion.pages else chosen
    return Part(None, markdown, extra, omitted_tokens=found.facts.omitted_tokens)


async def _show_whole(run: _Run, portion: Portion, conversion: Conversion) -> Part:
    """Return the whole markdown, with page markers, without its footer, or in chunks."""
    markdown = conversion.markdown
    extra: list[bytes] = []
    if portion.chunks is not None:
        divided = await run(CHUNK, size=portion.chunks)
        if divided.facts.is_too_large:
            raise InvalidParams(
                f"The chunks of this result have more than {MOST_CHUNKS // 1_000_000} MB. Remove 'chunks' and divide "
                "the markdown yourself.",
                parameter="chunks",
            )
        extra += divided.pieces
    if portion.pages and not conversion.page_starts:
        extra.append(Paged(pages=[]).model_dump_json().encode())
    elif portion.pages:
        pages, marked = (await run(MARK)).pieces
        extra.append(pages)
        markdown = marked + markdown[len(remove_footer(markdown)) :]
    return Part(None, markdown if portion.footer else remove_footer(markdown), _merge(*extra))


def _merge(*objects: bytes) -> bytes:
    """Merge JSON objects into one."""
    return b"{%b}" % b",".join(each[1:-1] for each in objects) if objects else b""
