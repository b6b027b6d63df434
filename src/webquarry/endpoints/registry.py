"""Registry of all endpoints, found by walking `webquarry.extractors`: each module with a value `extractor` declares
one.

A declaration that is invalid, or that conflicts with another, raises a `DeclarationError` that names its file.
"""

import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, get_args

from pydantic import BaseModel

from webquarry.core.errors import ANSWERED, InvalidParams
from webquarry.core.settings import Settings
from webquarry.endpoints.declare import DeclarationError, Extractor, name_of
from webquarry.endpoints.params import FORMAT, parse

API_PREFIX = "/api/v1"


class Group(NamedTuple):
    """A group of endpoints.

    `title` is for people, `about` is a sentence, `roots` are the first segments of their paths.
    """

    title: str
    about: str
    roots: tuple[str, ...]


GROUPS: Mapping[str, Group] = {
    "web": Group("Pages and files", "Convert pages and files to markdown for language models.", ("markdown",)),
    "search": Group("Search", "Web search results and AI overviews.", ("search",)),
    "maps": Group("Maps", "Search for places, and get the details of a place.", ("maps",)),
    "trends": Group(
        "Trends", "Search interest over time and by region, related queries, and trending searches.", ("trends",)
    ),
    "domain_intel": Group(
        "Domains, traffic and SEO",
        "Registration, agent files, traffic and SEO metrics of a domain.",
        ("domain", "agent-ready", "traffic", "seo"),
    ),
    "extension_store": Group("Extension store", "Listings and reviews of browser extensions.", ("extension-store",)),
    "storefront": Group("Online shops", "Public product catalogs of online shops.", ("storefront",)),
    "ads": Group("Ads", "Ads and advertisers from public ad libraries.", ("ads",)),
    "brand": Group("Brands", "Logo and dossier of a brand, by its domain.", ("brand",)),
    "social": Group("Social profiles and posts", "Public profiles and posts on social platforms.", ("social",)),
    "shortvideo_shop": Group(
        "Short-video shop", "Products, sellers and categories of a short-video shop.", ("shortvideo",)
    ),
    "videoplatform": Group(
        "Video platform", "Videos, channels, transcripts and search on a video platform.", ("videoplatform",)
    ),
}
JOB = "_job"
_PATH = re.compile(r"(/[a-z0-9]+(-[a-z0-9]+)*)+")


@dataclass(frozen=True)
class Registry:
    """Endpoints in the order of their paths, without conflicting names.

    `files` says where each is declared, for errors; defaults to its name.
    """

    extractors: tuple[Extractor, ...]
    files: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        files = self.files or tuple(e.name for e in self.extractors)
        claimed: dict[str, tuple[object, str]] = {}
        for file, e in zip(files, self.extractors, strict=True):
            for what, meant in _claims(e):
                first, holder = claimed.setdefault(what, (meant, file))
                if first != meant:
                    raise DeclarationError(f"{file}: {what} is declared twice: something else is it in {holder}.")

    def __iter__(self) -> Iterator[Extractor]:
        return iter(self.extractors)

    def __len__(self) -> int:
        return len(self.extractors)

    @cached_property
    def by_name(self) -> Mapping[str, Extractor]:
        return {e.name: e for e in self.extractors}

    @cached_property
    def by_path(self) -> Mapping[str, Extractor]:
        """Endpoints by full path, `/api/v1/…`."""
        return {API_PREFIX + e.path: e for e in self.extractors}

    @cached_property
    def groups(self) -> Mapping[str, tuple[Extractor, ...]]:
        names = dict.fromkeys(e.group for e in self.extractors)
        return {name: tuple(e for e in self.extractors if e.group == name) for name in names}


@cache
def load() -> Registry:
    """Return the registry of the service's modules, collected once per process."""
    return collect("webquarry.extractors")


