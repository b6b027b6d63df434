"""The words in which an endpoint is declared.

An `Extractor` says what an endpoint takes, gives, costs and how long its answer is fresh. Routes, validation,
OpenAPI, tools, CLI, price list and documents are read from it; the pipeline runs it. See STYLE section 3.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from datetime import timedelta
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field
from pydantic.fields import FieldInfo

from webquarry.clock import Clock
from webquarry.settings import Settings
from webquarry.types import MAX_DEADLINE_S, Deadline, File, Provider, Subject, Wire

if TYPE_CHECKING:
    from webquarry.net import Net

FORMATS = ("json", "markdown", "both")
Format = Literal["json", "markdown", "both"]
DEFAULT_DEADLINE_S = 30.0
PAGE_DEADLINE_S = 60.0


def seconds(n: int) -> timedelta:
    return timedelta(seconds=n)


def minutes(n: int) -> timedelta:
    return timedelta(minutes=n)


def hours(n: int) -> timedelta:
    return timedelta(hours=n)


def days(n: int) -> timedelta:
    return timedelta(days=n)


class Params(BaseModel):
    """What an endpoint takes. Text in, typed values out; `params.parse` checks and explains.

    one_of: groups of parameters of which exactly one is to be given.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)
    one_of: ClassVar[tuple[tuple[str, ...], ...]] = ()


def exactly_one(*names: str) -> tuple[tuple[str, ...], ...]:
    """`one_of = exactly_one("id", "url")`: one of these is to be given, and only one."""
    return (names,)


def param(
    description: str,
    *,
    default: Any = ...,
    example: str | None = None,
    empty: str | None = None,
    min_value: int | None = None,
    max_value: int | None = None,
    max_length: int | None = None,
    pattern: str | None = None,
    rule: str | None = None,
) -> Any:
    """One parameter.

    empty: what an empty value means (without it an empty value is refused).
    rule: the sentence a caller reads when `pattern` does not match ("must be 32 letters from a to p").
    """
    extra = {"empty": empty, "rule": rule}
    return Field(
        default,
        description=description,
        examples=None if example is None else [example],
        ge=min_value,
        le=max_value,
        max_length=max_length,
        pattern=pattern,
        json_schema_extra={f"x-{name}": value for name, value in extra.items() if value is not None} or None,
    )


class Result(BaseModel):
    """What an endpoint gives as `data`. A field that may not be None is one without which the answer is worthless."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


def field(
    description: str,
    *,
    wire: str | None = None,
    unit: str | None = None,
    default: Any = ...,
    default_factory: Any = None,
) -> Any:
    """One result field: its meaning, its unit where the type does not carry it, and its path in the wire."""
    extra = {"x-wire": wire, "x-unit": unit}
    shown: dict[str, Any] = {name: value for name, value in extra.items() if value is not None}
    if default_factory is not None:
        return Field(default_factory=default_factory, description=description, json_schema_extra=shown or None)
    return Field(default, description=description, json_schema_extra=shown or None)


@dataclass(frozen=True, slots=True)
class Artifacts:
    """An answer that is finished where its bytes were read: `data` as JSON, and the markdown, both in UTF-8. Nobody
    behind looks into them: a text of megabytes would have to be decoded for it."""

    data: bytes
    markdown: bytes


@dataclass(frozen=True, slots=True)
class Source:
    """One link of a provider chain: who is asked, how it is fetched, how its wire is read.

    fetch(params, net) -> Wire; read(wire) -> Result, or read(wire, params) where the question matters to the reading
    (`reads_params`). ask(params, net) -> (Result, Wire): in place of `fetch` where an answer takes several wires; it
    reads each by `net.read`, with `read`. All raise `Absent`, `EmptyResult` or `ProviderError`.
    skips(params): a sentence on what this source cannot serve, which is then not asked; None where it can.
    """

    provider: Provider
    fetch: Callable[[Any, "Net"], Awaitable[Wire]] | None
    read: Callable[..., Result]
    reads_params: bool = False
    ask: Callable[[Any, "Net"], Awaitable[tuple[Result, Wire]]] | None = None
    skips: Callable[[Any], str | None] | None = None

    def __post_init__(self) -> None:
        if (self.fetch is None) == (self.ask is None):
            raise ValueError(f"{self.provider.name}: declare either fetch or ask")

    def why_skipped(self, params: Params) -> str | None:
        return None if self.skips is None else self.skips(params)

    async def answer(self, params: Params, net: "Net") -> tuple[Result, Wire]:
        """What the source answers, and the wire to keep."""
        if self.ask is not None:
            return await self.ask(params, net)
        if self.fetch is None:
            raise TypeError(f"{self.provider.name} declares neither fetch nor ask")
        wire = await self.fetch(params, net)
        return await net.read(self.read, wire, *([params] if self.reads_params else ())), wire

    def read_wire(self, wire: Wire, params: Params) -> Result:
        return self.read(wire, params) if self.reads_params else self.read(wire)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a dossier: a call of another endpoint."""

    name: str
    endpoint: str
    params: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PartAnswer:
    """What a part gave: its data and markdown, or the error that ended it."""

    data: Mapping[str, Any] | None = None
    markdown: str | None = None
    error: str | None = None
    code: str | None = None

    @property
    def ok(self) -> bool:
        return self.error is None


