"""Creates a case: given wires are the responses to the endpoint's requests, and the exchanges become a tape."""

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from webquarry.app import INTERNAL, assemble
from webquarry.core.errors import InternalError, ServiceError
from webquarry.core.settings import PREFIX, Settings
from webquarry.core.types import File
from webquarry.core.urls import normalise_url
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.params import parse
from webquarry.endpoints.registry import load
from webquarry.net.player import Maker
from webquarry.net.tape import TAPE, TYPES, Exchange, Fault, write_exchange
from webquarry.net.transport import Request, Response
from webquarry.sandbox import cases, settings
from webquarry.sandbox.cases import KEPT, PLAYED, SHIPPED, Case, write_head

_NAME = re.compile(r"[a-z0-9][a-z0-9_]*")
_FAULTS: Mapping[str, Fault] = {"@down": Fault("down"), "@timeout": Fault("timeout")}
_EMPTY = "@empty"
_NONE = "@none"


@dataclass(frozen=True)
class Wires:
    """The responses in order of the requests. `urls` are their URLs; "" if not given."""

    names: tuple[str, ...]
    answers: tuple[Response | Fault | None, ...]
    urls: tuple[str, ...]

    @classmethod
    def given(
        cls,
        names: Sequence[str],
        statuses: Sequence[int],
        headers: Sequence[str],
        urls: Sequence[str],
        fetched_at: datetime,
    ) -> "Wires":
        """Parse the options of a case.

        `names` are files, @empty, @down, @timeout, or @none for a request without a tape. `statuses` and `urls` are for
        the last wire, or one for each; `headers` are for the last. Raises ValueError if they do not match.
        """
        each_status = _each("--status", statuses, len(names), 200)
        each_url = _each("--url", urls, len(names), "")
        if headers and not names:
            raise ValueError("--header needs a --wire.")
        answers = [
            _answer(name, status, headers if number == len(names) else (), fetched_at)
            for number, (name, status) in enumerate(zip(names, each_status, strict=True), 1)
        ]
        return cls(tuple(names), tuple(answers), tuple(normalise_url(url) if url else "" for url in each_url))


@dataclass(frozen=True)
class Making:
    """The contents of a new case. `provider` is the only source to use; by default every configured one."""

    extractor: Extractor
    name: str
    params: Mapping[str, str]
    file: Path | None
    provider: str | None
    settings: Mapping[str, str]
    wires: Wires
    note: str


async def make(making: Making) -> Case:
    """Write the case without an expectation. If that fails, raise ValueError with one sentence and write nothing."""
    _check_name(making)
    parse(making.extractor.params, tuple(making.params.items()))
    if (making.extractor.upload is None) != (making.file is None):
        raise ValueError(f"{making.extractor.name} takes {'no' if making.file else 'a'} --file.")
    asked, needed = _narrow(making)
    exchanges = await _play(making, asked, needed)
    _check_urls(making, exchanges)
    _check_others(exchanges)
    folder = _choose_folder(making)
    folder.mkdir(parents=True)
    upload = making.file
    if upload is not None:
        (folder / upload.name).write_bytes(upload.read_bytes())
    head = write_head(making.note or "", making.params, needed, None if upload is None else upload.name)
    (folder / TAPE).write_text(head, "utf-8")
    for number, exchange in enumerate(exchanges, 1):
        write_exchange(folder, number, exchange)
    return Case(folder)


def _choose_folder(making: Making) -> Path:
    """Return where the case is written: in the package for the first case of the endpoint's example, which ships, and
    in the repository for every other case."""
    example = making.extractor.example
    is_example = making.extractor.upload is None and making.params == example
    is_first = not any(case.ships and case.params == example for case in cases(making.extractor.name))
    return (SHIPPED if is_example and is_first else KEPT) / making.extractor.name / making.name


def _check_name(making: Making) -> None:
    if not KEPT.parent.is_dir():
        raise ValueError("Cases are made in a checkout of the repository, and this is an installed package.")
    if _NAME.fullmatch(making.name) is None:
        raise ValueError(f"A case is named by small letters, digits and _, and not {making.name}.")
    for known in cases(making.extractor.name):
        if known.folder.name == making.name:
            raise ValueError(f"There is a case {known.name} already, in {known.folder}.")


def _narrow(making: Making) -> tuple[Extractor, dict[str, Any]]:
    """Return the extractor with only the chosen source, and the settings for it."""
    needed: dict[str, Any] = dict(making.settings)
    extractor, wanted = making.extractor, making.provider
    if wanted is None:
        return extractor, needed
    chosen = [provider for provider in extractor.all_providers if provider.name == wanted]
    if not chosen:
        names = ", ".join(provider.name for provider in extractor.all_providers) or "none"
        raise ValueError(f"{extractor.name} has no provider {wanted}; it has {names}.")
    known = settings()
    for name in chosen[0].needs:
        needed.setdefault(name, known.get(name, "made"))
    sources = tuple(source for source in extractor.sources if source.provider.name == wanted)
    return replace(extractor, sources=sources) if sources else extractor, needed