def collect(package: str) -> Registry:
    """Import every module below the package and collect its declarations.

    Modules that only child processes need (`…_job`) are skipped, because they import the converters. Raises
    DeclarationError, naming the file, for an invalid declaration.
    """
    root = importlib.import_module(package)
    folder = Path(root.__path__[0])
    _refuse_unreached(folder)
    found = []
    for info in pkgutil.walk_packages(root.__path__, f"{package}."):
        if info.name.endswith(JOB):
            continue
        file = f"{folder.name}/{info.name.removeprefix(f'{package}.').replace('.', '/')}"
        file += "/__init__.py" if info.ispkg else ".py"
        try:
            declared = getattr(importlib.import_module(info.name), "extractor", None)
        except DeclarationError as exc:
            raise DeclarationError(f"{file}: {exc}.") from exc
        if isinstance(declared, Extractor):
            for fault in _faults(declared):
                raise DeclarationError(f"{file}: {fault}.")
            found.append((declared, file))
        elif declared is not None and not isinstance(declared, ModuleType):
            raise DeclarationError(f"{file}: its value extractor is no Extractor.")
    found.sort(key=lambda each: each[0].path)
    return Registry(tuple(e for e, _ in found), tuple(file for _, file in found))


def schema_name(extractor: Extractor, name: str) -> str:
    """Return the public name of a schema: `<Endpoint><Name>`."""
    return "".join(word.capitalize() for word in extractor.name.split("_")) + name


def _refuse_unreached(root: Path) -> None:
    folders = {folder for file in root.rglob("*.py") for folder in file.relative_to(root.parent).parents[:-1]}
    for folder in sorted(folders):
        if not (root.parent / folder / "__init__.py").exists():
            raise DeclarationError(f"{(folder / '__init__.py').as_posix()} is missing: nothing in its folder is found.")


def _faults(e: Extractor) -> Iterator[str]:
    """Yield the errors in a declaration that do not depend on others."""
    for code in e.ends.keys() - {error.code for error in ANSWERED}:
        yield f"it ends in {code}, which is the code of no error"
    if e.group not in GROUPS:
        yield f"no group is called {e.group}; they stand in {__name__}.GROUPS"
    elif not _PATH.fullmatch(e.path):
        yield f"the path {e.path} is not words of a-z, 0-9 and -, each behind a slash"
    elif e.path.split("/")[1] not in GROUPS[e.group].roots:
        roots = " or ".join(f"/{root}" for root in GROUPS[e.group].roots)
        yield f"the path {e.path} does not begin with {roots}, as those of the group {e.group} do"
    for provider in e.all_providers:
        for name in (*provider.needs, *provider.uses):
            if name not in Settings.model_fields:
                yield f"the source {provider.name} needs {name}, which is no setting"
    for source in (source for source in e.sources if source.fetch):
        try:
            name_of(source.read)
        except (ValueError, AttributeError):
            yield f"the reader of {source.provider.name} is no function of a module, and no child process finds it"
    taken = {FORMAT.name, "file"} if e.upload else {FORMAT.name}
    for name in sorted(taken & e.fields.keys()):
        yield f"a parameter cannot be called {name}: all calls of this kind have one"
    try:
        parse(e.params, tuple(e.example.items()))
    except InvalidParams as exc:
        yield f"its example is refused: {exc.message.rstrip('.')}"


def _claims(e: Extractor) -> Iterator[tuple[str, object]]:
    """Yield the names that an endpoint uses, with their meanings."""
    yield f"the name {e.name}", object()
    yield f"the tool {e.tool_name}", object()
    yield f"the path {e.path}", object()
    for provider in e.all_providers:
        yield f"the source {provider.name}", provider
    yield f"the schema {schema_name(e, 'Answer')}", e.name
    for shown in {shown for result in e.results.values() for shown in _classes(result, set())}:
        yield f"the schema {schema_name(e, shown.__name__)}", (e.name, shown)


def _classes(shown: Any, seen: set[Any]) -> set[type[BaseModel]]:
    """Return the classes of a result: itself, and those of its fields at any depth."""
    for part in get_args(shown):
        _classes(part, seen)
    if isinstance(shown, type) and issubclass(shown, BaseModel) and shown not in seen:
        seen.add(shown)
        for info in shown.model_fields.values():
            _classes(info.annotation, seen)
    return seen
