"""The request for a crawl: its fields, and the job that it describes."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from webquarry.accounts import Caller
from webquarry.core.clock import Clock
from webquarry.core.errors import InvalidParams
from webquarry.core.urls import MAX_URL
from webquarry.crawl.addresses import DROPPED, canonical, clean
from webquarry.crawl.globs import MAX_GLOBS, Glob
from webquarry.crawl.scope import MAX_DEPTH
from webquarry.crawl.site import Site
from webquarry.extractors.web.child.crawl_job import digest
from webquarry.jobs.crawl import CRAWL, ENDPOINT, make_item
from webquarry.jobs.inputs import WEBHOOK
from webquarry.jobs.records import Item, NewItem, NewJob, new_job_id

MAX_STARTS: Final = 100
MAX_BODY: Final = 2_000_000
"""Maximum size of a request in bytes."""
MAX_PAGES: Final = 100_000
MAX_KEEP_DAYS: Final = 30


class CrawlFresh(BaseModel):
    """The required freshness of cached pages."""

    model_config = ConfigDict(extra="forbid", strict=True)

    max_age: int | None = Field(None, ge=0, description="Maximum age in seconds of a cached page.")
    no_cache: bool = Field(False, description="Whether to request each page even if it is cached.")


class CrawlRequest(BaseModel):
    """The body of `POST /crawl`."""

    model_config = ConfigDict(extra="forbid", strict=True)

    url: str | None = Field(
        None,
        max_length=MAX_URL,
        description="Page where the crawl starts. Send either `url` or `urls`.",
        examples=["https://example.com/"],
    )
    urls: list[str] | None = Field(
        None, min_length=1, max_length=MAX_STARTS, description="Several start pages, at most 100."
    )
    limit: int = Field(100, ge=1, le=MAX_PAGES, description="Maximum number of pages.")
    depth: int = Field(
        MAX_DEPTH, ge=0, le=MAX_DEPTH, description="Maximum number of links between a start page and another page."
    )
    include: list[str] = Field(
        [],
        max_length=MAX_GLOBS,
        description="Patterns for the path, such as `/docs/*`. Only the start pages and pages that match a pattern "
        "are visited.",
    )
    exclude: list[str] = Field(
        [],
        max_length=MAX_GLOBS,
        description="Patterns for the path, such as `*/print/*`. Pages that match a pattern are left out.",
    )
    subdomains: bool = Field(False, description="Whether other hosts of the same domain belong to the site.")
    sitemap: Literal["include", "skip"] = Field(
        "include", description="Whether to visit the pages that the site's sitemaps list."
    )
    repeats: Literal["remove", "keep"] = Field(
        "remove",
        description="Whether parts that repeat at the same place of several pages, such as menus, are left out of the "
        "markdown in results. Each item tells how much with `left_out`.",
    )
    drop_query: list[str] = Field(
        [],
        max_length=50,
        description="Names of query parameters that do not change a page. `*` ends a prefix. Session and campaign "
        "parameters are always dropped.",
    )
    max_credits: int | None = Field(
        None,
        ge=0,
        description="Maximum number of credits that the crawl may spend. Pages beyond this limit are stopped.",
    )
    concurrency: int | None = Field(
        None, ge=1, le=32, description="Maximum number of pages that are read at the same time."
    )
    fresh: CrawlFresh = Field(CrawlFresh(), description="How fresh cached pages must be.")
    since: str | None = Field(
        None,
        pattern=r"^job_[0-9a-f]{32}$",
        description="ID of an earlier crawl. Its pages are visited again, and each page has `change`. Pages that the "
        "site reports as unchanged are free. The cache is not used unless you send `fresh.max_age`.",
    )
    name: str | None = Field(None, min_length=1, max_length=200, description="Name for your own use.")
    keep_days: int = Field(
        MAX_KEEP_DAYS, ge=1, le=MAX_KEEP_DAYS, description="Days after which the job and its items are deleted."
    )
    webhook: str | None = Field(None, max_length=2000, description=WEBHOOK)

    @model_validator(mode="after")
    def _check_starts(self) -> Self:
        if (self.url is None) == (self.urls is None):
            raise ValueError("exactly one of 'url' and 'urls' is required")
        return self

    @property
    def starts(self) -> list[str]:
        return [self.url] if self.url is not None else [*(self.urls or ())]


def make_crawl(
    request: CrawlRequest, caller: Caller, clock: Clock, earlier: Sequence[Item] = ()
) -> tuple[NewJob, list[NewItem]]:
    """Return the job that a request describes, with its first items. `earlier` are the pages of the crawl named in
    `since`.

    Raises InvalidParams, which names the field, for an invalid address, glob or parameter name.
    """
    names = (*DROPPED, *request.drop_query)
    starts = [_read(f"urls.{n}" if request.urls else "url", url, names) for n, url in enumerate(request.starts)]
    site = Site.of(starts, subdomains=request.subdomains)
    now = clock.now()
    options: dict[str, Any] = {
        "limit": request.limit,
        "scope": {
            "hosts": sorted(site.hosts),
            "domain": site.domain,
            "depth": request.depth,
            "include": _read_globs("include", request.include),
            "exclude": _read_globs("exclude", request.exclude),
        },
        "dropped": request.drop_query,
        "sitemap": request.sitemap,
        "repeats": "keep" if request.repeats == "keep" else None,
        "since": request.since,
        "max_age": request.fresh.max_age,
        # a result from the cache may be the earlier crawl's own
        "no_cache": request.fresh.no_cache or (request.since is not None and request.fresh.max_age is None),
    }
    job = NewJob(
        id=new_job_id(now),
        account_id=caller.account_id,
        key_id=caller.key_id,
        kind=CRAWL,
        endpoint=ENDPOINT,
        shared={},
        options={name: value for name, value in options.items() if value is not None and value is not False},
        created_at=now,
        expires_at=now + timedelta(days=request.keep_days),
        name=request.name,
        webhook=request.webhook,
        max_credits=request.max_credits,
        concurrency=request.concurrency,
    )
    items = {digest(canonical(url, names)): make_item(url, digest(canonical(url, names)), 0) for url in starts}
    for page in earlier:
        url = page.input["url"]
        key = digest(canonical(url, names))
        items.setdefault(key, make_item(url, key, (page.details or {}).get("depth", 1) or 1))
    return job, [*items.values()][: request.limit]


def _read(name: str, url: str, dropped: Sequence[str]) -> str:
    try:
        return clean(url, dropped)
    except ValueError as exc:
        raise InvalidParams(f"Field '{name}' {exc}.", parameter=name) from exc


def _read_globs(name: str, texts: Sequence[str]) -> list[str]:
    found = []
    for n, text in enumerate(texts):
        try:
            found.append(Glob.parse(text).pattern)
        except ValueError as exc:
            raise InvalidParams(f"Field '{name}.{n}' {exc}.", parameter=name) from exc
    return found
