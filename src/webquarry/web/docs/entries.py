"""Entries of the search: everything in the docs that can be found, with the text to search."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from webquarry.api.fields import list_result_fields
from webquarry.core.errors import ANSWERED, REASONS
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.registry import API_PREFIX
from webquarry.endpoints.variants import list_specs
from webquarry.web.docs.advice import DO, describe, explain
from webquarry.web.docs.library import CUT, Library, Page
from webquarry.web.docs.prose import slug

GUIDES, ENDPOINTS, PARAMETERS, FIELDS, ERRORS, SETTINGS = (
    "Guides",
    "Endpoints",
    "Parameters",
    "Fields",
    "Errors",
    "Settings",
)
WEIGHTS = {ENDPOINTS: 1.6, GUIDES: 1.5, ERRORS: 1.6, SETTINGS: 1.0, PARAMETERS: 0.9, FIELDS: 0.7}
"""Weights of entries by kind. The kinds are shown to readers."""
OPERATIONS = "api/"
"""Start of the paths of pages about endpoints and other operations."""
_HEADING = re.compile(r"^(#{2,3}) (?P<text>[^{]++)(?:\{: #(?P<id>[\w.-]++)(?: rows| aside)*+\})?$")
_ROW = re.compile(r"^\| `(?P<name>[^`]++)` \| (?P<default>(?:[^|\\]|\\.)*+)\| (?P<meaning>(?:[^|\\]|\\.)*+)\|$")
_RULE = re.compile(r"^[|\s:-]+$")
_MARKS = re.compile(r"!?\[([^\[\]]*+)\]\([^()]*+\)|[`*]|^\s*+(?:[-#>|]|\d++\.)\s++|\[!\w++\]|(?<!\s)\s*+\|\s*+")


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that can be found.

    `title` is its name, `text` its description, and `kind` a key of `WEIGHTS`. `code` is searched too, but not shown.
    """

    title: str
    text: str
    kind: str
    address: str
    code: str = ""


def list_entries(library: Library) -> Iterator[Entry]:
    """Yield all entries. Sections of guides are read from their markdown."""
    for page in library.pages:
        if page.extractor is not None:
            yield from _list_endpoint(page, page.extractor)
        elif page.path.startswith(OPERATIONS):
            text = " ".join(_read_prose(page.markdown.replace(CUT, "").splitlines()))
            yield Entry(page.title, page.description, ENDPOINTS, page.address, text)
        else:
            yield from _list_guide(page)
    by_code = {error.code: error for error in reversed(ANSWERED)}
    for code in dict.fromkeys(error.code for error in ANSWERED):
        status = by_code[code].status
        text = f"Status {status}. {describe(by_code[code])} {DO[code]}"
        yield Entry(code, text, ERRORS, f"/docs/errors#{code}", str(status))
        for reason in REASONS.get(code, ()):
            when, do = explain(code, reason)
            yield Entry(f"{code}/{reason}", f"{when} {do}", ERRORS, f"/docs/errors#{code}-{slug(reason)}", str(status))


def _list_endpoint(page: Page, extractor: Extractor) -> Iterator[Entry]:
    path = f"{extractor.method} {API_PREFIX}{extractor.path}"
    yield Entry(extractor.title, f"{path} · {page.description}", ENDPOINTS, page.address, extractor.name)
    for spec in list_specs(extractor):
        address = f"{page.address}#param-{slug(spec.name)}"
        yield Entry(spec.name, f"{extractor.title}: {spec.description}", PARAMETERS, address)
    rows = [row for result in extractor.results.values() for row in list_result_fields(result)]
    for path, meaning in {row.path: row.meaning for row in reversed(rows)}.items():
        yield Entry(path, f"{extractor.title}: {meaning}", FIELDS, f"{page.address}#field-{slug(path)}")


def _list_guide(page: Page) -> Iterator[Entry]:
    """Yield a guide and its sections. Rows of the table of settings are also entries."""
    for title, anchor, lines in _split(page.markdown.partition(CUT)[2], page.title):
        if anchor == "setting":
            yield from _list_settings(page, lines)
            continue
        if title in DO:  # errors have separate entries
            continue
        text, code = _read_prose(lines)
        address = f"{page.address}#{anchor}" if anchor else page.address
        yield Entry(f"{page.title}: {title}" if anchor else title, text, GUIDES, address, code)


def _list_settings(page: Page, lines: list[str]) -> Iterator[Entry]:
    for line in lines:
        if row := _ROW.match(line):
            yield Entry(row["name"], row["meaning"].strip(), SETTINGS, f"{page.address}#setting-{slug(row['name'])}")


def _split(markdown: str, title: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yield heading, anchor and lines of each section of a page. Lines of code are not headings."""
    anchor, lines, fence = "", list[str](), ""
    for line in markdown.splitlines():
        mark = line[:3] if line.startswith("```") else ""
        fence = "" if fence and mark else fence or mark
        found = None if fence or mark else _HEADING.match(line)
        if found is None:
            lines.append(line)
            continue
        yield title, anchor, lines
        text = found["text"].strip()
        title = re.sub(r"[`*]", "", text)
        anchor, lines = found["id"] or slug(text), []
    yield title, anchor, lines


def _read_prose(lines: list[str]) -> tuple[str, str]:
    """Return the prose of a section without marks of markdown, and its code with the languages' names."""
    prose, code, in_code = list[str](), list[str](), False
    for line in lines:
        if line.startswith("```"):
            in_code = not in_code
            code.append(line.strip("`"))
        elif in_code:
            code.append(line)
        elif not _RULE.match(line):
            prose.append(_MARKS.sub(lambda found: found[1] or " ", line).strip())
    return re.sub(r"\s+", " ", " ".join(prose)).strip(), " ".join(code)
