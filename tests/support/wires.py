"""The shipped responses of all sources, and hostile variants of them: any part of one at any length.

For any wire (JSON, JSON in JSON strings, pages, feeds, JSON in scripts of pages), `pumps` finds its parts: items of
lists are repeated, values are nested in themselves, texts are extended by characters with a meaning.
"""

import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import orjson

from webquarry.core.errors import ServiceError
from webquarry.core.types import Wire
from webquarry.endpoints.declare import Extractor, Params, Source
from webquarry.endpoints.params import parse
from webquarry.endpoints.registry import load
from webquarry.net.tape import Fault
from webquarry.sandbox.cases import cases

UNITS = (
    *(
        "a",
        " ",
        "\n",
        "\u00a0",
        "0",
        "9,",
        "1.",
        "-",
        "–",
        ".",
        ",",
        ";",
        ":",
        "|",
        "/",
        "//",
        "\\",
        '"',
        "'",
        "`",
        "*",
        "_",
    ),
    *(
        "#",
        "%",
        "+",
        "@",
        "=",
        "?",
        "(",
        ")",
        "()",
        "[",
        "]",
        "[]",
        "](",
        "{",
        "}",
        "<",
        ">",
        "<a",
        "<b>",
        "</b>",
        "<!--",
    ),
    *(
        "&",
        "&amp;",
        "&#",
        "é",
        "\u0301",
        "\u200b",
        "咖",
        "٣",
        "a ",
        "a.",
        "a-",
        "A1",
        "1K ",
        "1:0",
        "x@",
        "2026-11-01 ",
    ),
    *("http://a.b/", "https://", "www.", "?a=", "· ", "$1", "© ", "Page ", "from 1", "site:", "\U0001f600"),
)
"""Extensions of texts."""
MOST_NESTED = 60
"""Maximum depth of nested values; parsers refuse more than some hundreds."""
_LEAST_EMBEDDED = 40
_TAGS = re.compile(r"<(/?)([a-zA-Z][\w:-]*)((?:[^>\"']|\"[^\"]*\"|'[^']*')*)>")
_ATTRIBUTE = re.compile(r"([\w:-]+)=(\"[^\"]*\"|'[^']*')")


@dataclass(frozen=True)
class Read:
    """A shipped wire and a source that reads it."""

    extractor: Extractor
    source: Source
    params: Params
    wire: Wire
    case: str

    def __str__(self) -> str:
        return f"{self.source.provider.name}:{self.case}"

    def work(self, body: bytes) -> None:
        """Process a response as a request does: read it and render it."""
        try:
            self.extractor.render(self.source.read(replace(self.wire, body=body), self.params))
        except ServiceError:
            return


