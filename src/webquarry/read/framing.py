"""Framing around the JSON in API responses and pages of large sites: guards, chunks, call envelopes, data blocks.

    for reply in replies_of(wire, "Google Trends"): ...
    block = blocks_of(wire).get("ds:0")

A guard is a prefix that keeps pages of other sites from running JSON as a script. In a "batchexecute" response, each
array follows a line with its length (which is ignored, because it does not count bytes). Entries `["wrb.fr", call, JSON
as text or null, …]` hold the result of a call, or its error code at [5]; `["er", …]` holds the error code of the whole
request. Data blocks are calls `AF_initDataCallback({key: 'ds:0', …, data: JSON, …})` in scripts, and
`AF_dataServiceRequests` names the call whose result each of them holds.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from webquarry.core.errors import ProviderError
from webquarry.core.types import Wire
from webquarry.read.block_pages import unreadable
from webquarry.read.losses import lose
from webquarry.read.values import at, parse_json, parse_json_at, reach

GUARDS: Final = (b")]}'", b"for (;;);", b"for(;;);", b"while(1);", b"while (1);")
MAX_BLOCKS: Final = 200
MAX_FAILURES: Final = 4
"""Number of unreadable blocks after which parsing stops, because each may require a scan to the end of the page."""

_CALLBACK: Final = "AF_initDataCallback("
_KEY: Final = re.compile(r"\s{0,20}\{\s{0,20}key\s{0,20}:\s{0,20}'([^'\\]{1,40})'")
_DATA: Final = re.compile(r"\bdata\s{0,20}:\s{0,20}(?:function\(\)\s{0,20}\{\s{0,20}return\s{1,20})?")
_HEAD_CHARS: Final = 300
"""Maximum distance in characters from a block's start to the name of its data."""
_TAIL_CHARS: Final = 200
_FAULT: Final = re.compile(r"\s{0,20},\s{0,20}(?:errorHasStatus|isError)\s{0,20}:\s{0,20}true\b")
_FAULT_BEFORE: Final = re.compile(r"\bisError\s{0,20}:\s{0,20}true\b")
_REQUESTS: Final = "AF_dataServiceRequests"
_REQUEST: Final = re.compile(
    r"'([^'\\]{1,40})'\s{0,20}:\s{0,20}\{\s{0,20}id\s{0,20}:\s{0,20}'([^'\\]{1,40})'\s{0,20},\s{0,20}"
    r"request\s{0,20}:\s{0,20}"
)


@dataclass(frozen=True, slots=True)
class Reply:
    """The result of one call.

    `call` is "" for an error of all calls. `content` is its JSON, or None. `code` is its gRPC error code (3 invalid, 5
    not found, 7 not permitted), or None. `is_null` is True if the result was null, and False if it was unreadable.
    """

    call: str
    content: Any
    code: int | None = None
    is_null: bool = False

    @property
    def is_error(self) -> bool:
        return self.content is None and self.code is not None


@dataclass(frozen=True, slots=True)
class Block:
    """A data block of a page.

    `call` and `request` identify the call whose result the block contains; they are "" and None if the page does not
    state the call. `is_error` means that `data` is an error code.
    """

    key: str
    data: Any
    is_error: bool = False
    call: str = ""
    request: Any = None


def unguarded(body: bytes) -> bytes | None:
    """Return the body after its guard, or None if it has no guard."""
    body = body.removeprefix(b"\xef\xbb\xbf").lstrip()
    for guard in GUARDS:
        if body.startswith(guard):
            return body[len(guard) :].lstrip().removeprefix(b",").lstrip()
    return None


def guarded_json(wire: Wire, source: str, *, is_guarded: bool | None = True) -> Any:
    """Return the JSON after the guard. Pass None for `is_guarded` if the source sometimes omits the guard.

    Raises ProviderError: "blocked" for a block page, "changed" for anything else.
    """
    behind = unguarded(wire.body)
    if behind is None:
        if is_guarded:
            raise unreadable(wire, source, f"{source} sent a response that is not data.")
        behind = wire.body
    try:
        return parse_json(behind)
    except ValueError as exc:
        raise unreadable(wire, source, f"{source} sent a response that is not JSON.") from exc


def chunks_of(body: bytes) -> list[Any]:
    """Return the arrays of a response, with or without the guard and the lengths.

    Data that is not an array, such as a truncated chunk, is counted as lost.
    """
    behind = unguarded(body)
    behind = body if behind is None else behind
    try:
        whole = parse_json(behind)
    except ValueError:
        return list(_lines(behind))
    return [whole] if isinstance(whole, list) else []


