"""The tools, generated from the registry, and a client's selection by URL (`/mcp?groups=ads`)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final
from urllib.parse import parse_qsl

from webquarry.core.errors import InvalidParams
from webquarry.core.spelling import find_meant
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.params import shown
from webquarry.endpoints.registry import Registry
from webquarry.endpoints.wording import choices, freshness, price
from webquarry.mcp.schemas import FORMAT, describe_facts, describe_input, describe_output, make_object

GET_RESULT: Final = "get_result"
BALANCE: Final = "account_balance"
OWN_GROUP: Final = "account"
"""Group of tools that belong to no endpoint."""
_SENTENCE: Final = re.compile(r"(?<=[.])\s+(?=[A-Z`])")
_CHOICES: Final = ("groups", "tools")
_MAX_QUERY: Final = 2048


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool. `extractor` is None if it belongs to no endpoint. `definition` is its entry in `tools/list`."""

    name: str
    group: str
    definition: Mapping[str, Any]
    extractor: Extractor | None = None


@dataclass(frozen=True, slots=True)
class Selection:
    """A client's tools by name, in the order of the list."""

    tools: Mapping[str, Tool]

    def list_definitions(self) -> Sequence[Mapping[str, Any]]:
        return [tool.definition for tool in self.tools.values()]


class Catalog:
    """All tools: one per endpoint, except those that take files, and two more."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self.select = lru_cache(maxsize=256)(self._select)

    @cached_property
    def tools(self) -> Mapping[str, Tool]:
        """Tools by name. Built when a client first needs them, because most processes have no clients."""
        found = [_make_tool(extractor) for extractor in self._registry if extractor.upload is None]
        return {tool.name: tool for tool in (*found, _GET_RESULT, _BALANCE)}

    @cached_property
    def groups(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(tool.group for tool in self.tools.values()))

    def _select(self, query: bytes) -> Selection:
        """Return the tools selected by a raw query, by group or name; all of them without a query.

        `get_result` is always included, because every result may have more parts. Raises InvalidParams for unknown
        names.
        """
        wanted = _read_query(query)
        if not wanted:
            return Selection(self.tools)
        groups, names = wanted.get("groups", ()), wanted.get("tools", ())
        for what, given, known in (("group", groups, self.groups), ("tool", names, tuple(self.tools))):
            for name in given:
                if name not in known:
                    raise InvalidParams(_tell_unknown(what, name, known))
        chosen = {
            name: tool
            for name, tool in self.tools.items()
            if tool.group in groups or name in names or name == GET_RESULT
        }
        return Selection(chosen)


def _read_query(query: bytes) -> dict[str, tuple[str, ...]]:
    if len(query) > _MAX_QUERY:
        raise InvalidParams(f"The query is longer than {_MAX_QUERY} bytes.")
    try:
        pairs = parse_qsl(query.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=8)
    except ValueError as exc:
        raise InvalidParams("The query must be percent-encoded UTF-8.") from exc
    found: dict[str, tuple[str, ...]] = {}
    for name, text in pairs:
        if name not in _CHOICES:
            raise InvalidParams(f"Unknown parameter '{shown(name)}'; valid parameters are 'groups' and 'tools'.")
        names = tuple(part.strip() for part in text.split(",") if part.strip())
        if not names:
            raise InvalidParams(f"Parameter '{name}' is empty; omit it or list some, separated by commas.")
        found[name] = found.get(name, ()) + names
    return found


def _tell_unknown(what: str, name: str, known: Sequence[str]) -> str:
    meant = find_meant(name, known)
    hint = f"did you mean '{meant}'?" if meant else f"{what}s are {', '.join(known)}."
    return f"Unknown {what} '{shown(name)}'; {hint}"


def _make_tool(extractor: Extractor) -> Tool:
    definition = {
        "name": extractor.tool_name,
        "title": extractor.title,
        "description": describe(extractor),
        "inputSchema": describe_input(extractor),
        "outputSchema": describe_output(extractor),
        "annotations": _annotate(is_open=True),
        "_meta": {"group": extractor.group, "credits": extractor.credits},
    }
    return Tool(extractor.tool_name, extractor.group, definition, extractor)


def describe(extractor: Extractor) -> str:
    """Return a description: the purpose in one sentence, required choices, price and caching."""
    first = _SENTENCE.split(extractor.description.strip(), maxsplit=1)[0]
    rule = choices(extractor)
    if rule in first:
        rule = ""
    return " ".join(part for part in (first, rule, f"{price(extractor).capitalize()}; {freshness(extractor)}.") if part)


def _annotate(*, is_open: bool) -> dict[str, bool]:
    return {"readOnlyHint": True, "idempotentHint": True, "openWorldHint": is_open}


_GET_RESULT: Final = Tool(
    GET_RESULT,
    OWN_GROUP,
    {
        "name": GET_RESULT,
        "title": "Get more of a result",
        "description": "Returns another part of one of your earlier results, by number or heading. Free.",
        "inputSchema": make_object(
            {
                "id": {"type": "string", "description": "ID of the result: rs_… from a tool or cv_… from the API."},
                "part": {"type": "integer", "minimum": 1, "default": 1, "description": "Number of the part."},
                "heading": {
                    "type": "string",
                    "maxLength": 300,
                    "description": "Return the section below this heading instead (markdown only).",
                },
                "format": FORMAT,
            },
            ["id"],
        ),
        "outputSchema": describe_facts(),
        "annotations": _annotate(is_open=False),
        "_meta": {"group": OWN_GROUP, "credits": 0},
    },
)
_BALANCE: Final = Tool(
    BALANCE,
    OWN_GROUP,
    {
        "name": BALANCE,
        "title": "Account balance",
        "description": "Credits left on the account. Free.",
        "inputSchema": make_object({}, []),
        "outputSchema": {
            "type": "object",
            "properties": {"credits": {"type": "integer"}, "error": {"type": "object"}},
        },
        "annotations": _annotate(is_open=False),
        "_meta": {"group": OWN_GROUP, "credits": 0},
    },
)
