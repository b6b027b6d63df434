"""The scope of a crawl: which URLs it visits."""

from dataclasses import dataclass
from typing import Final, Literal

from webquarry.crawl.files import is_page
from webquarry.crawl.globs import Glob, matches_any
from webquarry.crawl.site import Site

Outside = Literal["site", "depth", "file", "excluded", "not_included"]
MAX_DEPTH: Final = 10


@dataclass(frozen=True, slots=True)
class Scope:
    """Rules for which URLs a crawl may visit. `include` and `exclude` are globs; without `include`, any path matches.

    `depth` is the maximum number of links from a start to a page.
    """

    site: Site
    depth: int = MAX_DEPTH
    include: tuple[Glob, ...] = ()
    exclude: tuple[Glob, ...] = ()

    def judge(self, address: str, depth: int) -> Outside | None:
        """Return why a clean URL is outside the scope, or None if it is inside the scope.

        Don't call it for the start URLs, which are always visited.
        """
        if not self.site.has(address):
            return "site"
        if depth > self.depth:
            return "depth"
        if not is_page(address):
            return "file"
        if matches_any(self.exclude, address):
            return "excluded"
        if self.include and not matches_any(self.include, address):
            return "not_included"
        return None
