"""One reader per source: a page of its results as typed values. Pure and total; errors are `ProviderError`s."""

from webquarry.extractors.search.serp.readers import (
    bing_html,
    brave_api,
    brave_html,
    duckduckgo_html,
    google_cse,
    mojeek,
    searxng,
    serper,
    startpage,
)

__all__ = [
    "bing_html",
    "brave_api",
    "brave_html",
    "duckduckgo_html",
    "google_cse",
    "mojeek",
    "searxng",
    "serper",
    "startpage",
]
