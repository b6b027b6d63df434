"""Creation of a case: the given responses answer the endpoint's requests, and the exchanges become a tape."""

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from webquarry.core.errors import InternalError, ServiceError
from webquarry.core.settings import PREFIX, Settings
from webquarry.core.types import File
from webquarry.core.urls import normalise_url
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.params import parse
from webquarry.endpoints.registry import load
from webquarry.engine import INTERNAL, open_engine
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
    """The responses, in the order of the requests. `urls` lists the responses' URLs; a URL that was not given is ""."""

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

        `names` are file names, or @empty, @down or @timeout, or @none for a request without a tape. `statuses` and
        `urls` have one value for each response, or a single value for the last response; `headers` belong to the last
        response. Raises ValueError if the counts do not match.
        """
        each_status = _each("--status", statuses, len(names), 200)
        each_url = _each("--url", urls, len(names), "")
        if headers and not names:
            raise ValueError("--header requires --wire.")
        answers = [
            _answer(name, status, headers if number == len(names) else (), fetched_at)
            for number, (name, status) in enumerate(zip(names, each_status, strict=True), 1)
        ]
        return cls(tuple(names), tuple(answers), tuple(normalise_url(url) if url else "" for url in each_url))


@dataclass(frozen=True)
class Making:
    """The contents of a new case. `provider` is the only source to use; by default, all configured sources are used."""

    extractor: Extractor
    name: str
    params: Mapping[str, str]
    file: Path | None
    provider: str | None
    settings: Mapping[str, str]
    wires: Wires
    note: str


async def make(making: Making) -> tuple[Case, ServiceError | None]:
    """Write the case without an expectation. Return it, and the error that is its result, if it has one.

    On failure, raises ValueError with one sentence and writes nothing.
    """
    _check_name(making)
    parse(making.extractor.params, tuple(making.params.items()))
    if (making.extractor.upload is None) != (making.file is None):
        raise ValueError(f"{making.extractor.name} takes {'no' if making.file else 'a'} --file.")
    asked, needed = _narrow(making)
    exchanges, error = await _play(making, asked, needed)
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
    return Case(folder), error


def describe_error(error: ServiceError) -> str:
    """Return the text to print about a case whose result is an error: the message, code and reason."""
    reason = f", reason {error.reason}" if error.reason else ""
    return f"The result is an error: {error.message} (code {error.code}{reason})"


def _choose_folder(making: Making) -> Path:
    """Return the folder for the case.

    The first case of the endpoint's example is written to the package, which is shipped; all others are written to the
    repository.
    """
    example = making.extractor.example
    is_example = making.extractor.upload is None and making.params == example
    is_first = not any(case.ships and case.params == example for case in cases(making.extractor.name))
    return (SHIPPED if is_example and is_first else KEPT) / making.extractor.name / making.name


def _check_name(making: Making) -> None:
    if not KEPT.parent.is_dir():
        raise ValueError("Tapes can only be created in a checkout of the repository, not in an installed package.")
    if _NAME.fullmatch(making.name) is None:
        raise ValueError(f"{making.name} is not a valid name. Use lowercase letters, digits and _.")
    for known in cases(making.extractor.name):
        if known.folder.name == making.name:
            raise ValueError(f"The tape {known.name} already exists in {known.folder}.")


def _narrow(making: Making) -> tuple[Extractor, dict[str, Any]]:
    """Return the extractor with only the chosen source, and the settings for it."""
    needed: dict[str, Any] = dict(making.settings)
    extractor, wanted = making.extractor, making.provider
    if wanted is None:
        return extractor, needed
    providers = {provider.name: provider for provider in extractor.all_providers}
    if wanted not in providers:
        raise ValueError(f"{extractor.name} has no provider {wanted}; it has {', '.join(providers) or 'none'}.")
    known = settings()
    needed = {**{name: known.get(name, "made") for name in providers[wanted].needs}, **needed}
    sources = tuple(source for source in extractor.sources if source.provider.name == wanted)
    return replace(extractor, sources=sources) if sources else extractor, needed


async def _play(
    making: Making, extractor: Extractor, needed: Mapping[str, Any]
) -> tuple[tuple[Exchange, ...], ServiceError | None]:
    """Return the exchanges for these parameters, which use the given responses, and the resulting error or None."""
    maker = Maker(making.wires.answers)
    registry = replace(load(), extractors=tuple(extractor if one.name == extractor.name else one for one in load()))
    upload = None if making.file is None else File(making.file.name, making.file.read_bytes())
    with tempfile.TemporaryDirectory() as folder:
        known = {**PLAYED, **needed}
        environment = {f"{PREFIX}{name.upper()}": str(value) for name, value in known.items()}
        chosen = Settings.from_environment(environment, data_dir=Path(folder))
        async with open_engine(chosen, transport=maker, registry=registry) as engine:
            call = engine.pipeline.prepare(extractor, tuple(making.params.items()), upload)
            error: ServiceError | None = None
            try:
                await engine.pipeline.answer(INTERNAL, call, request_id="tape")
            except InternalError as fault:
                raise ValueError(f"{extractor.name} raised an unexpected error. See the log for details.") from fault
            except ServiceError as exc:
                error = exc
    if maker.wanted:
        given, wanted = len(making.wires.names), _describe_request(maker.wanted[0])
        raise ValueError(
            f"More than the {given} given responses are requested. Add --wire for {wanted}, or @none to leave it out."
        )
    if maker.left:
        left = ", ".join(making.wires.names[-maker.left :])
        why = f" {describe_error(error)}" if error else ""
        raise ValueError(f"{left} was not requested. {_describe_requests(maker.exchanges)}{why}")
    return maker.exchanges, error


def _check_urls(making: Making, exchanges: Sequence[Exchange]) -> None:
    taped = [(name, url) for name, url in zip(making.wires.names, making.wires.urls, strict=True) if name != _NONE]
    for (name, url), exchange in zip(taped, exchanges, strict=True):
        if url and url != exchange.request.url:
            raise ValueError(
                f"{name} was recorded from {url}, but the request is {_describe_request(exchange.request)}."
            )


def _check_others(exchanges: Sequence[Exchange]) -> None:
    """Check that no tape has another response to the same request, because the sandbox loads all tapes."""
    for mine in exchanges:
        for case, other in _elsewhere(mine.request):
            if _content(other) != _content(mine):
                raise ValueError(
                    f"{_describe_request(mine.request)} has a different response in the tape {case.name}. Use "
                    "a different URL, for example on example.com."
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
        f"The requests were: {', '.join(_describe_request(one.request) for one in exchanges)}."
        if exchanges
        else "No request was sent."
    )


def _each(option: str, given: Sequence[Any], number: int, default: Any) -> list[Any]:
    if len(given) == number:
        return list(given)
    if len(given) > min(1, number):
        raise ValueError(f"{option} is set {len(given)} times, but there are {number} responses (--wire).")
    return [default] * (number - len(given)) + list(given)


def _answer(name: str, status: int, headers: Sequence[str], fetched_at: datetime) -> Response | Fault | None:
    if name == _NONE:
        return None
    if name in _FAULTS:
        return _FAULTS[name]
    if not 100 <= status <= 599:
        raise ValueError(f"--status must be from 100 to 599, not {status}.")
    body, fields = (b"", {}) if name == _EMPTY else _read_wire(Path(name))
    fields.update(_read_header(header) for header in headers)
    if body and "content-type" not in fields:
        raise ValueError(
            f"{name}: unknown file extension. Use one of {', '.join(TYPES)}, or set --header Content-Type:…."
        )
    cookies = (fields["set-cookie"],) if "set-cookie" in fields else ()
    return Response(status, fields, body, fetched_at, len(body), cookies=cookies)


def _read_wire(path: Path) -> tuple[bytes, dict[str, str]]:
    """Return a file's content, and the header with its type if its extension is known."""
    try:
        body = path.read_bytes()
    except OSError as exc:
        raise ValueError(f"--wire: {path} can't be read: {exc.strerror}.") from exc
    media_type = TYPES.get(path.suffix.lower())
    return body, {} if media_type is None else {"content-type": media_type}


def _read_header(text: str) -> tuple[str, str]:
    name, mark, value = text.partition(":")
    if not mark or not name.strip():
        raise ValueError(f"--header must be NAME:VALUE, not {text}.")
    return name.strip().lower(), value.strip()