def replies_of(wire: Wire, source: str) -> list[Reply]:
    """Return the results of the calls in the response's order, at least one.

    Raises ProviderError: "blocked" for a block page, "changed" for a response without a result.
    """
    replies = [reply for chunk in chunks_of(wire.body) for entry in _entries(chunk) if (reply := _reply(entry))]
    if not replies:
        raise unreadable(wire, source, f"{source} sent no response to this request.")
    return replies


def reply_to(wire: Wire, call: str, source: str) -> Reply:
    """Return the result of this call: a content or an error code.

    Raises ProviderError: "blocked" for a block page, "changed" for a response with neither.
    """
    replies = replies_of(wire, source)
    own = [reply for reply in replies if reply.call == call]
    found = next((reply for reply in own if reply.content is not None), None) or next(
        (reply for reply in (*own, *replies) if reply.call in (call, "") and reply.is_error), None
    )
    if found is None:
        raise ProviderError(f"{source} sent no response to this request.", reason="changed")
    return found


def blocks_of(wire: Wire) -> dict[str, Block]:
    """Return the data blocks of a page by key, in the page's order; {} if it has none.

    Unreadable blocks are counted as losses, including a block whose script does not end because the page was truncated.
    """
    text = wire.body.decode("utf-8", "replace")
    requests = dict(_requests(text))
    blocks: dict[str, Block] = {}
    position = failures = 0
    whole = text.rfind("</script")
    while len(blocks) < MAX_BLOCKS and failures < MAX_FAILURES:
        found = text.find(_CALLBACK, position)
        if found < 0:
            break
        position = found + len(_CALLBACK)
        key = _KEY.match(text, position)
        named = _DATA.search(text, key.end(), key.end() + _HEAD_CHARS) if key else None
        if key is None or named is None:  # the definition of the function, whose parameter looks different
            continue
        try:
            data, position = parse_json_at(text, named.end())
        except ValueError:
            failures += 1
            lose(_CALLBACK + key[1])
            continue
        if text[position : position + 1].strip() not in ("", ",", "}") or position > whole:  # truncated, or not a call
            lose(_CALLBACK + key[1])
            continue
        is_error = bool(
            _FAULT.match(text, position, position + _TAIL_CHARS) or _FAULT_BEFORE.search(text, key.end(), named.start())
        )
        call, request = requests.get(key[1], ("", None))
        blocks.setdefault(key[1], Block(key[1], data, is_error, call, request))
    return blocks


def block_for(blocks: Mapping[str, Block], call: str, key: str) -> Block | None:
    """Return the block with this call's result or, if the page does not name the calls, the block with this key."""
    named = next((block for block in blocks.values() if block.call == call), None)
    found = blocks.get(key)
    return named or (found if found is not None and not found.call else None)


def _lines(body: bytes) -> Iterator[Any]:
    for line in body.splitlines():
        line = line.strip()
        if not line or line.isdigit():
            continue
        try:
            value = parse_json(line)
        except ValueError:
            value = None
        if isinstance(value, list):
            yield value
        else:
            lose("chunk")


def _entries(chunk: list[Any]) -> Iterator[list[Any]]:
    """Yield the entries of a chunk. The chunk itself may be an entry."""
    yield from filter(_is_entry, (chunk, *chunk))
    if len(chunk) == 1 and isinstance(chunk[0], list):  # a single chunk that contains everything
        yield from filter(_is_entry, chunk[0])


def _is_entry(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], str)


def _reply(entry: list[Any]) -> Reply | None:
    if entry[0] == "er":
        code = reach(entry, "[9]") if isinstance(reach(entry, "[9]"), int) else reach(entry, "[5]")
        return Reply("", None, code if type(code) is int else 0)
    call = reach(entry, "[1]")
    if entry[0] != "wrb.fr" or not isinstance(call, str):
        return None
    error = reach(entry, "[2]")
    if error is None:
        return Reply(call, None, at(entry, "[5][0]", int), is_null=True)
    try:
        content = parse_json(error.encode("utf-8", "replace")) if isinstance(error, str) else None
    except ValueError:
        content = None
    if content is None:
        lose("wrb.fr[2]")
    return Reply(call, content)


def _requests(text: str) -> Iterator[tuple[str, tuple[str, Any]]]:
    """Yield the calls whose results a page's blocks contain, by block key."""
    position = text.find(_REQUESTS)
    end = text.find("</script", position) if position >= 0 else -1
    failures = 0
    while 0 <= position < end and failures < MAX_FAILURES:
        named = _REQUEST.search(text, position, end)
        if named is None:
            return
        position = named.end()
        request = None
        try:
            request, position = parse_json_at(text, position)
        except ValueError:
            failures += 1
        yield named[1], (named[2], request)