async def _play(making: Making, extractor: Extractor, needed: Mapping[str, Any]) -> tuple[Exchange, ...]:
    """Return the exchanges for these parameters, with the wires as responses."""
    maker = Maker(making.wires.answers)
    registry = replace(load(), extractors=tuple(extractor if one.name == extractor.name else one for one in load()))
    upload = None if making.file is None else File(making.file.name, making.file.read_bytes())
    with tempfile.TemporaryDirectory() as folder:
        known = {**PLAYED, **needed}
        environment = {f"{PREFIX}{name.upper()}": str(value) for name, value in known.items()}
        chosen = Settings.from_environment(environment, data_dir=Path(folder))
        async with assemble(chosen, transport=maker, registry=registry) as service:
            call = service.pipeline.prepare(extractor, tuple(making.params.items()), upload)
            error: ServiceError | None = None
            try:
                await service.pipeline.answer(INTERNAL, call, request_id="tape")
            except InternalError as fault:
                raise ValueError(f"{extractor.name}: the code fails; the log says where.") from fault
            except ServiceError as exc:
                error = exc
    if maker.wanted:
        given, wanted = len(making.wires.names), _describe_request(maker.wanted[0])
        raise ValueError(
            f"It asks for more than the {given} wires given; the next (@none to leave it out) is {wanted}."
        )
    if maker.left:
        left = ", ".join(making.wires.names[-maker.left :])
        why = f", and it ends with: {error.message}" if error else "."
        raise ValueError(f"It does not ask for {left}: {_describe_requests(maker.exchanges)}{why}")
    return maker.exchanges


def _check_urls(making: Making, exchanges: Sequence[Exchange]) -> None:
    taped = [(name, url) for name, url in zip(making.wires.names, making.wires.urls, strict=True) if name != _NONE]
    for (name, url), exchange in zip(taped, exchanges, strict=True):
        if url and url != exchange.request.url:
            raise ValueError(f"{name} came from {url}, but what is asked is {_describe_request(exchange.request)}.")


def _check_others(exchanges: Sequence[Exchange]) -> None:
    """Check that requests have the same response in all tapes, because the sandbox loads all of them."""
    for mine in exchanges:
        for case, other in _elsewhere(mine.request):
            if _content(other) != _content(mine):
                raise ValueError(
                    f"{_describe_request(mine.request)} stands in {case.name} with another answer: an address stands "
                    "in one case only. Ask for another; the sandbox's world is example.com and what belongs to it."
                )


def _elsewhere(request: Request) -> Iterator[tuple[Case, Exchange]]:
    for case in cases():
        for exchange in case.exchanges:
            theirs = exchange.request
            if (theirs.method, theirs.url, theirs.body) == (request.method, request.url, request.body):
                yield case, exchange


def _content(exchange: Exchange) -> object:
    response = exchange.response
    return response if isinstance(response, Fault) else (response.status, response.body)


def _describe_request(request: Request) -> str:
    body = "" if request.body is None else f" with {request.body.decode('utf-8', 'replace')}"
    return f"{request.method} {request.url}{body}"


def _describe_requests(exchanges: Sequence[Exchange]) -> str:
    return (
        f"it asks only {', '.join(_describe_request(one.request) for one in exchanges)}"
        if exchanges
        else "it asks nothing"
    )


def _each(option: str, given: Sequence[Any], number: int, default: Any) -> list[Any]:
    if len(given) == number:
        return list(given)
    if len(given) > min(1, number):
        raise ValueError(f"{option} is given {len(given)} times, for {number} wires.")
    return [default] * (number - len(given)) + list(given)


def _answer(name: str, status: int, headers: Sequence[str], fetched_at: datetime) -> Response | Fault | None:
    if name == _NONE:
        return None
    if name in _FAULTS:
        return _FAULTS[name]
    if not 100 <= status <= 599:
        raise ValueError(f"--status is a status of HTTP, and not {status}.")
    fields: dict[str, str] = {}
    body = b""
    if name != _EMPTY:
        path = Path(name)
        try:
            body = path.read_bytes()
        except OSError as exc:
            raise ValueError(f"--wire: {name} cannot be read: {exc.strerror}.") from exc
        with suppress(KeyError):
            fields["content-type"] = TYPES[path.suffix.lower()]
    for header in headers:
        field, mark, value = header.partition(":")
        if not mark or not field.strip():
            raise ValueError(f"--header takes NAME:VALUE, and got {header}.")
        fields[field.strip().lower()] = value.strip()
    if body and "content-type" not in fields:
        raise ValueError(f"{name}: its ending tells no type; name it as one of {', '.join(TYPES)}, or give a header.")
    cookies = (fields["set-cookie"],) if "set-cookie" in fields else ()
    return Response(status, fields, body, fetched_at, len(body), cookies=cookies)
