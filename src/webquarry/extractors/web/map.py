"""The addresses of a site: from its sitemaps, its feeds and the links of one page.

Provider: the site. See docs/upstreams/site.md. Files and pages are read in child processes (`survey`).

If neither the page nor a sitemap could be read, raises the page's error.
"""

from typing import Literal

from webquarry.core.parsed_text import Url
from webquarry.endpoints.context import Context
from webquarry.endpoints.declare import PAGE_DEADLINE_S, Artifacts, Extractor, Params, hours, param
from webquarry.extractors.web.model.site_map import SiteMap, render
from webquarry.extractors.web.sources import page
from webquarry.extractors.web.survey import Survey

MAX_LIMIT = 10_000


class MapParams(Params):
    url: Url = param("URL of a page of the site, starting with http:// or https://.", example="https://example.com/")
    limit: int = param("Maximum number of URLs to return.", default=1000, min_value=1, max_value=MAX_LIMIT)
    search: str | None = param(
        "Words to find in paths and titles. Only URLs with at least one of these words are returned, best first.",
        default=None,
        max_length=512,
    )
    subdomains: bool = param("Whether other hosts of the same domain belong to the site.", default=False)
    sitemap: Literal["include", "only", "skip"] = param(
        "How to use sitemaps. `include` reads sitemaps, feeds and links, `only` reads sitemaps only, `skip` reads "
        "no sitemaps.",
        default="include",
    )


async def run(params: MapParams, ctx: Context) -> Artifacts:
    survey = Survey(params.url, ctx, subdomains=params.subdomains)
    feeds = [] if params.sitemap == "only" else await survey.read_page()
    named = await survey.read_robots()
    if params.sitemap != "skip":
        await survey.read_sitemaps(named)
    await survey.read_feeds(feeds)
    return await survey.draw(params.search, params.limit)


extractor = Extractor(
    name="map",
    path="/map",
    version=1,
    group="web",
    title="Map of a site",
    description=(
        "Lists the URLs of a site from its sitemaps, its feeds and the links of one page, with titles and dates. "
        "`search` ranks the URLs by matching words. The result includes the rules in robots.txt. To find places, use "
        "`maps`."
    ),
    params=MapParams,
    result=SiteMap,
    credits=1,
    fresh=hours(1),
    deadline_s=PAGE_DEADLINE_S,
    run=run,
    providers=(page.PROVIDER,),
    render=render,
    tool="map_site",
    ends={
        "not_found": "The page does not exist (404 or 410), and the site has no sitemap.",
    },
    example={"url": "https://example.com/"},
)