@dataclass(frozen=True)
class WirePump:
    """A growing part of a wire.

    name: the part; body: returns the wire with so many repetitions; unit: approximate bytes per repetition.
    """

    name: str
    unit: int
    most: int
    body: Callable[[int], bytes]

    def sized(self, size: int) -> bytes:
        return self.body(min(self.most, max(1, size // max(1, self.unit))))


def reads() -> Iterator[Read]:
    """Yield each source of the registry with each shipped wire that it can read, ordered by name."""
    for extractor in load():
        for case in cases(extractor.name):
            if not extractor.sources:
                continue
            try:
                params = parse(extractor.params, tuple(case.params.items()))
            except ServiceError:
                continue
            for number, exchange in enumerate(case.exchanges, 1):
                if isinstance(exchange.response, Fault):
                    continue
                found, url = exchange.response, exchange.request.url
                wire = Wire(found.body, url, url, found.status, found.headers, found.fetched_at, rendered=True)
                for source in extractor.sources:
                    if _can_read(source, wire, params):
                        yield Read(extractor, source, params, wire, f"{case.name}/{number:02}")


def _can_read(source: Source, wire: Wire, params: Params) -> bool:
    try:
        source.read(wire, params)
    except ServiceError:
        return False
    return True


def pumps(body: bytes, luck: random.Random, units: int) -> Iterator[WirePump]:
    """Yield a pump for each kind of part of a wire. units: number of `UNITS` per text, chosen randomly."""
    text = body.decode("utf-8", "replace")
    found: dict[str, WirePump] = {}
    for one in _of_text(text, "", luck, units):
        found.setdefault(one.name, one)
    yield from found.values()


def _of_text(text: str, name: str, luck: random.Random, units: int) -> Iterator[WirePump]:
    """Yield pumps for a text that is JSON or markup, or contains either."""
    whole = _parsed(text)
    if whole is not None:
        yield from _of_json(whole, name or "$", lambda value: _written(value), luck, units)
        return
    if text.lstrip().startswith("<"):
        yield from _of_markup(text, name, luck, units)
    for number, (start, end, value) in enumerate(_embedded(text)):
        yield from _of_json(value, f"{name}{{{number}}}", _between(text[:start], text[end:]), luck, units)


def _parsed(text: str) -> Any:
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, (dict, list)) else None


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _embedded(text: str) -> Iterator[tuple[int, int, Any]]:
    """Yield the JSON within another text: behind a guard, or in calls of scripts."""
    decoder = json.JSONDecoder()
    at = 0
    for opening in re.finditer(r"[\[{]", text):
        if opening.start() < at:
            continue
        try:
            value, end = decoder.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            continue
        if end - opening.start() >= _LEAST_EMBEDDED and isinstance(value, (dict, list)):
            yield opening.start(), end, value
            at = end


Put = Callable[[Any], str]
"""Returns the whole wire with another value at one position."""


def _between(before: str, after: str) -> Put:
    return lambda value: before + _written(value) + after


def _inside(value: Any, key: Any, put: Put) -> Put:
    return lambda item: put(_with(value, key, item))


def _said_at(text: str, place: int, unit: str) -> Callable[[int], str]:
    """Return a function that repeats `unit` at an offset of a text."""
    return lambda number: text[:place] + unit * number + text[place:]


def _of_json(value: Any, path: str, put: Put, luck: random.Random, units: int) -> Iterator[WirePump]:
    waiting: list[tuple[Any, str, Put]] = [(value, path, put)]
    seen: set[str] = set()
    while waiting:
        value, path, put = waiting.pop(0)
        if isinstance(value, str):
            if path not in seen:
                seen.add(path)
                yield from _of_string(value, path, put, luck, units)
            continue
        if not isinstance(value, (dict, list)) or not value:
            continue
        if path not in seen:
            seen.add(path)
            yield from _nested(value, path, put)
            yield from _lengthened(value, path, put)
        for key in value if isinstance(value, dict) else range(len(value)):
            inside = _shape(value, key)
            waiting.append((value[key], f"{path}{inside}", _inside(value, key, put)))


def _lengthened(value: Any, path: str, put: Put) -> Iterator[WirePump]:
    """Yield a list with all items or its last one repeated; an object with members repeated under other names."""
    size = len(_written(value))
    if isinstance(value, list):
        yield _pump(f"{path} * n", size, lambda n: put(value * n))
        yield _pump(f"{path}[-1] * n", size // len(value), lambda n: put([*value, *value[-1:] * n]))
        return
    more = value.items()
    yield _pump(
        f"{path}.name * n", size + 8, lambda n: put({**value, **{f"{k}{i}": x for i in range(n) for k, x in more}})
    )


def _shape(value: Any, key: Any) -> str:
    """Return the name of a position. Similar items of a list have the same name."""
    if isinstance(value, dict):
        return f".{key}"
    kinds = {type(item) for item in value}
    alike = len(value) > 1 and kinds == {dict}
    return "[]" if alike else f"[{key}]"


def _with(value: Any, key: Any, item: Any) -> Any:
    copied = value.copy()
    copied[key] = item
    return copied


def _nested(value: Any, path: str, put: Put) -> Iterator[WirePump]:
    """Yield a value nested in its lists and objects repeatedly."""
    keys = [
        key for key in (value if isinstance(value, dict) else range(len(value))) if isinstance(value[key], (dict, list))
    ]
    for key in keys[:3]:
        listed = isinstance(value[key], list)

        def body(n: int, key: Any = key, listed: bool = listed) -> str:
            inner = value
            for _ in range(n):
                inner = _with(value, key, [inner] if listed else inner)
            return put(inner)

        yield _pump(f"{path}{_shape(value, key)} in itself", len(_written(value)), body, MOST_NESTED)


def _of_string(text: str, path: str, put: Put, luck: random.Random, units: int) -> Iterator[WirePump]:
    if (inner := _parsed(text)) is not None:
        yield from _of_json(inner, f"{path}!", lambda value: put(_written(value)), luck, units)
        return
    for unit in luck.sample(UNITS, min(units, len(UNITS))):
        for where, place in ((f"{path} + {unit!a} * n", len(text)), (f"{unit!a} * n + {path}", 0)):
            longer = _said_at(text, place, unit)
            yield _pump(where, len(unit.encode()), _put_back(put, longer))


def _put_back(put: Put, longer: Callable[[int], str]) -> Callable[[int], str]:
    return lambda number: put(longer(number))


def _of_markup(text: str, name: str, luck: random.Random, units: int) -> Iterator[WirePump]:
    """Yield each kind of element repeated and nested in itself, and each kind of text and attribute extended."""
    seen: set[str] = set()
    opened: list[tuple[str, int, int, str]] = []  # tag, start of element and content, kind
    for tag in _TAGS.finditer(text):
        if tag[1]:
            while opened and any(one[0] == tag[2] for one in opened):
                kept, start, inside, kind = opened.pop()
                if kept == tag[2]:
                    yield from _element(text, (start, inside, tag.start(), tag.end()), kind, luck, units)
                    break
            continue
        classes = re.search(r"class=[\"']([^\"']*)", tag[3])
        kind = f"{name}<{tag[2]}{'.' + classes[1] if classes else ''}>"
        if kind in seen:
            kind = ""
        else:
            seen.add(kind)
            yield from _attributes(text, tag, kind, luck, units)
            yield _pump(f"{kind} opened * n", len(tag[0]), _said_at(text, tag.end(), tag[0]))
        opened.append((tag[2], tag.start(), tag.end(), kind))


def _element(
    text: str, places: tuple[int, int, int, int], kind: str, luck: random.Random, units: int
) -> Iterator[WirePump]:
    start, inside, closing, end = places
    if not kind:
        return
    whole = text[start:end]
    yield _pump(f"{kind} * n", len(whole), _said_at(text, end, whole))
    yield _pump(
        f"{kind} in itself",
        len(whole),
        lambda n: text[:closing] + text[start:closing] * n + text[closing:end] * n + text[closing:],
        400,
    )
    for unit in luck.sample(UNITS, min(units, len(UNITS))):
        yield _pump(f"{kind} + {unit!a} * n", len(unit.encode()), _said_at(text, closing, unit))
        yield _pump(f"{unit!a} * n + {kind}", len(unit.encode()), _said_at(text, inside, unit))


def _attributes(text: str, tag: re.Match[str], kind: str, luck: random.Random, units: int) -> Iterator[WirePump]:
    for one in _ATTRIBUTE.finditer(text, tag.start(3), tag.end(3)):
        place = one.end() - 1
        for unit in luck.sample([unit for unit in UNITS if unit not in "\"'"], min(units, len(UNITS) - 2)):
            yield _pump(f"{kind}@{one[1]} + {unit!a} * n", len(unit.encode()), _said_at(text, place, unit))


def _pump(name: str, unit: int, body: Callable[[int], str], most: int = 1 << 40) -> WirePump:
    return WirePump(name, max(1, unit), most, lambda n: body(n).encode("utf-8", "replace"))


def chosen(body: bytes, luck: random.Random, units: int, most: int | None) -> list[WirePump]:
    """Return the pumps of a wire, or a random choice of `most`."""
    found = list(islice(pumps(body, luck, units), 20_000))
    return found if most is None or len(found) <= most else luck.sample(found, most)
