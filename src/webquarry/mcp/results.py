"""Tool results as finished JSON, and a cache of recent results."""

import hashlib
import re
import secrets
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias, TypeVar

import orjson

from webquarry.core.errors import ServiceError
from webquarry.core.types import Deadline
from webquarry.endpoints.portion import Portion
from webquarry.mcp.clean import make_line
from webquarry.mcp.framing import clean_address, frame, read_host
from webquarry.mcp.parts import cut
from webquarry.mcp.prepared import (
    PREPARE,
    PREPARE_SECTION,
    Form,
    PreparedFacts,
    PreparedResult,
    cut_json,
    prepare,
    prepare_section,
)
from webquarry.pipeline import Answer, tell_charge
from webquarry.workers.job import Job
from webquarry.workers.parcel import Parcel
from webquarry_convert.text.instants import rfc3339

INLINE_BYTES: Final = 128 * 1024
"""Size in bytes above which artifacts are cleaned and split in a child process."""
_SLOT: Final = f"slot_{secrets.token_hex(24)}"
"""Placeholder for the result's id, which depends on the account. Fetched text cannot contain it, because it is random.
"""
_ID: Final = re.compile(r"rs_([0-9a-f]{32})([0-9a-f]{16})")
F = TypeVar("F")


_Key: TypeAlias = tuple[str, Form, Portion]


def _make_key(answer: Answer, form: Form) -> _Key:
    return answer.conversion_id, form, answer.portion


