"""JSON and tags embedded in pages: linked data, meta tags, JSON scripts, assignments in scripts.

    page = html_of(wire)
    nodes_of(page, "SoftwareApplication"), Metas.of(page).first("og:title")
    json_script(page, "__NEXT_DATA__"), assigned(page, "ytInitialData")

All functions accept any page, take linear time and have limits. Unreadable data is counted as a loss under its name;
missing data is not.
"""

import html as entities
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from webquarry.read.html import Element
from webquarry.read.losses import lose
from webquarry.read.values import parse_json, parse_json_at
from webquarry_convert.text.escape import clean_line

MAX_SCRIPTS: Final = 1_000
MAX_NODES: Final = 5_000
MAX_METAS: Final = 1_000
MAX_VALUE: Final = 8_192
MAX_DEPTH: Final = 12
"""Maximum depth to which linked data is searched for nodes."""
MAX_FAILURES: Final = 4
"""Number of assignments to a name that are not JSON after which the search stops."""

_COMMENT: Final = re.compile(r"\s*(?:<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[)?\s*")
_COMMENT_END: Final = ("//]]>", "// ]]>", "/*]]>*/", "/* ]]> */", "]]>", "//-->", "// -->", "-->")
_ASSIGNED: Final = re.compile(r"""(?:["']\s?\])?\s{0,20}=(?!=)\s{0,20}(?:JSON\.parse\(\s{0,20})?""")
_WORD: Final = re.compile(r"[\w$]", re.ASCII)
_ESCAPE: Final = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|(.))", re.DOTALL)
_NAMED: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_TYPE_PREFIX: Final = re.compile(r"(?:https?://schema\.org/|schema:)")


@dataclass(frozen=True)
class Metas:
    """A page's `meta` tags by lower-case name: `property` (og:, al:), `name` (twitter:, description) and `itemprop`.

    Values are single lines in the page's order, without blank values.
    """

    values: Mapping[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, page: Element) -> "Metas":
        found: dict[str, list[str]] = {}
        for node in page.node.css("meta[content]")[:MAX_METAS]:
            value = clean_line((node.attributes.get("content") or "")[:MAX_VALUE])
            named = (node.attributes.get(name) for name in ("property", "name", "itemprop"))
            for name in {name.strip().lower() for name in named if name and name.strip()}:
                if value:
                    found.setdefault(name, []).append(value)
        return cls(found)

    def first(self, *names: str) -> str | None:
        """Return the first value of the first name that has a value."""
        return next((self.values[name][0] for name in names if name in self.values), None)

    def all(self, name: str) -> list[str]:
        return self.values.get(name, [])


def linked_data(page: Element) -> list[dict[str, Any]]:
    """Return every node of the page's JSON-LD that has a type, outer nodes first.

    Covers single objects, lists and `@graph`.
    """
    nodes: list[dict[str, Any]] = []
    for script in _scripts(page, 'script[type*="ld+json" i]'):
        try:
            value = parse_json(_bare(script).encode("utf-8", "replace"))
        except ValueError:
            lose("ld+json")
            continue
        nodes += _nodes(value, MAX_NODES - len(nodes))
    return nodes


def nodes_of(nodes: Element | Iterable[dict[str, Any]], *types: str) -> list[dict[str, Any]]:
    """Return the page's linked data of the given types, which are named without their vocabulary."""
    known = linked_data(nodes) if isinstance(nodes, Element) else nodes
    wanted = frozenset(types)
    return [node for node in known if not wanted.isdisjoint(types_of(node))]


def types_of(node: Mapping[str, Any]) -> list[str]:
    """Return the types of a node without their vocabulary: `Product` for `https://schema.org/Product`."""
    kind = node.get("@type")
    kinds = kind if isinstance(kind, list) else [kind]
    return [_TYPE_PREFIX.sub("", name, count=1) for name in kinds if isinstance(name, str)]


