"""Helpers for responses of sources: limits on their size, and errors for refusals."""

import re
from typing import Any, Final

from webquarry.core.errors import ProviderError
from webquarry.core.settings import PREFIX
from webquarry.core.types import Provider, Wire
from webquarry.net import Net, retry_after_s
from webquarry.read import json_of
from webquarry.read.block_pages import is_page, refuse_block_page
from webquarry_convert.text.escape import clean_line

MAX_ANSWER_BYTES = 2 * 1024 * 1024
"""Maximum size of a response: four times the largest known page of results. Responses are read in the event loop."""

_LONGEST_SAID: Final = 200
_SPENT: Final = re.compile(
    r"credit|quota|rate[ _-]?limit|too many requests|run out|ran out|out of searches|searches left|exceeded|exhausted"
    r"|billing|payment|upgrade your plan|subscription (?:has )?(?:expired|ended)",
    re.IGNORECASE,
)
_KEY: Final = re.compile(
    r"\b(?:api|subscription)[ _-]?(?:key|token)|\bkey (?:is )?(?:not valid|invalid)|invalid (?:key|token)"
    r"|unauthori[sz]ed|credentials|forbidden|permission",
    re.IGNORECASE,
)


async def answer_by_key(wire: Wire, provider: Provider, net: Net, *, but: str = "") -> Wire:
    """Return the response to a request with the operator's key.

    Raises ProviderError for any status except 200, and for a response of any status that reports a refusal: "refused"
    with advice for the operator, or "blocked" for a block page. A refusal that contains the text `but` is returned as a
    response.
    """
    refused = await net.read(read_refusal, wire, provider.title)
    if wire.status == 200 and (refused is None or (but and but in refused)):
        return wire
    raise refusal(provider, refused or "", wire)


def read_refusal(wire: Wire, source: str) -> str | None:
    """Return the source's message about a refusal, or None.

    Raises ProviderError "blocked" for a block page, "changed" for a successful response that is not JSON.
    """
    try:
        return read_message(json_of(wire))
    except ProviderError:
        if wire.status == 200:
            raise
    if is_page(wire):
        refuse_block_page(wire, source)
    return None


def refusal(provider: Provider, detail: str, wire: Wire) -> ProviderError:
    """Return the error for a refusal. `detail` is the source's message, or ""."""
    cause = f"status {wire.status}" + (f": {detail}" if detail else "")
    keys = " and ".join(PREFIX + name.upper() for name in provider.needs if name.endswith("_key"))
    if _SPENT.search(detail) or (wire.status in (402, 429) and not _KEY.search(detail)):
        message = (
            f"{provider.title} accepts no more requests with the configured key ({cause}). Wait for the next "
            "billing period or raise the limit at the provider."
        )
    elif wire.status in (401, 403) or _KEY.search(detail):
        message = f"{provider.title} rejected the configured key ({cause}). Check {keys}."
    else:
        message = f"{provider.title} rejected the request ({cause})."
    return ProviderError(message, reason="refused", retry_after_s=retry_after_s(wire))


_TEXTS = ("message", "detail", "status", "code")
"""Members of an error that may hold its message, best first."""


def read_message(answer: Any) -> str | None:
    """Return the message of a response that reports an error, or None for any other response.

    Sources write `{"error": text}`, `{"error": {"message" or "detail": text}}` or `{"message": text}`, the last form
    only if all other members are numbers and strings.
    """
    if not isinstance(answer, dict):
        return None
    error = answer.get("error")
    if isinstance(error, dict):
        found = next(filter(None, map(error.get, _TEXTS)), None)
        return _cut(found)
    if error is None and not any(isinstance(value, list | dict) for value in answer.values()):
        error = answer.get("message")
    return _cut(error) if error else None


def _cut(found: Any) -> str:
    return clean_line(found if isinstance(found, str) else "")[:_LONGEST_SAID] or "no reason given"
