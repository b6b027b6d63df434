"""The code for showing a result that runs in a child process, which includes all code that parses the result's
bytes.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

import orjson

from webquarry.web.playground import folding, safe_markdown
from webquarry.web.playground.figure_markup import write_figures
from webquarry.web.playground.figures import find_figures
from webquarry.workers.parcel import Parcel

MAX_RENDERED: Final = 40_000
"""Maximum size in bytes of markdown shown as a page."""
MAX_MARKDOWN: Final = 60_000
"""Maximum size in bytes of markdown shown as text."""
MAX_JSON: Final = 60_000
"""Maximum size in bytes of JSON shown as text."""
MAX_FOLDED: Final = 4_000_000
"""Maximum size in bytes of JSON that is parsed."""


def show(body: bytes, *, markdown_bytes: int, pictures: str, envelope: Mapping[str, Any]) -> Parcel[dict[str, Any]]:
    """Return a result in the forms that a page shows.

    `body` is its markdown, followed by its `data` as JSON. `pictures` is the prefix of the URLs of this service's
    pictures. `envelope` holds the fields around `data` and `markdown` in a response.

    The facts are {"rendered_cut", "markdown_cut", "json_cut", "tree_cut"}: whether each form was truncated. The pieces
    are the markdown as harmless HTML, the markdown, the indented JSON, the JSON as a tree in HTML, and its figures as
    HTML ("" without figures).
    """
    markdown, data = body[:markdown_bytes], body[markdown_bytes:]
    rendered, shown = _cut(markdown, MAX_RENDERED), _cut(markdown, MAX_MARKDOWN)
    html = safe_markdown.render(rendered.decode("utf-8", "replace"))
    facts: dict[str, Any] = {
        "rendered_cut": len(rendered) < len(markdown),
        "markdown_cut": len(shown) < len(markdown),
        "tree_cut": True,
    }
    text, tree, figures = data, "", ""
    if len(data) <= MAX_FOLDED:
        with suppress(orjson.JSONDecodeError):  # the JSON is nested too deeply to be parsed
            value = orjson.loads(data)
            whole = {**envelope, "data": value, "markdown": folding.Excerpt(markdown.decode("utf-8", "replace"))}
            tree, facts["tree_cut"] = folding.fold(whole)
            figures = write_figures(find_figures(value, pictures))
            text = _indent(whole, data)
    cut = _cut(text, MAX_JSON)
    facts["json_cut"] = len(cut) < len(text)
    return Parcel(facts, (html.encode(), shown, cut, tree.encode(), figures.encode()))


def _indent(value: Any, data: bytes) -> bytes:
    """Return the value as indented JSON, or the original bytes if it is nested too deeply."""
    try:
        return orjson.dumps(value, option=orjson.OPT_INDENT_2)
    except orjson.JSONEncodeError:
        return data


def _cut(text: bytes, most: int) -> bytes:
    """Return the text up to its last complete paragraph or line within `most` bytes."""
    if len(text) <= most:
        return text
    head = text[:most]
    for border in (b"\n\n", b"\n"):
        at = head.rfind(border, most // 2)
        if at > 0:
            return head[:at]
    return head.decode("utf-8", "ignore").encode()
