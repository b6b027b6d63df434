"""Gemini's answers grounded in a web search, by the operator's key. Wire notes: docs/upstreams/ai-overview.md."""

import orjson

from webquarry.net import Net
from webquarry.read import Wire
from webquarry.types import Provider

GEMINI = Provider(
    name="gemini_grounding",
    title="Gemini with Google Search",
    needs=("gemini_key",),
    uses=("gemini_model",),
    unproven=True,
)
_URL = "https://generativelanguage.googleapis.com/v1beta/models/{model}:generateContent"


async def grounded(net: Net, question: str, language: str) -> Wire:
    """The answer to a question, with what it rests on."""
    body = {
        "systemInstruction": {"parts": [{"text": f"Answer briefly, from a web search, in the language {language}."}]},
        "contents": [{"role": "user", "parts": [{"text": question}]}],
        "tools": [{"google_search": {}}],
    }
    return await net.post(
        _URL.format(model=net.setting("gemini_model")),
        body=orjson.dumps(body),
        content_type="application/json",
        accept="application/json",
        headers={"x-goog-api-key": net.setting("gemini_key")},
        absent_on=(),
    )
