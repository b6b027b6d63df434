"""Fixtures of the conformance suite: tools that answer immediately, or send the client a request first."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError

Context = ServerRequestContext[Any, Any]
Tool = Callable[[Context, Mapping[str, Any]], Awaitable[types.CallToolResult]]
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
SILENCE = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="
_SCHEMAS: Mapping[str, dict[str, Any]] = {
    "test_sampling": {"type": "object", "properties": {"prompt": {"type": "string"}}},
    "test_elicitation": {"type": "object", "properties": {"message": {"type": "string"}}},
}
DEFAULTS: dict[str, Any] = {
    "name": {"type": "string", "default": "John Doe"},
    "age": {"type": "integer", "default": 30},
    "score": {"type": "number", "default": 95.5},
    "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
    "verified": {"type": "boolean", "default": True},
}
_TITLED = [{"const": "value1", "title": "First"}, {"const": "value2", "title": "Second"}]
ENUMS: dict[str, Any] = {
    "untitledSingle": {"type": "string", "enum": ["option1", "option2"]},
    "titledSingle": {"type": "string", "oneOf": _TITLED},
    "legacyEnum": {"type": "string", "enum": ["opt1", "opt2"], "enumNames": ["One", "Two"]},
    "untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2"]}},
    "titledMulti": {"type": "array", "items": {"anyOf": _TITLED}},
}


def describe(name: str) -> dict[str, Any]:
    """Return a tool's entry in the list."""
    return {"name": name, "description": "A fixture.", "inputSchema": _SCHEMAS.get(name, {"type": "object"})}


def make_error(code: int, message: str, data: Any = None) -> MCPError:
    return MCPError(code=code, message=message, data=data)


def tell(*texts: str, is_error: bool = False) -> types.CallToolResult:
    return make_result([types.TextContent(type="text", text=text) for text in texts], is_error=is_error)


def make_result(content: list[Any], *, is_error: bool = False) -> types.CallToolResult:
    return types.CallToolResult(content=content, is_error=is_error)


def embed(uri: str, kind: str, text: str) -> types.EmbeddedResource:
    resource = types.TextResourceContents(uri=uri, mime_type=kind, text=text)
    return types.EmbeddedResource(type="resource", resource=resource)


async def simple_text(_context: Context, _given: Mapping[str, Any]) -> types.CallToolResult:
    return tell("This is a simple text response for testing.")


async def image(_context: Context, _given: Mapping[str, Any]) -> types.CallToolResult:
    return make_result([types.ImageContent(type="image", data=PIXEL, mime_type="image/png")])


async def audio(_context: Context, _given: Mapping[str, Any]) -> types.CallToolResult:
    return make_result([types.AudioContent(type="audio", data=SILENCE, mime_type="audio/wav")])


async def embedded(_context: Context, _given: Mapping[str, Any]) -> types.CallToolResult:
    return make_result([embed("test://embedded-resource", "text/plain", "This is an embedded resource content.")])


async def several(_context: Context, _given: Mapping[str, Any]) -> types.CallToolResult:
    return make_result(
        [
            types.TextContent(type="text", text="Multiple content types test:"),
            types.ImageContent(type="image", data=PIXEL, mime_type="image/png"),
            embed("test://mixed-content-resource", "application/json", '{"test": "data", "value": 123}'),
        ]
    )


async def failing(_context: Context, _given: Mapping[str, Any]) -> types.CallToolResult:
    return tell("This tool intentionally returns an error for testing", is_error=True)


async def logging(context: Context, _given: Mapping[str, Any]) -> types.CallToolResult:
    for step in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await context.session.send_log_message("info", step, related_request_id=context.request_id)
        await asyncio.sleep(0.01)
    return tell("Logged.")


async def progress(context: Context, _given: Mapping[str, Any]) -> types.CallToolResult:
    for done in (0, 50, 100):
        await context.session.report_progress(done, 100, f"Completed step {done} of 100")
        await asyncio.sleep(0.01)
    return tell("Done.")


async def sampling(context: Context, given: Mapping[str, Any]) -> types.CallToolResult:
    message = types.SamplingMessage(role="user", content=types.TextContent(type="text", text=given["prompt"]))
    answer = await context.session.create_message([message], max_tokens=100, related_request_id=context.request_id)
    return tell(f"LLM response: {getattr(answer.content, 'text', '')}")


async def elicitation(context: Context, given: Mapping[str, Any]) -> types.CallToolResult:
    wanted = {"username": {"type": "string"}, "email": {"type": "string"}}
    return await _elicit(context, given["message"], wanted, "User response")


async def elicitation_defaults(context: Context, _given: Mapping[str, Any]) -> types.CallToolResult:
    return await _elicit(context, "Tell of yourself", DEFAULTS, "Elicitation completed")


async def elicitation_enums(context: Context, _given: Mapping[str, Any]) -> types.CallToolResult:
    return await _elicit(context, "Choose", ENUMS, "Elicitation completed")


async def _elicit(context: Context, message: str, properties: dict[str, Any], lead: str) -> types.CallToolResult:
    schema = {"type": "object", "properties": properties, "required": list(properties)[:1]}
    answer = await context.session.elicit_form(message, schema, related_request_id=context.request_id)
    return tell(f"{lead}: action={answer.action}, content={answer.content}")


async def missing_capability(context: Context, _given: Mapping[str, Any]) -> types.CallToolResult:
    wanted = types.ClientCapabilities(sampling=types.SamplingCapability())
    if not context.session.check_client_capability(wanted):
        data: dict[str, Any] = {"requiredCapabilities": {"sampling": {}}}
        raise make_error(types.MISSING_REQUIRED_CLIENT_CAPABILITY, "The client has to offer sampling.", data)
    return tell("The client offers sampling.")


async def streaming(context: Context, _given: Mapping[str, Any]) -> types.CallToolResult:
    await context.session.report_progress(1, 2)
    return tell("Streamed.")


TOOLS: Mapping[str, Tool] = {
    "test_simple_text": simple_text,
    "test_image_content": image,
    "test_audio_content": audio,
    "test_embedded_resource": embedded,
    "test_multiple_content_types": several,
    "test_error_handling": failing,
    "test_tool_with_logging": logging,
    "test_logging_tool": logging,
    "test_tool_with_progress": progress,
    "test_sampling": sampling,
    "test_elicitation": elicitation,
    "test_elicitation_sep1034_defaults": elicitation_defaults,
    "test_elicitation_sep1330_enums": elicitation_enums,
    "test_missing_capability": missing_capability,
    "test_streaming_elicitation": streaming,
}
