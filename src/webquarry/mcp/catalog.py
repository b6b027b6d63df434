"""The tools, generated from the registry, and a client's selection by URL (`/mcp?groups=ads`, `/mcp?short=1`)."""

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
from webquarry.mcp.schemas import (
    FORMAT,
    describe_facts,
    describe_get_job,
    describe_input,
    describe_job,
    describe_output,
    describe_start_job,
    make_object,
)

GET_RESULT: Final = "get_result"
BALANCE: Final = "account_balance"
START_JOB: Final = "start_job"
GET_JOB: Final = "get_job"
JOBS_GROUP: Final = "jobs"
OWN_GROUP: Final = "account"
"""Group of the tools that do not belong to an endpoint."""
_SENTENCE: Final = re.compile(r"(?<=[.])\s+(?=[A-Z`])")
_CHOICES: Final = ("groups", "tools")
SHORT: Final = "short"
ALL: Final = "all"
FIND_TOOL: Final = "find_tool"
CALL_TOOL: Final = "call_tool"
_SMALL: Final = ("search", "markdown_url", "maps_place")
"""Endpoints whose tools are listed unless a client selects others. They meet most needs and use few tokens."""
_MAX_QUERY: Final = 2048


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that clients can call.

    `extractor` is None if the tool does not belong to an endpoint. `definition` is its entry in `tools/list`.
    """

    name: str
    group: str
    definition: Mapping[str, Any]
    extractor: Extractor | None = None


@dataclass(frozen=True, slots=True)
class Selection:
    """A client's tools by name, in the order of the list.

    `listed` are the names in `tools/list`, if the client may call other tools too.
    """

    tools: Mapping[str, Tool]
    listed: tuple[str, ...] | None = None

    def list_definitions(self) -> Sequence[Mapping[str, Any]]:
        names = self.tools if self.listed is None else self.listed
        return [self.tools[name].definition for name in names]


class Catalog:
    """All tools: one per endpoint, except those that take files, and those of results, jobs and the balance."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self.select = lru_cache(maxsize=256)(self._select)

    @cached_property
    def tools(self) -> Mapping[str, Tool]:
        """Tools by name. They are built when a client first needs them, because most processes never serve such a
        client.
        """
        found = [_make_tool(extractor) for extractor in self._registry if extractor.upload is None]
        return {tool.name: tool for tool in (*found, START_JOB_TOOL, GET_JOB_TOOL, _GET_RESULT, _BALANCE)}

    @cached_property
    def groups(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(tool.group for tool in self.tools.values()))

    @cached_property
    def small(self) -> tuple[str, ...]:
        """Names of the tools that are listed without a selection."""
        own = {tool.extractor.name: name for name, tool in self.tools.items() if tool.extractor is not None}
        return (*(own[name] for name in _SMALL if name in own), GET_RESULT, BALANCE)

    def _select(self, query: bytes) -> Selection:
        """Return the tools selected by a raw query, by group or name.

        Without a query, all tools can be called, but only a few are listed. `get_result` is always included, because
        every result may have more parts, and `get_job` with `start_job`. Raises InvalidParams for unknown names.
        """
        wanted = _read_query(query)
        if not wanted:
            return Selection(self.tools, self.small)
        if SHORT in wanted:
            return _SHORT_SELECTION
        groups, names = wanted.get("groups", ()), wanted.get("tools", ())
        if ALL in groups:
            return Selection(self.tools)
        for what, given, known in (("group", groups, self.groups), ("tool", names, tuple(self.tools))):
            for name in given:
                if name not in known:
                    raise InvalidParams(_tell_unknown(what, name, known))
        chosen = {
            name: tool
            for name, tool in self.tools.items()
            if tool.group in groups or name in names or name == GET_RESULT or (name == GET_JOB and START_JOB in names)
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
        if name not in (*_CHOICES, SHORT):
            raise InvalidParams(
                f"Unknown parameter '{shown(name)}'; valid parameters are 'groups', 'tools' and 'short'."
            )
        names = tuple(part.strip() for part in text.split(",") if part.strip())
        if not names:
            raise InvalidParams(f"Parameter '{name}' is empty; omit it or list some, separated by commas.")
        found[name] = found.get(name, ()) + names
    if SHORT in found and (found[SHORT] != ("1",) or len(found) > 1):
        raise InvalidParams("Parameter 'short' must be 1, and can't be combined with 'groups' or 'tools'.")
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
    """Return a tool's description: the purpose in one sentence, required choices, price and caching."""
    first = _SENTENCE.split(extractor.description.strip(), maxsplit=1)[0]
    rule = choices(extractor)
    if rule in first:
        rule = ""
    return " ".join(part for part in (first, rule, f"{price(extractor).capitalize()}; {freshness(extractor)}.") if part)


def _annotate(*, is_open: bool, starts: bool = False) -> dict[str, bool]:
    """Return the hints of a tool. `starts`: it starts a job, so each call spends credits."""
    if starts:
        return {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False, "openWorldHint": is_open}
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
START_JOB_TOOL: Final = Tool(
    START_JOB,
    JOBS_GROUP,
    {
        "name": START_JOB,
        "title": "Start a job",
        "description": (
            "Runs one endpoint for many inputs, or crawls a site. Waits up to 25 seconds and returns the results so "
            "far, with the job's ID for the others. Each item costs as much as a single call, and cached ones are free."
        ),
        "inputSchema": describe_start_job(),
        "outputSchema": describe_job(),
        "annotations": _annotate(is_open=True, starts=True),
        "_meta": {"group": JOBS_GROUP},
    },
)
GET_JOB_TOOL: Final = Tool(
    GET_JOB,
    JOBS_GROUP,
    {
        "name": GET_JOB,
        "title": "Get a job",
        "description": "State and further results of a job. Waits up to 25 seconds for new ones. Free.",
        "inputSchema": describe_get_job(),
        "outputSchema": describe_job(),
        "annotations": _annotate(is_open=False),
        "_meta": {"group": JOBS_GROUP, "credits": 0},
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
_FIND_TOOL: Final = Tool(
    FIND_TOOL,
    OWN_GROUP,
    {
        "name": FIND_TOOL,
        "title": "Find a tool",
        "description": (
            "Finds the tools for a need: web pages, search, maps, trends, traffic and SEO, domains, ads, brands, "
            "social profiles and posts, shops, videos. Returns names, prices and arguments. Free."
        ),
        "inputSchema": make_object(
            {"need": {"type": "string", "description": "What you want to look up, in your own words."}}, ["need"]
        ),
        "annotations": _annotate(is_open=False),
        "_meta": {"group": OWN_GROUP, "credits": 0},
    },
)
_CALL_TOOL: Final = Tool(
    CALL_TOOL,
    OWN_GROUP,
    {
        "name": CALL_TOOL,
        "title": "Call a tool",
        "description": "Calls a tool by name, at the tool's price.",
        "inputSchema": make_object(
            {
                "name": {"type": "string"},
                "arguments": {
                    "type": "object",
                    "description": "Arguments for the tool, as declared in the tool's schema.",
                },
            },
            ["name"],
        ),
        "annotations": _annotate(is_open=True),
        "_meta": {"group": OWN_GROUP},
    },
)
_SHORT_SELECTION: Final = Selection({tool.name: tool for tool in (_FIND_TOOL, _CALL_TOOL, _GET_RESULT)})