@dataclass(frozen=True, slots=True)
class Upload:
    """The one file that an endpoint takes, as the part `file` of a multipart POST.

    check: the function (`package.module:name`) that judges it before any credit is held, called in a child with its
    bytes and `name`; raises UnsupportedType or ConversionFailed. max_bytes: beyond, FileTooLarge. example: a small file
    that the documents send.
    """

    description: str
    max_bytes: int
    check: str
    example: File


class Context(Protocol):
    """What the machinery gives to an extractor's own `run`."""

    @property
    def deadline(self) -> Deadline: ...

    @property
    def clock(self) -> Clock: ...

    @property
    def settings(self) -> Settings: ...

    @property
    def file(self) -> File:
        """The file of a call whose endpoint takes one."""
        ...

    def net(self, provider: Provider) -> "Net":
        """The door to the outside, with this provider's manners and breaker."""
        ...

    async def isolated(
        self,
        function: str,
        body: bytes,
        options: Mapping[str, Any],
        *,
        subject: Subject = "file",
        patient: bool = False,
    ) -> Any:
        """Run a function on foreign bytes in a child process without network, bounded in memory and time.

        function: `package.module:name`, called with the bytes and the options, which are JSON values; so is its answer,
        or a `Parcel`. subject: what the bytes are. patient: in a child that may take a minute, much memory, and start
        programs. ConversionFailed when they take too much.
        """
        ...

    async def part(self, name: str, /) -> PartAnswer:
        """Run (or take from the cache) one of the declared parts."""
        ...

    def hasten(self, fresh: timedelta) -> None:
        """Say that this answer is second best: it serves others no longer than this."""
        ...

    def keep_wire(self, wire: Wire) -> None:
        """Name the wire that this answer was read from, so that it is stored with the conversion."""
        ...


@dataclass(frozen=True, slots=True)
class Extractor:
    """One endpoint.

    path: below /api/v1. version: of the reader; raised when what is read changes; answers of older ones are left.
    credits: price of one fresh answer; with `parts`, the price of the default parts (what is shown).
    fresh: how long a stored answer serves others for free; None is never cached.
    ages(params): how long an answer to these parameters serves, where that may be less than `fresh`.
    sources: the provider chain, best first; or `run` where fetch and read do not fit (with `read` when its answer comes
    from one wire, so that a recorded one can be read alone).
    parts: for a dossier, the calls that its parameters ask for; charged are those that ran and succeeded.
    identity: what tells answers apart where that is less than all parameters (the registrable domain of any host).
    also: what `data` is instead, by when ("of an address that serves a document").
    upload: the file that it takes; such a call is a POST, and its answer serves its owner only.
    example: parameters that the sandbox answers.
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
    identity: Callable[[Any], Mapping[str, str]] | None = None
    ages: Callable[[Any], timedelta] | None = None
    also: Mapping[str, type[Result]] = dataclass_field(default_factory=dict)
    upload: Upload | None = None
    deadline_s: float = DEFAULT_DEADLINE_S

    def __post_init__(self) -> None:
        if bool(self.sources) == (self.run is not None):
            raise ValueError(f"{self.name}: declare either sources or run")
        if self.name != self.path.strip("/").replace("/", "_").replace("-", "_"):
            raise ValueError(f"{self.name}: the name is the path with / and - as _")
        if not 0 < self.deadline_s <= MAX_DEADLINE_S:
            raise ValueError(f"{self.name}: a deadline is at most 120 seconds")
        if self.upload is not None and self.fresh is not None:
            raise ValueError(f"{self.name}: what is made of an upload is never cached")

    @property
    def method(self) -> Literal["GET", "POST"]:
        return "GET" if self.upload is None else "POST"

    def fresh_for(self, params: Params) -> timedelta | None:
        """How long an answer to these parameters serves others; None when it never does."""
        if self.fresh is None or self.ages is None:
            return self.fresh
        return min(self.fresh, self.ages(params))

    @property
    def results(self) -> Mapping[str, type[Result]]:
        """All that `data` may be, by when; the usual one first, under ""."""
        return {"": self.result, **self.also}

    @property
    def all_providers(self) -> tuple[Provider, ...]:
        return tuple(source.provider for source in self.sources) or self.providers

    @property
    def fields(self) -> Mapping[str, FieldInfo]:
        return self.params.model_fields
