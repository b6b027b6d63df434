"""What a child does with an answer that is to be shown: everything that looks into its bytes."""

from contextlib import suppress
from typing import Any, Final

import orjson

from webquarry.web.playground import folding, safe_markdown
from webquarry.workers.parcel import Parcel

MAX_RENDERED: Final = 40_000
"""Bytes of markdown that are shown as a page."""
MAX_MARKDOWN: Final = 60_000
"""Bytes of markdown that are shown as it is."""
MAX_JSON: Final = 40_000
"""Bytes of JSON that are shown as text."""
MAX_FOLDED: Final = 4_000_000
"""Bytes of JSON that are looked into at all."""


def show(body: bytes, *, markdown_bytes: int) -> Parcel[dict[str, Any]]:
    """An answer as a page shows it. body: its markdown, and behind it its `data` as JSON, both in UTF-8.

    facts: {"rendered_cut", "markdown_cut", "json_cut", "tree_cut": whether something was left out of each}. The pieces:
    the markdown as HTML that can do nothing, the markdown as it is, the JSON indented, and the JSON as a tree in HTML.
    """
    markdown, data = body[:markdown_bytes], body[markdown_bytes:]
    rendered, shown = _cut(markdown, MAX_RENDERED), _cut(markdown, MAX_MARKDOWN)
    html = safe_markdown.render(rendered.decode("utf-8", "replace"))
    facts: dict[str, Any] = {
        "rendered_cut": len(rendered) < len(markdown),
        "markdown_cut": len(shown) < len(markdown),
        "tree_cut": True,
    }
    text, tree = data, ""
    if len(data) <= MAX_FOLDED:
        with suppress(orjson.JSONDecodeError):  # it nests deeper than is read
            value = orjson.loads(data)
            tree, facts["tree_cut"] = folding.fold(value)
            text = _indent(value, data)
    cut = _cut(text, MAX_JSON)
    facts["json_cut"] = len(cut) < len(text)
    return Parcel(facts, (html.encode(), shown, cut, tree.encode()))


def _indent(value: Any, data: bytes) -> bytes:
    """The value on lines of its own; as it came where it nests deeper than is written."""
    try:
        return orjson.dumps(value, option=orjson.OPT_INDENT_2)
    except orjson.JSONEncodeError:
        return data


def _cut(text: bytes, most: int) -> bytes:
    """The text up to its last whole paragraph or line within so many bytes."""
    if len(text) <= most:
        return text
    head = text[:most]
    for border in (b"\n\n", b"\n"):
        at = head.rfind(border, most // 2)
        if at > 0:
            return head[:at]
    return head.decode("utf-8", "ignore").encode()
