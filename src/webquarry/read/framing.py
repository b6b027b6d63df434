"""What large sites put around the JSON of their own calls and pages: guards, chunks, envelopes of calls, data blocks.

    for reply in replies_of(wire, "Google Trends"): ...
    block = blocks_of(wire).get("ds:0")

Guard: what stands before JSON so that pages of other sites cannot run it as a script. Call ("batchexecute"): the
answer is arrays, each behind a line with its length (which is not believed: it counts other units than bytes); entries
`["wrb.fr", call, JSON as text or null, …]` hold what a call gave, or at [5] the code of its error; `["er", …]` the
code of an error of the whole. Data blocks: `AF_initDataCallback({key: 'ds:0', …, data: JSON, …})` in scripts, and in
`AF_dataServiceRequests` the call that each of them answers.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from webquarry.core.errors import ProviderError
from webquarry.core.types import Wire
from webquarry.read.losses import lose
from webquarry.read.values import at, parse_json, parse_json_at, reach
from webquarry.read.walls import unreadable

GUARDS: Final = (b")]}'", b"for (;;);", b"for(;;);", b"while(1);", b"while (1);")
MAX_BLOCKS: Final = 200
MAX_FAILURES: Final = 4
"""Blocks that cannot be read, after which no further one is tried: each may have to be tried to the page's end."""

_CALLBACK: Final = "AF_initDataCallback("
_KEY: Final = re.compile(r"\s{0,20}\{\s{0,20}key\s{0,20}:\s{0,20}'([^'\\]{1,40})'")
_DATA: Final = re.compile(r"\bdata\s{0,20}:\s{0,20}(?:function\(\)\s{0,20}\{\s{0,20}return\s{1,20})?")
_HEAD_CHARS: Final = 300
"""Within which a block names its data."""
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
    """What one call gave. content: its JSON; None when it gave none. code: of its error (gRPC's: 3 invalid, 5 not
    found, 7 not permitted), None when it tells none. call: "" for an error of all calls. is_null: it gave null, and not
    a content that cannot be read."""

    call: str
    content: Any
    code: int | None = None
    is_null: bool = False

    @property
    def is_error(self) -> bool:
        return self.content is None and self.code is not None


@dataclass(frozen=True, slots=True)
class Block:
    """A data block of a page. call, request: what it answers, "" and None where the page does not say. is_error: the
    page says that data are the code of an error."""

    key: str
    data: Any
    is_error: bool = False
    call: str = ""
    request: Any = None


def unguarded(body: bytes) -> bytes | None:
    """What stands behind the guard; None when there is no guard."""
    body = body.removeprefix(b"\xef\xbb\xbf").lstrip()
    for guard in GUARDS:
        if body.startswith(guard):
            return body[len(guard) :].lstrip().removeprefix(b",").lstrip()
    return None


def guarded_json(wire: Wire, source: str, *, is_guarded: bool | None = True) -> Any:
    """The JSON behind the guard. is_guarded: None where the source leaves the guard out at times.

    ProviderError: "blocked" for a wall, "changed" for anything else that is not this.
    """
    behind = unguarded(wire.body)
    if behind is None:
        if is_guarded:
            raise unreadable(wire, source, f"{source} sent something other than data.")
        behind = wire.body
    try:
        return parse_json(behind)
    except ValueError as exc:
        raise unreadable(wire, source, f"{source} sent something that is not JSON.") from exc


def chunks_of(body: bytes) -> list[Any]:
    """The arrays of an answer, guarded or not, with lengths before them or without. What is no array, such as a chunk
    that was cut, is counted as a loss."""
    behind = unguarded(body)
    behind = body if behind is None else behind
    try:
        whole = parse_json(behind)
    except ValueError:
        return list(_lines(behind))
    return [whole] if isinstance(whole, list) else []


def replies_of(wire: Wire, source: str) -> list[Reply]:
    """What the calls gave, in the answer's order; never empty. ProviderError: "blocked" for a wall, "changed" for an
    answer that holds no reply."""
    replies = [reply for chunk in chunks_of(wire.body) for entry in _entries(chunk) if (reply := _reply(entry))]
    if not replies:
        raise unreadable(wire, source, f"{source} sent no response to this request.")
    return replies


def reply_to(wire: Wire, call: str, source: str) -> Reply:
    """What this call gave: a content, or the code of its error. ProviderError: "blocked" for a wall, "changed" for an
    answer without it, or with neither."""
    replies = replies_of(wire, source)
    own = [reply for reply in replies if reply.call == call]
    found = next((reply for reply in own if reply.content is not None), None) or next(
        (reply for reply in (*own, *replies) if reply.call in (call, "") and reply.is_error), None
    )
    if found is None:
        raise ProviderError(f"{source} sent no response to this request.", reason="changed")
    return found


def blocks_of(wire: Wire) -> dict[str, Block]:
    """The data blocks of a page by key, in the page's order; {} when it has none. What cannot be read is a loss, and
    so is one whose script does not end: the page was cut."""
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
        if key is None or named is None:  # the function itself, whose parameter has another form
            continue
        try:
            data, position = parse_json_at(text, named.end())
        except ValueError:
            failures += 1
            lose(_CALLBACK + key[1])
            continue
        if text[position : position + 1].strip() not in ("", ",", "}") or position > whole:  # cut, or no call
            lose(_CALLBACK + key[1])
            continue
        is_error = bool(
            _FAULT.match(text, position, position + _TAIL_CHARS) or _FAULT_BEFORE.search(text, key.end(), named.start())
        )
        call, request = requests.get(key[1], ("", None))
        blocks.setdefault(key[1], Block(key[1], data, is_error, call, request))
    return blocks


def block_for(blocks: Mapping[str, Block], call: str, key: str) -> Block | None:
    """The block that answers this call; where the page does not say which does, the one of this key."""
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
    """An entry stands in a chunk, or in its place."""
    for entry in (chunk, *chunk):
        if isinstance(entry, list) and entry and isinstance(entry[0], str):
            yield entry
    if len(chunk) == 1 and isinstance(chunk[0], list):  # one chunk for all
        yield from (entry for entry in chunk[0] if isinstance(entry, list) and entry and isinstance(entry[0], str))


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
    """The calls that a page's blocks answer, by key."""
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
