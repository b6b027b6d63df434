"""Declarations of endpoints.

An `Extractor` declares an endpoint's parameters, result and price, and how long its result is cached. Routes,
validation, OpenAPI, tools, CLI, price list and documents are generated from it; the pipeline runs it.
"""

import inspect
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from datetime import timedelta
from functools import cache
from importlib.metadata import entry_points
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from webquarry.core.types import MAX_DEADLINE_S, File, Provider, Wire
from webquarry.endpoints.context import Context
from webquarry.endpoints.models import Params, Result, exactly_one, field, param

if TYPE_CHECKING:
    from webquarry.net import Net

__all__ = [
    "DEFAULT_DEADLINE_S",
    "FORMATS",
    "PAGE_DEADLINE_S",
    "Artifacts",
    "DeclarationError",
    "Extractor",
    "Format",
    "Group",
    "Params",
    "Part",
    "Result",
    "Source",
    "Upload",
    "days",
    "exactly_one",
    "field",
    "hours",
    "minutes",
    "name_of",
    "param",
    "seconds",
]
FORMATS = ("json", "markdown", "both")
Format = Literal["json", "markdown", "both"]
DEFAULT_DEADLINE_S = 30.0
PAGE_DEADLINE_S = 60.0


class DeclarationError(ValueError):
    """A declaration is invalid. The message names the declaration and the rule."""


def _take(function: Callable[..., Any] | None, who: str, call: str) -> None:
    """Raise DeclarationError unless the function accepts the arguments of `call`, such as `read(wire, params)`."""
    if function is None:
        return
    try:
        inspect.signature(function).bind(*call.partition("(")[2].split(","))
    except TypeError as exc:
        raise DeclarationError(f"{who}: it must accept the call {call}") from exc


def name_of(thing: Callable[..., Any]) -> str:
    """Return `module:name` of a function or class.

    Raises ValueError if another process could not import it by that name.
    """
    name = f"{thing.__module__}:{thing.__qualname__}"
    if "<" in name or resolve_name(name) is not thing:
        raise ValueError(f"{name}: a reader must be a function in a module")
    return name


def seconds(n: int) -> timedelta:
    return timedelta(seconds=n)


def minutes(n: int) -> timedelta:
    return timedelta(minutes=n)


def hours(n: int) -> timedelta:
    return timedelta(hours=n)


def days(n: int) -> timedelta:
    return timedelta(days=n)


@dataclass(frozen=True, slots=True)
class Artifacts:
    """A result finished in the child process that read it: `data` as JSON and the markdown, both in UTF-8.

    The service does not decode them, because they may be megabytes in size. `page_starts` are the offsets in the
    markdown at which the pages of a document begin, in characters.
    """

    data: bytes
    markdown: bytes
    page_starts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """A source of an endpoint: its provider, and how its response is fetched and read.

    `fetch(params, net)` returns a Wire, and `read(wire, params)` a Result. If a result needs several wires, declare
    `ask(params, net)` instead of `fetch`: it reads each wire with `net.read` and returns (Result, Wire). All these
    functions raise `Absent`, `EmptyResult` or `ProviderError`. `skips(params)` returns a sentence that explains why
    this source cannot serve the parameters, or None if it can.
    """

    provider: Provider
    fetch: Callable[[Any, "Net"], Awaitable[Wire]] | None
    read: Callable[[Wire, Any], Result]
    ask: Callable[[Any, "Net"], Awaitable[tuple[Result, Wire]]] | None = None
    skips: Callable[[Any], str | None] | None = None

    def __post_init__(self) -> None:
        if (self.fetch is None) == (self.ask is None):
            raise DeclarationError(f"{self.provider.name}: declare either fetch or ask")
        _take(self.fetch, self.provider.name, "fetch(params, net)")
        _take(self.ask, self.provider.name, "ask(params, net)")
        _take(self.read, self.provider.name, "read(wire, params)")

    def why_skipped(self, params: Params) -> str | None:
        return None if self.skips is None else self.skips(params)

    async def answer(
        self, params: Params, net: "Net", read: Callable[..., Awaitable[Any]] | None = None
    ) -> tuple[Result | Artifacts, Wire]:
        """Return the source's result and the wire to store.

        `read(reader, wire, params)` replaces `net.read` if the result comes from a single wire.
        """
        if self.ask is not None:
            return await self.ask(params, net)
        if self.fetch is None:
            raise TypeError(f"{self.provider.name} declares neither fetch nor ask")
        wire = await self.fetch(params, net)
        return await (read or net.read)(self.read, wire, params), wire


