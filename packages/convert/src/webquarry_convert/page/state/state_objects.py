"""State objects of a page: the data that its scripts would render, as plain values.

Sources are JSON scripts, assignments to the names that frameworks use, calls that push or parse JSON, the rows of
React's flight format, the references of Nuxt's format, and JSON in attributes. String literals are read from all other
scripts.
"""

import html as entities
import json
import re
from collections.abc import Iterator
from typing import Any

import orjson

MAX_SCRIPTS = 300
MAX_CHARS = 4_000_000
"""Maximum total length of all state objects of a page, in characters."""
MIN_CHARS = 300
MAX_TAG = 2000
NAMED_WITHIN = 2000
"""Number of characters at the start of a script that are searched for the name it assigns."""
MAX_LITERALS = 20_000
MIN_LITERAL = 40
MAX_FAILURES = 20
MAX_DEPTH = 100
_SCRIPT = re.compile(r"<script(?=[\s/>])([^>]*+)(?:>|\Z)", re.IGNORECASE)
_END = re.compile(r"</script(?=[\s/>])", re.IGNORECASE)
_JSON_TYPE = re.compile(
    r"\btype\s*+=\s*+[\"']?+\s*+(?:application|text)/(?:[\w.+-]*json|x-[\w.-]*(?:state|props|data))", re.IGNORECASE
)
_OTHER_TYPE = re.compile(
    r"\btype\s*+=\s*+[\"']?+\s*+(?!module|(?:text|application)/(?:x-)?(?:java|ecma)script|[\"'\s>])", re.IGNORECASE
)
_NOT_STATE = re.compile(r"ld\+json|importmap|speculationrules|\bsrc\s*=", re.IGNORECASE)
_STATE = re.compile(
    r"__NEXT_DATA__|__NUXT(?:_DATA)?__|__INITIAL_\w+__|__PRELOADED_\w+__|__preloadedData|__APOLLO_\w+__|__RELAY_\w+__"
    r"|__REDUX_\w+__|__(?:APP|PAGE|SERVER|ROUTER|DATA|STATE|CONTEXT|STORE|FRONTITY|MODERN|UNIVERSAL)_?\w*__"
    r"|__remixContext|__staticRouterHydrationData|__sveltekit_|__next_f\b|\b(?:initial|preloaded|app|page)(?:State|Data|Props)\b"
    r"|inlineQueryResults|Fusion\.globalContent|ytInitialData"
)
_ASSIGNED = re.compile(r"(?:=|\()\s*(?=[\[{])|\b(?:JSON\.parse|push)\(\s*(?=[\"'])")
# A match cannot begin at a quote that follows a backslash. Otherwise, after an unclosed literal, every quote would be
# tried up to the script's end.
_LITERAL = re.compile(r'(?<!\\)(?:"(?:[^"\\\n]++|\\.)*+"|' r"'(?:[^'\\\n]++|\\.)*+')")
_ATTRIBUTE = re.compile(r"\s(?:data-[\w-]+|props|:[\w-]+)\s*+=\s*+(?:\"(?=[\[{])([^\"]*+)\"|'(?=[\[{])([^']*+)')")
_ROW = re.compile(r"([0-9a-f]{1,6}):(?:T([0-9a-f]{1,6}),|([A-Z]{0,2}))")
_FLIGHT = ("self.__next_f.push(", "(self.__next_f=self.__next_f||[]).push(")
_DECODER = json.JSONDecoder(strict=False)


def find_values(html: str) -> Iterator[Any]:
    """Yield the page's state objects in document order."""
    taken = 0
    flight: list[str] = []
    for attributes, text in _find_scripts(html):
        taken += len(text)
        if taken > MAX_CHARS:
            break
        yield from _read_script(attributes, text, flight)
    if flight:
        yield _parse_rows("".join(flight))
    for match in _ATTRIBUTE.finditer(html):
        text = match[1] or match[2] or ""
        taken += len(text)
        if taken > MAX_CHARS:
            return
        if len(text) >= MIN_CHARS:
            yield _parse_json(entities.unescape(text))


def _read_script(attributes: str, text: str, flight: list[str]) -> Iterator[Any]:
    """Yield a script's state objects. Rows that are split between several scripts are added to `flight`."""
    if _JSON_TYPE.search(attributes):
        yield _read_data(text, attributes)
    elif not _OTHER_TYPE.search(attributes) and _STATE.search(text, 0, NAMED_WITHIN):
        if text.startswith(_FLIGHT):
            flight += _read_flight(text)
        else:
            yield from _read_program(text)


