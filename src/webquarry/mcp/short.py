"""The short list of tools (`/mcp?short=1`): three tools that find a tool, call it, and return more of a result."""

import asyncio
import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

import orjson

from webquarry.core.errors import InvalidParams
from webquarry.core.spelling import find_meant
from webquarry.endpoints.params import shown
from webquarry.mcp.catalog import CALL_TOOL, FIND_TOOL, Catalog, Tool
from webquarry.mcp.results import ToolResult

_FOUND: Final = 3
_MAX_NEED: Final = 300


class ShortDoor:
    """Finds tools by their purpose, and resolves calls of `call_tool`."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    async def find(self, arguments: Mapping[str, Any]) -> ToolResult:
        """Return the tools that best match the need in the arguments, with their parameters.

        Raises InvalidParams if the arguments don't state a need.
        """
        need = arguments.get("need")
        if arguments.keys() - {"need"} or not isinstance(need, str) or not 0 < len(need.strip()) <= _MAX_NEED:
            raise InvalidParams(
                f"Parameter 'need' must describe what you are looking for in 1 to {_MAX_NEED} characters."
            )
        names = await asyncio.to_thread(self._rank, need)
        tools = [_summarize(self._catalog.tools[name]) for name in names]
        lines = [json.dumps(tool, ensure_ascii=False, separators=(",", ":")) for tool in tools]
        text = "\n".join([f"Call one of these with {CALL_TOOL}:", *lines])
        result = {
            "content": [{"type": "text", "text": text}],
            "structuredContent": {"tools": tools},
            "isError": False,
        }
        return ToolResult(orjson.dumps(result)[:-1])

    def resolve(self, arguments: Mapping[str, Any]) -> tuple[Tool, Mapping[str, Any]]:
        """Return the tool that `call_tool` names, and its arguments. Raises InvalidParams for an unknown tool."""
        name, inner = arguments.get("name"), arguments.get("arguments")
        inner = {} if inner is None else inner
        if arguments.keys() - {"name", "arguments"} or not isinstance(name, str) or not isinstance(inner, dict):
            raise InvalidParams("Parameters are 'name', a tool's name, and 'arguments', an object.")
        tool = self._catalog.tools.get(name)
        if tool is None:
            meant = find_meant(name, list(self._catalog.tools))
            hint = f"did you mean '{meant}'?" if meant else f"{FIND_TOOL} returns names of tools."
            raise InvalidParams(f"Unknown tool '{shown(name)}'; {hint}")
        return tool, inner

    def _rank(self, need: str) -> list[str]:
        """Return the names of the best tools. Runs in a thread, because the first call imports the ranking."""
        from webquarry.excerpts.ranking import rank

        outline, names = self._outline
        found = rank(outline, need).best_first()[:_FOUND]
        return [names[number] for number in found] or list(self._catalog.small)[:_FOUND]

    @cached_property
    def _outline(self) -> tuple[Any, list[str]]:
        """Return markdown with one block for each tool, and the tools' names in the order of the blocks."""
        from webquarry.excerpts.blocks import split

        names = list(self._catalog.tools)
        outline = split("\n\n".join(_describe(self._catalog.tools[name]) for name in names))
        return outline, names


def _describe(tool: Tool) -> str:
    """Return the text about a tool that is searched, as one paragraph."""
    definition = tool.definition
    arguments = definition["inputSchema"]["properties"]
    words = [tool.name.replace("_", " "), tool.group.replace("_", " "), definition["title"], definition["description"]]
    if tool.extractor is not None:
        words.append(tool.extractor.description)
    words += [name.replace("_", " ") for name in arguments if name not in ("format", "query", "max_tokens")]
    return " ".join(" ".join(words).split()).replace("#", "")[:1100]


def _summarize(tool: Tool) -> dict[str, Any]:
    return {name: tool.definition[name] for name in ("name", "description", "inputSchema")}
