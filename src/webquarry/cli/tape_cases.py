"""Storing the pipeline's current result of a tape's case as the case's expectation."""

import difflib
import tempfile
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from pathlib import Path

import orjson

from webquarry.core.clock import SystemClock
from webquarry.core.errors import InternalError, ServiceError
from webquarry.core.settings import Settings
from webquarry.endpoints.registry import load
from webquarry.engine import INTERNAL, make_workers, open_engine
from webquarry.net.player import Player
from webquarry.sandbox.cases import ACCEPTED, EXPECTED, PLAYED, Case, expected_answer, expected_error
from webquarry.workers.workers import Workers

_SHOWN_LINES = 20


async def accept(chosen: Iterable[Case], *, unreleased: bool, turned: bool) -> AsyncIterator[str]:
    """Yield a line for each case on how its expectation changed, then the differences.

    `unreleased`: no server has used this version yet. `turned`: a result may become an error, and vice versa. Raises
    ValueError if an expectation changes, or turns from a result to an error or back, without the matching flag, or if
    the endpoint's code fails.
    """
    versions = {extractor.name: extractor.version for extractor in load()}
    workers = make_workers(Settings(), SystemClock())
    try:
        for case in chosen:
            before, made = case.expected(), await play(case, workers)
            changed = case.accept(made, versions[case.endpoint], unreleased=unreleased, turned=turned)
            yield f"{case.name}: {_describe_change(changed, new=not before)}"
            for name in (name for name in EXPECTED if name in changed and before):
                yield _difference(name, before.get(name, b""), made.get(name, b""))
    finally:
        await workers.close()


def _describe_change(changed: Sequence[str], *, new: bool) -> str:
    """Return a description of how the expectation, or only its version, has changed."""
    content = ", ".join(name for name in changed if name != ACCEPTED)
    if content:
        return f"{'new' if new else 'changed'}: {content}"
    return "same, updated to this version" if changed else "same"


def _difference(name: str, before: bytes, after: bytes) -> str:
    """Return the first lines of a unified diff between "expected" and "made"."""
    old, new = before.decode().splitlines(), after.decode().splitlines()
    lines = list(difflib.unified_diff(old, new, f"expected {name}", f"made {name}", n=1, lineterm=""))
    rest = len(lines) - _SHOWN_LINES
    return "\n".join([*lines[:_SHOWN_LINES], f"… and {rest} more lines"] if rest > 0 else lines)


async def play(case: Case, workers: Workers) -> Mapping[str, bytes]:
    """Run a case's exchanges through the real pipeline and return the result as an expectation."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder), **{**PLAYED, **case.settings})
        async with open_engine(settings, transport=Player(case.exchanges), workers=workers) as engine:
            try:
                extractor = engine.registry.by_name[case.endpoint]
                call = engine.pipeline.prepare(extractor, tuple(case.params.items()), case.file)
                answer = await engine.pipeline.answer(INTERNAL, call, request_id="tape")
            except InternalError as fault:
                raise ValueError(f"{case.name} raised an unexpected error. See the log for details.") from fault
            except ServiceError as error:
                return expected_error(error)
    body = orjson.loads(answer.body)
    return expected_answer(body["data"], body["markdown"])
