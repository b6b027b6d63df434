"""Search in the docs: a small index for the page's script, and a server-side search for browsers without scripts."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from webquarry.api.fields import list_result_fields
from webquarry.core.errors import ANSWERED, REASONS
from webquarry.endpoints.params import specs
from webquarry.endpoints.registry import API_PREFIX
from webquarry.web.docs.advice import DO, explain
from webquarry.web.docs.library import Library, Page
from webquarry.web.docs.prose import slug

MAX_QUERY = 100
_SHOWN = 40
_WEIGHTS = {"operation": 3.0, "guide": 2.5, "section": 1.4, "error": 2.0, "parameter": 1.0, "field": 1.0}


@dataclass(frozen=True, slots=True)
class Entry:
    """A search result. `title` is its name, `about` its location or meaning, `kind` a key of `_WEIGHTS`."""

    title: str
    about: str
    kind: str
    address: str


def list_entries(library: Library) -> Iterator[Entry]:
    """Yield everything that can be found. Headings of guides are read from their markdown."""
    for page in library.pages:
        extractor = page.extractor
        if extractor is None:
            yield Entry(page.title, page.section, "guide", page.address)
            yield from _sections(page)
            continue
        about = f"{extractor.method} {API_PREFIX}{extractor.path} · {page.description}"
        yield Entry(extractor.title, about, "operation", page.address)
        for spec in specs(extractor.params):
            yield Entry(
                spec.name,
                f"{extractor.title}: {spec.description}",
                "parameter",
                f"{page.address}#param-{slug(spec.name)}",
            )
        rows = [row for result in extractor.results.values() for row in list_result_fields(result)]
        for path, meaning in {row.path: row.meaning for row in reversed(rows)}.items():
            yield Entry(path, f"{extractor.title}: {meaning}", "field", f"{page.address}#field-{slug(path)}")
    for code in dict.fromkeys(error.code for error in ANSWERED):
        yield Entry(code, f"Errors: {DO[code]}", "error", f"/docs/errors#{code}")
        for reason in REASONS.get(code, ()):
            when, _ = explain(code, reason)
            yield Entry(f"{code}/{reason}", f"Errors: {when}", "error", f"/docs/errors#{code}-{slug(reason)}")


def find(entries: Sequence[Entry], query: str) -> list[Entry]:
    """Return the entries that contain all words of the query, best first."""
    words = re.findall(r"[\w@./-]+", query[:MAX_QUERY].lower())
    if not words:
        return []
    scored = [(_score(entry, words), -number, entry) for number, entry in enumerate(entries)]
    return [entry for score, _, entry in sorted(scored, key=lambda each: each[:2], reverse=True) if score > 0][:_SHOWN]


def _score(entry: Entry, words: Sequence[str]) -> float:
    title, about, total = entry.title.lower(), entry.about.lower(), 0.0
    for word in words:
        if title == word:
            found = 10.0
        elif re.split(r"[^a-z0-9]+", title).count(word):
            found = 6.0
        elif title.startswith(word):
            found = 5.0
        elif word in title:
            found = 3.0
        elif word in about:
            found = 1.0
        else:
            return 0.0
        total += found
    return total * _WEIGHTS[entry.kind]


def _sections(page: Page) -> Iterator[Entry]:
    for heading in page.prose.headings:
        if heading.level == 2:
            yield Entry(heading.text, page.title, "section", f"{page.address}#{heading.id}")