class Isolated(Protocol):
    """Runs a job on bytes in a child process. See `Workers.run`."""

    async def __call__(
        self, job: Job[F], body: bytes, options: dict[str, Any], *, deadline: Deadline, account: str = ""
    ) -> Parcel[F]: ...


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A tool's result as JSON without its last brace, so that each revision can add fields.

    `code` is the error's code, or `ok`.
    """

    text: bytes
    code: str = "ok"


def make_result_id(conversion_id: str, account_id: str) -> str:
    """Return the id of a result for the account that received it.

    Other accounts cannot use it. The tag needs no secret because it protects nothing: creating one requires the
    conversion's 128 random bits, with which one could request `cv_…` directly. The owner of a conversion is checked in
    the store for either id.
    """
    return f"rs_{conversion_id.removeprefix('cv_')}{_make_tag(conversion_id, account_id)}"


def read_result_id(result_id: str, account_id: str) -> str | None:
    """Return the conversion of a result of this account, or None if the id was not issued to this account."""
    found = _ID.fullmatch(result_id)
    if found is None:
        return None
    conversion_id = f"cv_{found[1]}"
    return conversion_id if found[2] == _make_tag(conversion_id, account_id) else None


def _make_tag(conversion_id: str, account_id: str) -> str:
    return hashlib.sha256(f"result {account_id} {conversion_id}".encode()).hexdigest()[:16]


class Results:
    """Writes tool results. `limit_bytes` limits the memory for cached results.

    `titles` are the names of providers whose URLs are APIs rather than pages. They are shown instead of the URL.
    """

    def __init__(self, isolated: Isolated, limit_bytes: int, titles: Mapping[str, str] | None = None) -> None:
        self._titles = titles or {}
        self._isolated = isolated
        self._limit_bytes = limit_bytes
        self._sheets: OrderedDict[_Key, PreparedResult] = OrderedDict()
        self._hits: OrderedDict[_Key, tuple[bytes, ...]] = OrderedDict()
        self._held_bytes = 0

    async def write(self, answer: Answer, form: Form, account_id: str, deadline: Deadline) -> ToolResult:
        """Return the first part of a result, with its cost."""
        conversion_id = answer.conversion_id
        key = _make_key(answer, form)
        if answer.cache != "miss" and (pieces := self._hits.get(key)) is not None:
            self._hits.move_to_end(key)
            return ToolResult(make_result_id(conversion_id, account_id).encode().join(pieces))
        prepared_result = await self._read_sheet(answer, form, account_id, deadline)
        pieces = tuple(self._write_part(answer, form, prepared_result, 1).split(_SLOT.encode()))
        if answer.cache != "miss":
            self._keep(self._hits, key, pieces, sum(map(len, pieces)))
        return ToolResult(make_result_id(conversion_id, account_id).encode().join(pieces))

    def write_stored(self, answer: Answer, account_id: str, error: ServiceError, form: Form) -> ToolResult:
        """Return a reference to a stored result that was charged but cannot be shown now."""
        asked = f'id "{_SLOT}"' + (', format "json"' if form == "json" else "")
        text = (
            f"The result is stored but can't be shown right now: {make_line(error.message, 300)} "
            f"{tell_charge(answer.charged)}\nNext: call get_result with {asked} to show it for free."
        )
        result = {
            "content": [{"type": "text", "text": text}],
            "structuredContent": self._list_facts(answer, answer.charged),
            "isError": False,
        }
        own = make_result_id(answer.conversion_id, account_id)
        return ToolResult(orjson.dumps(result)[:-1].replace(_SLOT.encode(), own.encode()), error.code)

    async def find_part(
        self, answer: Answer, form: Form, number: int, account_id: str, deadline: Deadline
    ) -> "FoundPart":
        """Return a part of a stored result."""
        prepared_result = await self._read_sheet(answer, form, account_id, deadline)
        return self._find(answer, form, prepared_result, number, account_id, None)

    async def find_section(
        self, answer: Answer, heading: str, number: int, account_id: str, deadline: Deadline
    ) -> "FoundPart | None":
        """Return a part of a section of a stored result, or None if the result has no such heading."""
        body = answer.conversion.markdown
        if len(body) <= INLINE_BYTES:
            prepared_result = PreparedResult.of(prepare_section(body, heading=heading))
        else:
            prepared_result = await self._prepare_in_child(
                PREPARE_SECTION, body, {"heading": heading}, account_id, deadline
            )
        if not prepared_result.parts:
            return None
        return self._find(answer, "markdown", prepared_result, number, account_id, heading)

    async def excerpt(self, answer: Answer, form: Form, limit: int, account_id: str, deadline: Deadline) -> "Excerpt":
        """Return the beginning of a stored result in its frame, with at most `limit` characters of it."""
        prepared_result = await self._read_sheet(answer, form, account_id, deadline)
        first = prepared_result.read_part(1)
        content = (cut if form == "markdown" else cut_json)(first, limit)[0]
        is_whole = len(content) == len(first) and prepared_result.parts == 1
        fields = self._list_facts(answer, 0)
        facts = f"Fetched at {fields['fetchedAt']}."
        framed = frame(content, fields["origin"], facts, prepared_result.removed, "", fields.get("address"))
        return Excerpt(content, framed, is_whole)

    async def _read_sheet(self, answer: Answer, form: Form, account_id: str, deadline: Deadline) -> PreparedResult:
        key = _make_key(answer, form)
        prepared_result = self._sheets.get(key)
        if prepared_result is not None:
            self._sheets.move_to_end(key)
            return prepared_result
        body = answer.markdown if form == "markdown" else answer.data
        if len(body) <= INLINE_BYTES:
            prepared_result = PreparedResult.of(prepare(body, form=form))
        else:
            prepared_result = await self._prepare_in_child(
                PREPARE.knowing(form=form), body, {"form": form}, account_id, deadline
            )
            self._keep(self._sheets, key, prepared_result, prepared_result.size_bytes)
        return prepared_result

    async def _prepare_in_child(
        self, job: Job[PreparedFacts], body: bytes, options: dict[str, Any], account_id: str, deadline: Deadline
    ) -> PreparedResult:
        return PreparedResult.of(await self._isolated(job, body, options, deadline=deadline, account=account_id))

    def _keep(self, memory: "OrderedDict[_Key, Any]", key: _Key, kept: Any, size: int) -> None:
        if size > self._limit_bytes // 4 or key in memory:  # another call has already stored the same result
            return
        memory[key] = kept
        self._held_bytes += size
        while self._held_bytes > self._limit_bytes:
            oldest = self._hits if len(self._hits) >= len(self._sheets) else self._sheets
            _, gone = oldest.popitem(last=False)
            self._held_bytes -= gone.size_bytes if isinstance(gone, PreparedResult) else sum(map(len, gone))

    def _find(
        self,
        answer: Answer,
        form: Form,
        prepared_result: PreparedResult,
        number: int,
        account_id: str,
        heading: str | None,
    ) -> "FoundPart":
        if not 1 <= number <= prepared_result.parts:
            return FoundPart(prepared_result.parts, None)
        text = self._write_part(answer, form, prepared_result, number, heading, is_charged=False)
        own = make_result_id(answer.conversion_id, account_id).encode()
        return FoundPart(prepared_result.parts, ToolResult(text.replace(_SLOT.encode(), own)))

    def _write_part(
        self,
        answer: Answer,
        form: Form,
        prepared_result: PreparedResult,
        number: int,
        heading: str | None = None,
        *,
        is_charged: bool = True,
    ) -> bytes:
        """Return the result as JSON without its last brace, with `_SLOT` in place of the id."""
        charged = answer.charged if is_charged else 0
        fields = self._list_facts(answer, charged)
        facts = f"Fetched at {fields['fetchedAt']}{', cached' if fields['cached'] else ''}. {tell_charge(charged)}"
        part, parts = prepared_result.read_part(number), prepared_result.parts
        shown = part
        if parts > 1 and number == 1 and prepared_result.headings:
            shown += f"\n\n(All headings: {'; '.join(prepared_result.headings)})"
        rest = _tell_rest(number, parts, form, heading) or _tell_whole(answer, form)
        text = frame(shown, fields["origin"], facts, prepared_result.removed, rest, fields.get("address"))
        text_json = orjson.dumps(text)
        fields |= {"part": number, "parts": parts}
        pieces = [
            b'{"content":[{"type":"text","text":',
            text_json,
            b'}],"structuredContent":',
            orjson.dumps(fields)[:-1],
        ]
        if form == "json" and parts == 1:
            pieces += [b',"data":', part.encode()]
        elif form == "json":
            pieces += [b',"json":', orjson.dumps(part)]
        else:
            pieces += [b',"markdown":', text_json]
        return b"".join([*pieces, b'},"isError":false'])

    def _list_facts(self, answer: Answer, charged: int) -> dict[str, Any]:
        """Return the fields of every result except its content. `address` is included if the source is a page."""
        conversion = answer.conversion
        url = conversion.source_url
        origin = read_host(url) if url else conversion.provider or f"the providers of {conversion.endpoint}"
        if (title := self._titles.get(conversion.provider or "")) is not None:
            origin, url = title, None
        facts = {
            "id": _SLOT,
            "creditsCharged": charged,
            "cached": answer.cache != "miss",
            "fetchedAt": rfc3339(conversion.asked_at),
            "origin": origin,
        }
        return {**facts, "address": clean_address(url)} if url else facts


@dataclass(frozen=True, slots=True)
class FoundPart:
    """A part that was searched for. `result` is None if there is no such part. `parts` is the number of parts."""

    parts: int
    result: ToolResult | None


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The beginning of a result: cleaned, and in its frame. `is_whole`: nothing follows it."""

    content: str
    framed: str
    is_whole: bool


def _tell_whole(answer: Answer, form: Form) -> str:
    """Return a sentence on how to get the text that a shortened result omits, or ""."""
    if form == "json" or not answer.portion.shortens_markdown or answer.part is None or not answer.part.omitted_tokens:
        return ""
    what = "The parts that match the query" if answer.portion.query is not None else "The beginning of each section"
    left_out = f"{what}; about {answer.part.omitted_tokens} tokens are left out."
    return f'{left_out} For the whole result, call get_result with id "{_SLOT}".'


def _tell_rest(number: int, parts: int, form: Form, heading: str | None) -> str:
    if parts == 1:
        return ""
    what = "Part" if heading is None else "Part of the section"
    joined = " Concatenate the parts to get one JSON document." if form == "json" else ""
    if number == parts:
        return f"{what} {number} of {parts}, the last.{joined}"
    asked = f'id "{_SLOT}", part {number + 1}'
    asked += ', format "json"' if form == "json" else ", or by heading" if heading is None else ", same heading"
    return f"{what} {number} of {parts}. For the rest, call get_result with {asked}.{joined}"