@dataclass(frozen=True, slots=True)
class Group:
    """A group of endpoints in the documentation. A package declares the group as `GROUP` and gives it the package's
    name.

    title: the group's title for people. about: a sentence about the group. roots: the first segments that the paths of
    its endpoints may have. place: position in the list of groups, from 1.
    """

    title: str
    about: str
    roots: tuple[str, ...]
    place: int


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a dossier: a request to another endpoint."""

    name: str
    endpoint: str
    params: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Further:
    """Parts of a dossier that are derived from the results of its other parts, such as the pages that a search found.

    `endpoint` is the name of the endpoint that all these parts request. `most(params)` is their maximum number.
    `find(params, data)` returns them, given the `data` of the other parts by name.
    """

    endpoint: str
    most: Callable[[Any], int]
    find: Callable[[Any, Mapping[str, Any]], tuple[Part, ...]]


@dataclass(frozen=True, slots=True)
class Upload:
    """The file that an endpoint takes, as the part `file` of a multipart POST.

    `check` is the function (`package.module:name`) that validates it before credits are charged. It is called in a
    child process with the file's bytes and `name`, and raises UnsupportedType or ConversionFailed. A file larger than
    `max_bytes` raises FileTooLarge. `example` is a small file for the documentation. `formats` is the entry point group
    with which other distributions add file types; each entry point is named after its type.
    """

    description: str
    max_bytes: int
    check: str
    example: File
    formats: str = ""

    def __post_init__(self) -> None:
        if len(self.example.body) > self.max_bytes:
            raise DeclarationError(f"the example {self.example.name} is larger than {self.max_bytes:,} bytes")

    def describe(self) -> str:
        """Return the description, including the file types that other distributions declare in their metadata.

        The code of these distributions runs only in the child processes that convert.
        """
        added = _list_added(self.formats) if self.formats else ()
        return f"{self.description} Formats added here: {', '.join(added)}." if added else self.description


@cache
def _list_added(group: str) -> tuple[str, ...]:
    return tuple(sorted(entry_points(group=group).names))


@dataclass(frozen=True, slots=True)
class Extractor:
    """Declaration of an endpoint.

    - `path`: below /api/v1.
    - `version`: the reader's; raise it when the result for the same wire changes. Results of older versions are not
      served.
    - `credits`: price of an uncached result; with `parts`, the price of the default parts, for display.
    - `fresh`: how long a stored result is served to others for free; None means never.
    - `ages(params)`: how long a result for these parameters is served, if less than `fresh`.
    - `sources`: the provider chain, best first; or `run` if fetch and read do not fit (with `read` if the result comes
      from one wire, so that a recorded wire can be read separately).
    - `parts`: for a dossier, the requests that its parameters need; those that run and succeed are charged.
    - `further`: for a dossier, parts that are known once the others have results.
    - `variants`: other declarations of this endpoint, by the value of the parameter `with` that chooses them.
    - `identity`: the values that distinguish results, if not all parameters do (the registrable domain for any host).
    - `also`: other types of `data`, by condition ("of a URL that serves a document").
    - `upload`: the file that it takes; the request is then a POST, and its result is only served to its owner.
    - `tool`: name in the list of tools; defaults to `name`.
    - `ends`: by code, a sentence on when a run ends with this error: "No such page."
    - `example`: parameters for which the sandbox has a response.
    """

    name: str
    path: str
    version: int
    group: str
    title: str
    description: str
    params: type[Params]
    result: type[Result]
    credits: int
    fresh: timedelta | None
    render: Callable[[Any], str]
    example: Mapping[str, str]
    sources: tuple[Source, ...] = ()
    run: Callable[[Any, Context], Awaitable[Result | Artifacts]] | None = None
    read: Callable[[Wire, Any], Result] | None = None
    providers: tuple[Provider, ...] = ()
    parts: Callable[[Any], tuple[Part, ...]] | None = None
    further: Further | None = None
    variants: Mapping[str, "Extractor"] = dataclass_field(default_factory=dict)
    identity: Callable[[Any], Mapping[str, str]] | None = None
    ages: Callable[[Any], timedelta] | None = None
    also: Mapping[str, type[Result]] = dataclass_field(default_factory=dict)
    upload: Upload | None = None
    ends: Mapping[str, str] = dataclass_field(default_factory=dict)
    deadline_s: float = DEFAULT_DEADLINE_S
    tool: str = ""

    def __post_init__(self) -> None:
        for is_so, rule in (
            (bool(self.sources) != (self.run is not None), "declare either sources or run"),
            (
                self.name == re.sub("[/-]", "_", self.path.strip("/")),
                "the name must be the path with / and - replaced by _",
            ),
            (0 < self.deadline_s <= MAX_DEADLINE_S, f"the deadline must be at most {MAX_DEADLINE_S:.0f} seconds"),
            (self.upload is None or self.fresh is None, "the result of an upload can't be cached"),
            (self.upload is None or self.run is not None, "an endpoint with an upload must declare run, not sources"),
            (self.further is None or self.parts is not None, "parts that depend on other parts need such parts"),
            (
                all(
                    (each.name, each.path, each.params, each.result) == (self.name, self.path, self.params, self.result)
                    for each in self.variants.values()
                ),
                "a variant must have its endpoint's name, path, parameters and result",
            ),
            (
                not self.also or self.discriminator is not None,
                "its results need a constant field that distinguishes them",
            ),
        ):
            if not is_so:
                raise DeclarationError(f"{self.name}: {rule}")
        _take(self.run, self.name, "run(params, ctx)")
        _take(self.read, self.name, "read(wire, params)")
        _take(self.render, self.name, "render(result)")

    @property
    def tool_name(self) -> str:
        return self.tool or self.name

    @property
    def method(self) -> Literal["GET", "POST"]:
        return "GET" if self.upload is None else "POST"

    def fresh_for(self, params: Params) -> timedelta | None:
        """Return how long a result for these parameters is served to others; None means never."""
        if self.fresh is None or self.ages is None:
            return self.fresh
        return min(self.fresh, self.ages(params))

    @property
    def results(self) -> Mapping[str, type[Result]]:
        """All types of `data` by condition; the usual type is first, under ""."""
        return {"": self.result, **self.also}

    @property
    def discriminator(self) -> tuple[str, tuple[str, ...]] | None:
        """The first field with a different constant in each result type, and these constants in order."""
        for name in self.result.model_fields:
            found = [_constant(result.model_fields.get(name)) for result in self.results.values()]
            constants = tuple(constant for constant in found if constant is not None)
            if len(set(constants)) == len(found):
                return name, constants
        return None

    @property
    def all_providers(self) -> tuple[Provider, ...]:
        return tuple(source.provider for source in self.sources) or self.providers

    @property
    def fields(self) -> Mapping[str, FieldInfo]:
        return self.params.model_fields


def _constant(info: FieldInfo | None) -> str | None:
    choices = get_args(info.annotation) if info is not None and get_origin(info.annotation) is Literal else ()
    return str(choices[0]) if len(choices) == 1 else None
