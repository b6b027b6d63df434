"""Google Trends' pages for embedding: another way to get a widget's token, with a separate rate limit.

Untested: no such page is recorded. See docs/upstreams/trends.md.
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
    """Fetch the data of the widget of this kind.

    Raises the errors of `trends_api.fetch`, and ProviderError "refused" if the quota of embedded pages is used up.
    """
    page = await widgets.ask(net, f"/trends/embed/explore/{kind}", {"req": question.request}, accept=_ACCEPT)
    widgets.check_question(page)
    wire = await widgets.data(net, kind, await net.read(read_widget, page, kind), resolution)
    widgets.check_data(wire, resolution)
    return wire


def read_widget(page: Wire, kind: Kind) -> Widget:
    """Return the widget of a page, from the first JSON text in its scripts.

    Raises ProviderError "changed" if it is missing, and "refused" if the quota is used up.
    """
    text = page.body.decode("utf-8", "replace")
    parsed = _PARSED.search(text)
    try:
        literal = "" if parsed is None else string_at(text, parsed.end())[0]
    except ValueError:
        literal = ""
    if not literal:
        raise unreadable(page, "Google Trends", "Google Trends sent an embed page without its widget.")
    node = must(json_of(replace(page, body=literal.encode())), "", dict)
    if at(node, "request.userConfig.userType", str) == OVER_QUOTA:
        raise ProviderError("Google Trends is rate-limiting embedded pages.", reason="refused")
    return Widget.read(node, kind)
