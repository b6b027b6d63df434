"""Validation of JSON-RPC messages, because the SDK's errors describe its internal types."""

from typing import Any

import orjson

from webquarry.core.errors import InvalidParams


class NoMessage(InvalidParams):
    """The body is JSON but not a message of the protocol; JSON-RPC calls this an invalid request."""


def check_message(body: bytes) -> None:
    """Raise NoMessage unless the body is a request, a notification or a response. Invalid JSON is not reported here."""
    try:
        message = orjson.loads(body)
    except orjson.JSONDecodeError:
        return
    if type(message) is list:
        raise NoMessage("Send one message per request. Batches are no longer part of the protocol.")
    if type(message) is not dict or message.get("jsonrpc") != "2.0" or not (_asks(message) or _answers(message)):
        raise NoMessage(
            "The body must be a JSON-RPC 2.0 message: an object with `jsonrpc`, `method`, optional `params`, "
            "and an `id` for requests."
        )


def _asks(message: dict[str, Any]) -> bool:
    is_called = type(message.get("method")) is str and type(message.get("params", {})) is dict
    return is_called and type(message.get("id", "")) in (str, int)


def _answers(message: dict[str, Any]) -> bool:
    return not message.keys().isdisjoint(("result", "error"))
