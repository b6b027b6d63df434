"""The sources of search results, best first. How each is asked and read stands in its module."""

from webquarry.extractors.search.engines import (
    bing,
    brave_api,
    brave_html,
    duckduckgo,
    google_cse,
    mojeek,
    searxng,
    serper,
    startpage,
)

SOURCES = (
    serper.SOURCE,
    brave_api.SOURCE,
    google_cse.SOURCE,
    searxng.SOURCE,
    duckduckgo.SOURCE,
    brave_html.SOURCE,
    startpage.SOURCE,
    mojeek.SOURCE,
    bing.SOURCE,
)