def json_script(page: Element, name: str) -> Any:
    """Return the JSON in the script with this id (`__NEXT_DATA__`, `__MODERN_ROUTER_DATA__`), or None."""
    for node in page.node.css("script[id]")[:MAX_SCRIPTS]:
        if node.attributes.get("id") != name:
            continue
        text = _bare(node.text())
        for written in (text, entities.unescape(text)) if "&" in text else (text,):
            try:
                return parse_json(written.encode("utf-8", "replace"))
            except ValueError:
                continue
        lose(name)
    return None


def json_scripts(page: Element) -> Iterator[Any]:
    """Yield the values of all scripts with a JSON type, except linked data."""
    for text in _scripts(page, 'script[type="application/json" i]'):
        try:
            yield parse_json(_bare(text).encode("utf-8", "replace"))
        except ValueError:
            lose("application/json")


def assigned(page: Element, name: str) -> Any:
    """Return the first non-empty JSON value that a script of the page assigns to this name, or None.

    Supports `var name = {…}`, `window.name = {…}`, `window["name"] = {…}` and `name = JSON.parse('…')`.
    """
    failures = 0
    for text in _scripts(page, "script"):
        position = 0
        while failures < MAX_FAILURES and (found := text.find(name, position)) >= 0:
            position = found + len(name)
            if found and _WORD.match(text[found - 1]):
                continue
            sign = _ASSIGNED.match(text, position)
            if sign is None or (text[sign.end() : sign.end() + 1] not in ("{", "[", '"', "'")):
                continue
            try:
                value, position = _value(text, sign.end(), is_parsed=sign[0].rstrip().endswith("("))
            except ValueError:
                failures += 1
                lose(name)
                continue
            if isinstance(value, dict | list) and value:
                return value
    return None


def unescaped(literal: str) -> str:
    """Return the text of a script's string literal. Lone surrogates become U+FFFD."""
    if "\\" not in literal:
        return literal
    return _ESCAPE.sub(_character, literal).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def string_at(text: str, start: int) -> tuple[str, int]:
    """Return the string literal that begins with a quote at `start`, and its end.

    Raises ValueError if the literal does not end.
    """
    quote = text[start]
    end = start + 1
    while (end := text.find(quote, end)) >= 0:
        behind = end
        while text[behind - 1] == "\\" and behind - 1 > start:
            behind -= 1
        if (end - behind) % 2 == 0:
            return unescaped(text[start + 1 : end]), end + 1
        end += 1
    raise ValueError("is an unterminated string")


def _value(text: str, start: int, *, is_parsed: bool) -> tuple[Any, int]:
    if text[start] in "{[" and not is_parsed:
        return parse_json_at(text, start)
    literal, end = string_at(text, start)
    return (parse_json(literal.encode("utf-8", "replace")) if is_parsed else None), end


def _scripts(page: Element, css: str) -> Iterator[str]:
    for node in page.node.css(css)[:MAX_SCRIPTS]:
        yield node.text()


def _bare(text: str) -> str:
    """Return a script without the comment that hides it from old browsers and without its last semicolon."""
    opening = _COMMENT.match(text)
    text = text[opening.end() if opening else 0 :].rstrip()
    for end in _COMMENT_END:
        text = text.removesuffix(end).rstrip()
    return text.removesuffix(";")


def _nodes(value: Any, most: int) -> Iterator[dict[str, Any]]:
    level = [value]
    for _ in range(MAX_DEPTH):
        inner: list[Any] = []
        for item in level:
            if isinstance(item, list):
                inner += item
            elif isinstance(item, dict):
                if most > 0 and "@type" in item:
                    most -= 1
                    yield item
                inner += [child for child in item.values() if isinstance(child, list | dict)]
        level = inner


def _character(escape: re.Match[str]) -> str:
    digits = escape[1] or escape[2]
    return chr(int(digits, 16)) if digits else _NAMED.get(escape[3], escape[3])
