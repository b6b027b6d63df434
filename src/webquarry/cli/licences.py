"""Notices: packages installed with the service, their authors and their licenses.

Notices are read from the metadata of the installed packages, so they describe this installation.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

_PACKAGE = "webquarry"
_EXTRAS = frozenset({"ocr"})
"""Webquarry's extras for users. Its other extras are for development."""
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_EXTRA = re.compile(r"""extra\s*==\s*['"]([^'"]+)['"]""")
_LICENCE_FILE = re.compile(r"(?:^|/)(?:licen[cs]e|copying|notice|authors|third.?party)[^/]*$", re.IGNORECASE)
_HOMES = ("homepage", "home", "source", "source code", "repository", "github")
_MAX_STATED = 100
"""Maximum length of a licence's name. Some packages put the whole license text there."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A package. `licence` is the declared licence; `texts` maps names of licence files to their content."""

    name: str
    version: str
    licence: str
    home: str
    texts: dict[str, str]


def find_notices() -> list[Notice]:
    """Return a notice for each installed package that the service needs. Notices are sorted by package name."""
    found: dict[str, metadata.Distribution] = {}
    open_names = [name for name, extra in _find_requirements(_PACKAGE) if extra is None or extra in _EXTRAS]
    while open_names:
        name = _spell(open_names.pop())
        if name in found:
            continue
        try:
            found[name] = metadata.distribution(name)
        except (
            metadata.PackageNotFoundError
        ):  # the package is for another platform or belongs to an extra that is not installed
            continue
        open_names += [needed for needed, extra in _find_requirements(name) if extra is None]
    return [_read_notice(found[name]) for name in sorted(found)]


def _find_requirements(name: str) -> Iterator[tuple[str, str | None]]:
    """Yield the packages that a package requires, each with its extra."""
    for text in metadata.requires(name) or ():
        if match := _NAME.match(text):
            extra = _EXTRA.search(text)
            yield match[0], extra[1] if extra else None


def _spell(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _read_notice(package: metadata.Distribution) -> Notice:
    about = package.metadata.json
    files = [(str(path), Path(str(path.locate()))) for path in package.files or ()]
    return Notice(
        name=package.name,
        version=package.version,
        licence=_name_licence(about),
        home=_choose_home(about),
        texts={
            name: path.read_text("utf-8", "replace")
            for name, path in files
            if ".dist-info/" in name and _LICENCE_FILE.search(name) and path.is_file()
        },
    )


def _choose_home(about: Mapping[str, object]) -> str:
    """Return the URL of the package's home page, otherwise of its source code, otherwise any URL in its metadata."""
    listed = about.get("project_url")
    named = [str(line).partition(",") for line in (listed if isinstance(listed, list) else [])]
    by_label = {label.strip().lower(): url.strip() for label, _, url in named}
    wanted = [str(about.get("home_page") or ""), *(by_label.get(label, "") for label in _HOMES), *by_label.values()]
    return next((url for url in wanted if url.startswith("http")), "")


def _name_licence(about: Mapping[str, object]) -> str:
    if expression := about.get("license_expression"):
        return str(expression)
    classifiers = about.get("classifier")
    listed = classifiers if isinstance(classifiers, list) else []
    names = [line.rpartition(" :: ")[2] for line in listed if str(line).startswith("License ::")]
    stated = str(about.get("license") or "").strip().partition("\n")[0]
    return " AND ".join(names) or stated[:_MAX_STATED] or "not stated"