def _find_scripts(html: str) -> Iterator[tuple[str, str]]:
    position = 0
    for _ in range(MAX_SCRIPTS):
        found = _SCRIPT.search(html, position)
        if found is None:
            return
        end = _END.search(html, found.end())
        position = len(html) if end is None else end.start()
        is_long = position - found.end() >= MIN_CHARS or html.startswith(_FLIGHT, found.end())
        if is_long and not _NOT_STATE.search(found[1][:MAX_TAG]):
            yield found[1][:MAX_TAG], html[found.end() : position]


def _parse_json(text: str) -> Any:
    """Parse JSON; return None if it is invalid. Ignores comments around it and unwraps JSON in a JSON string."""
    text = text.strip().removeprefix("<!--").removesuffix("-->").strip()
    try:
        value = orjson.loads(text)
        if isinstance(value, str) and value[:1] in ("{", "["):
            value = orjson.loads(value)
    except orjson.JSONDecodeError:
        return None
    return value


def _read_program(text: str) -> Iterator[Any]:
    found = [value for value in _read_assignments(text) if value]
    if found:
        yield from found
    else:
        yield [
            _unquote_literal(match[0])
            for _, match in zip(range(MAX_LITERALS), _LITERAL.finditer(text), strict=False)
            if len(match[0]) > MIN_LITERAL
        ]


def _read_assignments(text: str) -> Iterator[Any]:
    """Yield values that a program assigns, pushes or parses, if they are JSON."""
    position = 0
    failures = 0
    while failures < MAX_FAILURES and (found := _ASSIGNED.search(text, position)) is not None:
        position = found.end()
        if text[position] in "[{":
            try:
                value, position = _DECODER.raw_decode(text, position)
            except (ValueError, RecursionError):
                failures += 1
                continue
            if isinstance(value, dict | list) and value:
                yield value
        elif literal := _LITERAL.match(text, position):
            position = literal.end()
            unquoted = _unquote_literal(literal[0])
            yield _parse_json(unquoted) if unquoted[:1] in ("{", "[") else unquoted


def _unquote_literal(literal: str) -> str:
    """Return the text of a JavaScript string literal."""
    inner = literal[1:-1]
    if "\\" not in inner:
        return inner
    if literal[0] == "'":
        inner = inner.replace("\\'", "'").replace('"', '\\"')
    inner = re.sub(r"\\x([0-9a-fA-F]{2})", r"\\u00\1", inner)
    try:
        return str(_DECODER.decode(f'"{inner}"'))
    except ValueError:
        return inner


def _parse_rows(text: str) -> list[Any]:
    """Return the values in React's flight rows.

    A row is `id:json`, or `id:Tlength,text` with the length in UTF-8 bytes.
    """
    data = text.encode("utf-8", "surrogatepass")
    found: list[Any] = []
    position = 0
    while position < len(data):
        head = _ROW.match(data[position : position + 20].decode("latin-1"))
        if head is None:
            line_end = data.find(b"\n", position)
            position = len(data) if line_end < 0 else line_end + 1
            continue
        position += head.end()
        if head[2]:
            end = position + int(head[2], 16)
            found.append(data[position:end].decode("utf-8", "replace"))
            position = end
        else:
            line_end = data.find(b"\n", position)
            end = len(data) if line_end < 0 else line_end
            if not head[3]:  # letters denote imports, hints and errors
                found.append(_parse_json(data[position:end].decode("utf-8", "replace")))
            position = end + 1
    return found


def _read_data(text: str, attributes: str) -> Any:
    """Return the value that a JSON script contains."""
    value = _parse_json(text)
    if isinstance(value, list) and ("__NUXT_DATA__" in attributes or "data-nuxt-data" in attributes):
        return _FlatDecoder(value).value()
    return value


def _read_flight(text: str) -> list[str]:
    """Return the strings that a script adds to React's rows."""
    rows = [row for row in _read_assignments(text) if isinstance(row, list)]
    return [part for row in rows for part in row if isinstance(part, str)]


class _FlatDecoder:
    """Decodes a flat list in which nested numbers are indexes into the list (devalue, used by Nuxt).

    An object that is referenced twice is returned only once, so cyclic values end there.
    """

    def __init__(self, flat: list[Any]) -> None:
        self._flat = flat
        self._seen: set[int] = set()

    def value(self, place: Any = 0, depth: int = 0) -> Any:
        if not isinstance(place, int) or isinstance(place, bool) or not 0 <= place < len(self._flat):
            return None
        item = self._flat[place]
        if not isinstance(item, list | dict):
            return item
        if place in self._seen or depth > MAX_DEPTH:
            return None
        self._seen.add(place)
        if isinstance(item, dict):
            return {name: self.value(at, depth + 1) for name, at in item.items()}
        if item and isinstance(item[0], str):  # the name is a wrapper's: ["Reactive", 1], ["Date", "2024-05-01"]
            return self.value(item[1], depth + 1) if len(item) == 2 else None
        return [self.value(at, depth + 1) for at in item]
