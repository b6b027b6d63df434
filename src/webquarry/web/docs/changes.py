"""When the reference of each endpoint last changed, and where its source can be edited.

`make generated` writes the dates to `changes.json`, so an installed package has them without git. An entry also has the
digest of the reference. If the reference has changed since the file was written, the endpoint has no date.
"""

import hashlib
import importlib.metadata
import json
from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from webquarry.api.fields import list_result_fields
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.registry import Registry
from webquarry.endpoints.variants import list_specs
from webquarry.endpoints.wording import freshness, price

FILE: Final = Path(__file__).with_name("changes.json")
_LABELS: Final = ("repository", "source", "source code")
"""Names that packages give to the address of their repository."""
_EDITORS: Final = {"github.com": "/edit/main/", "gitlab.com": "/-/edit/main/", "codeberg.org": "/_edit/main/"}
"""Path of the editor below a repository, by host."""
Dates = Mapping[str, tuple[str, str]]
"""The date and the digest of each endpoint's reference, by name."""


def find_change(extractor: Extractor) -> date | None:
    """Return the day on which the endpoint's reference last changed, or None if it is unknown."""
    day, digest = read_dates().get(extractor.name, ("", ""))
    return date.fromisoformat(day) if digest and digest == _digest(extractor) else None


@cache
def read_dates() -> Dates:
    """Return the content of `changes.json`."""
    return {name: (day, digest) for name, (day, digest) in json.loads(FILE.read_text("utf-8")).items()}


def write_dates(registry: Registry, known: Dates, today: date) -> str:
    """Return the text of `changes.json`. References that differ from `known` have changed today."""
    dates = {}
    for extractor in registry:
        day, digest = known.get(extractor.name, ("", ""))
        current = _digest(extractor)
        dates[extractor.name] = (day if digest == current else today.isoformat(), current)
    lines = (f"{json.dumps(name)}: {json.dumps(entry)}" for name, entry in sorted(dates.items()))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _digest(extractor: Extractor) -> str:
    """Return a digest of what the reference says: neither settings nor the service's address change it."""
    told = {
        "call": (extractor.method, extractor.path, extractor.title, extractor.description),
        "terms": (price(extractor), freshness(extractor), extractor.deadline_s),
        "parameters": [repr(spec) for spec in list_specs(extractor)],
        "fields": {when: list_result_fields(result) for when, result in extractor.results.items()},
        "example": dict(extractor.example),
    }
    return hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode()).hexdigest()[:16]


def find_repository() -> str | None:
    """Return the address of the repository from the package's metadata, or None if it names none."""
    for line in importlib.metadata.metadata("webquarry").get_all("Project-URL") or ():
        label, _, address = line.partition(",")
        if label.strip().lower() in _LABELS:
            return str(address.strip())
    return None


def write_edit_address(repository: str | None, file: str) -> str | None:
    """Return where a file of the package can be edited, or None if that is unknown.

    `file` is below the package's folder, such as `extractors/search/search.py`.
    """
    editor = _EDITORS.get(urlsplit(repository).hostname or "") if repository else None
    return f"{str(repository).removesuffix('/').removesuffix('.git')}{editor}src/webquarry/{file}" if editor else None
