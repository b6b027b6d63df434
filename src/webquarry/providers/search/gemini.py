"""Gemini's answers grounded in a web search, by the operator's key. Wire notes: docs/upstreams/ai-overview.md."""

import orjson

from webquarry.errors import ProviderError
from webquarry.escape import plain
from webquarry.net import Net
from webquarry.read import Wire, at, json_of
from webquarry.types import Provider

GEMINI = Provider(
    name="gemini_grounding",
    title="Gemini with Google Search",
    needs=("gemini_key",),
    uses=("gemini_model",),
    unproven=True,
)
_URL = "https://generativelanguage.googleapis.com/v1beta/models/{model}:generateContent"
_REFUSALS = (400, 401, 403, 404)


async def grounded(net: Net, question: str, language: str) -> Wire:
    """The answer to a question, with what it rests on.

    ProviderError (refused) with Gemini's own words for a key, a model or a question that it does not accept.
    """
    body = {
        "systemInstruction": {"parts": [{"text": f"Answer briefly, from a web search, in the language {language}."}]},
        "contents": [{"role": "user", "parts": [{"text": question}]}],
        "tools": [{"google_search": {}}],
    }
    wire = await net.post(
        _URL.format(model=net.setting("gemini_model")),
        body=orjson.dumps(body),
        content_type="application/json",
        accept="application/json",
        headers={"x-goog-api-key": net.setting("gemini_key")},
        ok_on=(200, *_REFUSALS),
        absent_on=(),
    )
    if wire.status in _REFUSALS:
        said = plain(at(json_of(wire), "error.message", str) or "")[:200] or f"status {wire.status}"
        raise ProviderError(f"Gemini refused the request ({said}).", reason="refused")
    return wire
