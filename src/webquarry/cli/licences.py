"""Notices: what is installed with the service, by whom it is, and under which licences.

Read from the metadata of the installed packages, so it says what this installation holds and not what a list says.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

_PACKAGE = "webquarry"
_EXTRAS = frozenset({"ocr"})
"""Of ours that are for use; what else they need is there for development."""
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_EXTRA = re.compile(r"""extra\s*==\s*['"]([^'"]+)['"]""")
_LICENCE_FILE = re.compile(r"(?:^|/)(?:licen[cs]e|copying|notice|authors|third.?party)[^/]*$", re.IGNORECASE)
_HOMES = ("homepage", "home", "source", "source code", "repository", "github")
_MAX_STATED = 100
"""Characters of a licence's name; some packages put its whole text there."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A package. licence: as it states it itself; texts: of its licence files, by their names."""

    name: str
    version: str
    licence: str
    home: str
    texts: dict[str, str]


def find_notices() -> list[Notice]:
    """A notice of each package that the service needs and that is installed, by name."""
    found: dict[str, metadata.Distribution] = {}
    open_names = [name for name, extra in _find_requirements(_PACKAGE) if extra is None or extra in _EXTRAS]
    while open_names:
        name = _spell(open_names.pop())
        if name in found:
            continue
        try:
            found[name] = metadata.distribution(name)
        except metadata.PackageNotFoundError:  # of another platform, or an extra that is not installed
            continue
        open_names += [needed for needed, extra in _find_requirements(name) if extra is None]
    return [_read_notice(found[name]) for name in sorted(found)]


def _find_requirements(name: str) -> Iterator[tuple[str, str | None]]:
    """What a package requires, with the extra for which it does."""
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
    """The package's page: its home, else its source, else any address that it names."""
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
