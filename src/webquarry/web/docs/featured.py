"""The main endpoints on the home page, each with an example request and its response."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from markupsafe import Markup

from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.registry import Registry
from webquarry.web.docs.example import Example
from webquarry.web.docs.tree import fold_json

FIRST = {
    "markdown_url": "A page's content without navigation and ads. Pages that need JavaScript are rendered.",
    "markdown_file": "PDF, Word, Excel, presentations, e-books, emails and scans, with headings and tables preserved.",
    "search": "Web search results in one format, from the first of several providers that succeeds.",
}
"""Purposes of the endpoints by name, most important first."""


@dataclass(frozen=True, slots=True)
class Featured:
    extractor: Extractor
    about: str
    example: Example

    @property
    def tree(self) -> Markup:
        tree = fold_json(json.loads(self.example.body))
        return Markup(
            '<figure class="code" data-copy><div class="tree" data-text tabindex="0">{}</div></figure>'
        ).format(tree)


def list_featured(registry: Registry, example: Callable[[Extractor], Example | None]) -> Iterator[Featured]:
    """Yield the endpoints of `FIRST` that the registry has and whose response is known."""
    for name, about in FIRST.items():
        extractor = registry.by_name.get(name)
        shown = example(extractor) if extractor else None
        if extractor and shown:
            yield Featured(extractor, about, shown)
