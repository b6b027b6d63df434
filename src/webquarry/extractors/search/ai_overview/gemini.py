"""Gemini's answers grounded in a web search, by the operator's key. Wire notes: docs/upstreams/ai-overview.md."""

import orjson

from webquarry.net import ANY_STATUS, Net
from webquarry.providers.answers import answer_by_key
from webquarry.types import Provider, Wire

GEMINI = Provider(
    name="gemini_grounding",
    title="Gemini with Google Search",
    needs=("gemini_key",),
    uses=("gemini_model",),
)
_URL = "https://generativelanguage.googleapis.com/v1beta/models/{model}:generateContent"


async def grounded(net: Net, question: str, language: str) -> Wire:
    """The answer to a question, with what it rests on.

    ProviderError as `answer_by_key`, with Gemini's own words for a key, a model or a question that it does not accept.
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
        ok_on=ANY_STATUS,
        absent_on=(),
    )
    return answer_by_key(wire, GEMINI)
