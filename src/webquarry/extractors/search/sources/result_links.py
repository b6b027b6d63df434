"""Filter for the links of result rows. It keeps pages and drops ads and other engines' result pages.

Engines mark ads with classes that change often, but the URL that counts a click stays the same. A page without results
may link to other engines ("try this search on …").
"""

import re
from typing import TypeGuard
from urllib.parse import parse_qs, urlsplit

_AD_HOSTS = re.compile(r"(?:[\w-]+\.)*(?:googleadservices\.com|doubleclick\.net|googlesyndication\.com)")
_AD_PATHS = re.compile(r"/(?:y\.js|aclick|aclk|alink/.*|pagead/aclk|a/redirect)/?", re.DOTALL)
"""Paths of ads on the hosts of DuckDuckGo, Bing, Google and Brave."""
_AD_PARAMETERS = frozenset({"ad_domain", "ad_provider", "ad_type"})
_ENGINE_HOSTS = re.compile(
    r"(?:(?:www|m|html|lite|search|r\.search|[a-z]{2}\.search|cse)\.)?"
    r"(?:google\.(?:com?\.)?[a-z]{2,3}|yandex\.(?:com?\.)?[a-z]{2,3}|ask\.com|aol\.com|baidu\.com|bing\.com|brave\.com"
    r"|dogpile\.com|duckduckgo\.com|ecosia\.org|gibiru\.com|kagi\.com|lycos\.com|mojeek\.com|naver\.com|qwant\.com"
    r"|seznam\.cz|sogou\.com|startpage\.com|swisscows\.com|yahoo\.(?:com?\.)?[a-z]{2,3})"
)
_SEARCH_PATH_NAMES = """
    / /search /html /lite /web /s /do/search /sp/search /do/dsearch /aol/search /search.naver /wml/search /results /serp
"""
_SEARCH_PATHS = frozenset(_SEARCH_PATH_NAMES.split())
_QUERY_PARAMETERS = frozenset({"q", "p", "query", "text", "wd", "word"})
MAX_FIELDS = 100


def leads_to_page(link: str | None) -> TypeGuard[str]:
    """Return whether a link points to a page. Missing links, ads and other engines' searches do not."""
    if link is None:
        return False
    try:
        parts = urlsplit(link)
        parameters = parse_qs(parts.query, max_num_fields=MAX_FIELDS).keys()
    except ValueError:  # the URL has more query fields than any engine's URL
        return True
    host = (parts.hostname or "").lower()
    if _AD_HOSTS.fullmatch(host):
        return False
    if not _ENGINE_HOSTS.fullmatch(host):
        return True
    if _AD_PATHS.fullmatch(parts.path) or _AD_PARAMETERS & parameters:
        return False
    return not ((parts.path.rstrip("/") or "/") in _SEARCH_PATHS and _QUERY_PARAMETERS & parameters)
