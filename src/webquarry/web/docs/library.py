"""All pages of the docs in order: guides written as markdown templates, and pages generated from the registry.

Each page exists as markdown, from which its HTML and the text for agents are generated.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any

from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.registry import Registry
from webquarry.web.docs.changes import find_change
from webquarry.web.docs.operations import Operation
from webquarry.web.docs.prose import Prose, write_html, write_plain

CUT = "%%%\n"
"""Separator between a page's head, which has a different layout in HTML, and its text."""
GUIDES: Mapping[str, Mapping[str, str]] = {
    "Start": {"quickstart": "Quick start", "sandbox": "Sandbox", "tools": "Agents and tools"},
    "Guides": {
        "keys": "Keys",
        "billing": "Billing",
        "caching": "Caching and freshness",
        "smaller-answers": "Smaller answers",
        "limits": "Limits and retries",
        "errors": "Errors",
        "pagination": "Pagination",
        "batch": "Batch jobs",
        "files": "Files",
        "map-a-site": "Map a site",
        "crawl-a-site": "Crawl a site",
        "index-of-pages": "Build an index of pages",
        "webhooks": "Webhooks",
        "moving": "Migrate from another service",
        "clients": "OpenAPI and clients",
        "versioning": "Versioning",
    },
    "Operators": {
        "self-hosting": "Self-hosting",
        "sources": "Providers and API keys",
        "settings": "Settings",
        "metrics": "Metrics",
    },
}
"""Hand-written pages by section: names and titles."""
OPERATORS = "Operators"
_GROUPS: Mapping[str, str] = {"jobs": "Jobs", "webhooks": "Webhooks"}
"""Groups of pages by the tag of their operations. Other operations belong to accounts and conversions."""


@dataclass(frozen=True)
class Page:
    """A page of the documentation.

    `path` is below `/docs`, `section` is its section in the sidebar, `write` returns its markdown, and `extractor` is
    the endpoint that it describes.
    """

    path: str
    title: str
    section: str
    description: str
    write: Callable[[], str]
    base_url: str
    extractor: Extractor | None = None

    @property
    def address(self) -> str:
        return f"/docs/{self.path}" if self.path else "/docs"

    @cached_property
    def changed(self) -> date | None:
        """The day on which the endpoint's reference last changed, if it is known."""
        return find_change(self.extractor) if self.extractor else None

    @cached_property
    def markdown(self) -> str:
        return self.write()

    @cached_property
    def plain(self) -> str:
        """The text for readers of markdown."""
        return write_plain(self.markdown.replace(CUT, ""), self.base_url)

    @cached_property
    def prose(self) -> Prose:
        return write_html(self.markdown.partition(CUT)[2])


@dataclass
class Library:
    """The pages by path and by section, in reading order."""

    pages: Sequence[Page]
    by_path: dict[str, Page] = field(init=False)
    sections: dict[str, list[Page]] = field(init=False)

    def __post_init__(self) -> None:
        self.by_path = {page.path: page for page in self.pages}
        self.sections = {}
        for page in self.pages:
            self.sections.setdefault(page.section, []).append(page)

    def neighbours(self, page: Page) -> tuple[Page | None, Page | None]:
        """Return the previous and the next page."""
        at = self.pages.index(page)
        return self.pages[at - 1] if at else None, self.pages[at + 1] if at + 1 < len(self.pages) else None


def build_library(
    registry: Registry,
    render: Callable[..., str],
    base_url: str,
    describe: Callable[[Extractor], Mapping[str, Any]],
    operations: Sequence[Operation],
) -> Library:
    """Build all pages.

    `render` renders a template as text. `describe` returns the values for an endpoint's template. `operations` are the
    operations of the API that are not endpoints.
    """

    def guide(name: str, title: str, section: str) -> Page:
        return Page(name, title, section, "", lambda: render(f"docs/md/{name}.md", title=title), base_url)

    def endpoint(extractor: Extractor) -> Page:
        return Page(
            f"api/{extractor.name}",
            extractor.title,
            registry.describe_group(extractor.group).title,
            first_sentence(extractor.description),
            lambda: render("docs/md/endpoint.md", **describe(extractor)),
            base_url,
            extractor,
        )

    def other(operation: Operation) -> Page:
        return Page(
            f"api/{operation.name}",
            operation.title,
            next((_GROUPS[tag] for tag in operation.operation["tags"] if tag in _GROUPS), "Account and conversions"),
            first_sentence(operation.description),
            lambda: render("docs/md/operation.md", operation=operation),
            base_url,
        )

    def pages() -> Iterator[Page]:
        yield Page("", "Overview", "Start", "", lambda: render("docs/md/overview.md", title="Overview"), base_url)
        for section, guides in GUIDES.items():
            if section == OPERATORS:
                for members in registry.groups.values():
                    yield from (endpoint(extractor) for extractor in members)
                yield from map(other, operations)
            yield from (guide(name, title, section) for name, title in guides.items())

    return Library(list(pages()))


def first_sentence(text: str) -> str:
    """Return the first sentence of the first paragraph."""
    paragraph = text.strip().partition("\n\n")[0]
    return f"{paragraph.partition('. ')[0].rstrip('.')}."
