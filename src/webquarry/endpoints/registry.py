"""Registry of all endpoints.

Endpoints are found by walking `webquarry.extractors`: each module with a value `extractor` declares an endpoint.

A package with a value `GROUP` is a group, which contains the endpoints in the package.

A declaration that is invalid, or that conflicts with another, raises a `DeclarationError` that names its file.
"""

import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

from pydantic import BaseModel

from webquarry.core.errors import ANSWERED, InvalidParams
from webquarry.core.settings import Settings
from webquarry.endpoints.declare import DeclarationError, Extractor, Group, name_of
from webquarry.endpoints.params import FORMAT, parse
from webquarry.endpoints.portion import NAMES

API_PREFIX = "/api/v1"


JOB = "_job"
_PATH = re.compile(r"(/[a-z0-9]+(-[a-z0-9]+)*)+")


@dataclass(frozen=True)
class Registry:
    """Endpoints in the order of their paths, without conflicting names.

    files: where each endpoint is declared, for errors; defaults to the endpoint's name. about: the groups by name, in
    the order in which documents list them.
    """

    extractors: tuple[Extractor, ...]
    files: tuple[str, ...] = ()
    about: Mapping[str, Group] = field(default_factory=dict)

    def __post_init__(self) -> None:
        files = self.files or tuple(e.name for e in self.extractors)
        claimed: dict[str, tuple[object, str]] = {}
        for file, e in zip(files, self.extractors, strict=True):
            for what, meant in _claims(e):
                first, holder = claimed.setdefault(what, (meant, file))
                if first != meant:
                    raise DeclarationError(f"{file}: {what} is already declared in {holder}.")

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
        """The endpoints of each group, in the order of `about`."""
        names = dict.fromkeys((*self.about, *(e.group for e in self.extractors)))
        members = {name: tuple(e for e in self.extractors if e.group == name) for name in names}
        return {name: found for name, found in members.items() if found}

    def describe_group(self, name: str) -> Group:
        """Return the group with this name. An undeclared group has its name as its title."""
        return self.about.get(name) or Group(title=name, about="", roots=(), place=0)


@cache
def load() -> Registry:
    """Return the registry of the service's modules, collected once per process."""
    return collect("webquarry.extractors")


def _name_file(folder: Path, info: pkgutil.ModuleInfo, package: str) -> str:
    file = f"{folder.name}/{info.name.removeprefix(f'{package}.').replace('.', '/')}"
    return file + ("/__init__.py" if info.ispkg else ".py")


def _read_declared(module: ModuleType, file: str) -> Extractor | None:
    """Return the endpoint that a module declares, if it declares one.

    Raises DeclarationError if `extractor` is anything else.
    """
    declared = getattr(module, "extractor", None)
    if declared is None or isinstance(declared, ModuleType):
        return None
    if not isinstance(declared, Extractor):
        raise DeclarationError(f"{file}: the value extractor must be an Extractor.")
    return declared


def collect(package: str) -> Registry:
    """Import every module below the package and collect its declarations.

    Modules that only child processes need (`…_job`) are skipped, because they import the converters. Raises
    DeclarationError, naming the file, for an invalid declaration.
    """
    root = importlib.import_module(package)
    folder = Path(root.__path__[0])
    _refuse_unreached(folder)
    found: list[tuple[Extractor, str]] = []
    about: dict[str, Group] = {}
    for info in pkgutil.walk_packages(root.__path__, f"{package}."):
        if info.name.endswith(JOB):
            continue
        file = _name_file(folder, info, package)
        try:
            module = importlib.import_module(info.name)
        except DeclarationError as exc:
            raise DeclarationError(f"{file}: {exc}.") from exc
        family = info.name.removeprefix(f"{package}.").partition(".")[0]
        if isinstance(group := getattr(module, "GROUP", None), Group) and info.name == f"{package}.{family}":
            about[family] = group
        if (declared := _read_declared(module, file)) is not None:
            for fault in _faults(declared, family, about.get(family)):
                raise DeclarationError(f"{file}: {fault}.")
            found.append((declared, file))
    found.sort(key=lambda each: each[0].path)
    ordered = dict(sorted(about.items(), key=lambda each: each[1].place))
    return Registry(tuple(e for e, _ in found), tuple(file for _, file in found), ordered)


def schema_name(extractor: Extractor, name: str) -> str:
    """Return a schema's public name, `<Endpoint><Name>`."""
    return "".join(word.capitalize() for word in extractor.name.split("_")) + name


def _refuse_unreached(root: Path) -> None:
    folders = {folder for file in root.rglob("*.py") for folder in file.relative_to(root.parent).parents[:-1]}
    for folder in sorted(folders):
        if not (root.parent / folder / "__init__.py").exists():
            raise DeclarationError(
                f"{(folder / '__init__.py').as_posix()} is missing, so the modules in its folder are not found."
            )


def _faults(e: Extractor, family: str, group: Group | None) -> Iterator[str]:
    """Yield the faults of a declaration that do not depend on other declarations. group: the group of its package."""
    for code in e.ends.keys() - {error.code for error in ANSWERED}:
        yield f"the error code {code} in ends is unknown"
    yield from _faults_of_path(e, family, group)
    yield from _faults_of_sources(e)
    taken = {FORMAT.name, "file", *NAMES} if e.upload else {FORMAT.name, *NAMES}
    for name in sorted(taken & e.fields.keys()):
        yield f"the parameter name {name} is reserved"
    try:
        parse(e.params, tuple(e.example.items()))
    except InvalidParams as exc:
        yield f"its example is invalid: {exc.message.rstrip('.')}"


def _faults_of_path(e: Extractor, family: str, group: Group | None) -> Iterator[str]:
    if group is None:
        yield f"its family {family} declares no GROUP in {family}/__init__.py"
    elif e.group != family:
        yield f"its group is {e.group}, but its family is {family}"
    elif not _PATH.fullmatch(e.path):
        yield f"the path {e.path} must consist of segments of a-z, 0-9 and -, each after a slash"
    elif e.path.split("/")[1] not in group.roots:
        roots = " or ".join(f"/{root}" for root in group.roots)
        yield f"the path {e.path} must start with {roots} in the group {e.group}"


def _faults_of_sources(e: Extractor) -> Iterator[str]:
    for provider in e.all_providers:
        for name in (*provider.needs, *provider.uses):
            if name not in Settings.model_fields:
                yield f"the provider {provider.name} needs the unknown setting {name}"
    for source in (source for source in e.sources if source.fetch):
        try:
            name_of(source.read)
        except (ValueError, AttributeError):
            yield (
                f"the reader of {source.provider.name} must be a function of a module, so that child processes can "
                "import it"
            )


def _claims(e: Extractor) -> Iterator[tuple[str, object]]:
    """Yield the names that an endpoint uses, each with its meaning."""
    yield f"the name {e.name}", object()
    yield f"the tool {e.tool_name}", object()
    yield f"the path {e.path}", object()
    for provider in e.all_providers:
        yield f"the source {provider.name}", provider
    yield f"the schema {schema_name(e, 'Answer')}", e.name
    for shown in {shown for result in e.results.values() for shown in _classes(result, set())}:
        yield f"the schema {schema_name(e, shown.__name__)}", (e.name, shown)


def _classes(shown: Any, seen: set[Any]) -> set[type[BaseModel]]:
    """Return the result's class and the classes of its fields, at any depth."""
    for part in get_args(shown):
        _classes(part, seen)
    if isinstance(shown, type) and issubclass(shown, BaseModel) and shown not in seen:
        seen.add(shown)
        for info in shown.model_fields.values():
            _classes(info.annotation, seen)
    return seen
