"""Google Trends by the pages that other sites embed: another way to a widget's token, with limits of its own.

Unproven: no such page is recorded. Wire notes: docs/upstreams/trends.md.
"""

import re
from dataclasses import replace
from typing import Final

from webquarry.core.errors import ProviderError
from webquarry.core.types import Provider, Wire
from webquarry.extractors.trends.sources import widgets
from webquarry.extractors.trends.sources.widgets import Kind, Question, Widget
from webquarry.net import Net
from webquarry.read import at, json_of, must
from webquarry.read.block_pages import unreadable
from webquarry.read.embedded import string_at

TRENDS_EMBED: Final = Provider(
    name="trends_embed",
    title="Google Trends, embedded",
    politeness=widgets.MANNERS,
    browser_headers=widgets.HEADERS,
    unproven=True,
)

OVER_QUOTA: Final = "USER_TYPE_EMBED_OVER_QUOTA"
_ACCEPT: Final = "text/html,application/xhtml+xml"
_PARSED: Final = re.compile(r"JSON\.parse\(\s{0,100}(?=['\"])")


async def fetch(question: Question, kind: Kind, net: Net, *, resolution: str | None = None) -> Wire:
    """What the widget of this kind shows. Raises what `trends_api.fetch` does, and ProviderError (refused) when the
    quota of embedded pages is used up."""
    page = await widgets.ask(net, f"/trends/embed/explore/{kind}", {"req": question.request}, accept=_ACCEPT)
    widgets.check_question(page)
    wire = await widgets.data(net, kind, await net.read(read_widget, page, kind), resolution)
    widgets.check_data(wire, resolution)
    return wire


def read_widget(page: Wire, kind: Kind) -> Widget:
    """The widget that a page shows, from the first text of JSON in its scripts. ProviderError: `changed` when there is
    none, `refused` for one beyond the quota."""
    text = page.body.decode("utf-8", "replace")
    parsed = _PARSED.search(text)
    try:
        literal = "" if parsed is None else string_at(text, parsed.end())[0]
    except ValueError:
        literal = ""
    if not literal:
        raise unreadable(page, "Google Trends", "Google Trends sent a page to embed without its widget.")
    node = must(json_of(replace(page, body=literal.encode())), "", dict)
    if at(node, "request.userConfig.userType", str) == OVER_QUOTA:
        raise ProviderError("Google Trends shows no more embedded pages for now.", reason="refused")
    return Widget.read(node, kind)
