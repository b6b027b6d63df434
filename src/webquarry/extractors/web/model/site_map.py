"""The `data` of a site's map."""

from typing import Final, Literal

from webquarry.endpoints.declare import Result, field
from webquarry.render.md import Line, Link, Md

SiteSource = Literal["start", "sitemap", "feed", "link"]
MAX_LISTED: Final = 100
"""Maximum number of sitemaps and feeds that a map lists."""


class SiteUrl(Result):
    url: str = field("Absolute URL, without fragment, session and campaign parameters.")
    title: str | None = field("Title in a feed, or the text of the first link to it.")
    lastmod: str | None = field("Last change according to the sitemap or feed: time (RFC 3339, UTC) or date.")
    source: SiteSource = field("Where the URL was found first; `start` is the requested URL.")


class SiteFile(Result):
    url: str = field("URL of the sitemap or feed.")
    form: Literal["sitemap", "index", "feed", "text"] | None = field(
        "Format; `index` lists further sitemaps. Null if the file could not be read."
    )
    count: int = field("Number of the site's URLs in the file. For an index: number of sitemaps.")
    error: str | None = field("Why the file could not be read, or not completely.")


class SiteRobots(Result):
    allowed: bool | None = field("Whether robots.txt allows the requested URL; null if robots.txt could not be read.")
    crawl_delay: float | None = field("Requested time between two requests.", unit="seconds")
    sitemaps: list[str] = field("Sitemaps that robots.txt names, at most 100.")


class SiteMap(Result):
    url: str = field("Requested URL.")
    final_url: str | None = field("Final URL after redirects; null if the page was not requested or could not be read.")
    urls: list[SiteUrl] = field(
        "The site's URLs, each once: first the requested URL, then the URLs from sitemaps, feeds and links. With "
        "`search`, only the requested URL and URLs that contain a word of the search, best matches first."
    )
    found: int = field("Number of URLs found, before `search` and `limit`.")
    truncated: bool = field("Whether the site has more URLs than were returned or read.")
    sitemaps: list[SiteFile] = field("Sitemaps and feeds in the order of requests, at most 100.")
    robots: SiteRobots = field("The site's robots.txt.")
    warnings: list[str] = field("What could not be read, one sentence each.")


def render(site: SiteMap) -> str:
    page = Md(f"{site.url}: map")
    page.facts(
        {
            "URLs": f"{len(site.urls)} of {site.found}" if len(site.urls) < site.found else str(len(site.urls)),
            "Complete": not site.truncated,
            "Allowed by robots.txt": site.robots.allowed,
            "Crawl delay": None if site.robots.crawl_delay is None else f"{site.robots.crawl_delay:g} s",
        }
    )
    page.bullets("URLs", map(_describe, site.urls))
    page.bullets("Sitemaps and feeds", map(_describe_file, site.sitemaps))
    page.bullets("Warnings", site.warnings)
    return page.text()


def _describe(found: SiteUrl) -> Line:
    path = found.url.split("/", 3)[3]
    return (Link(found.title or f"/{path}", found.url), found.lastmod and f"({found.lastmod})")


def _describe_file(file: SiteFile) -> Line:
    return (Link(file.url, file.url), file.error or f"({file.count} {'sitemaps' if file.form == 'index' else 'URLs'})")
