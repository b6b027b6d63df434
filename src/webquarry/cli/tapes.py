"""`webquarry tape accept`: play a case through the real pipeline and keep what comes out."""

import tempfile
from collections.abc import AsyncIterator, Iterable, Mapping
from pathlib import Path

import orjson

from webquarry.app import INTERNAL, assemble
from webquarry.errors import InternalError, ServiceError
from webquarry.net.tape import Player
from webquarry.registry import load
from webquarry.sandbox.cases import Case, expected_answer, expected_error
from webquarry.settings import Settings


async def accept(chosen: Iterable[Case], *, unreleased: bool) -> AsyncIterator[str]:
    """One line per case: whether its expectation changed. unreleased: no server has used this version yet.

    ValueError when an expectation changes and the endpoint's version does not, or when the code fails.
    """
    versions = {extractor.name: extractor.version for extractor in load()}
    for case in chosen:
        made = await play(case)
        if unreleased:
            (case.folder / "accepted.json").unlink(missing_ok=True)
        changed = case.accept(made, versions[case.endpoint])
        yield f"{case.name}: {'changed' if changed else 'as before'}"


async def play(case: Case) -> Mapping[str, bytes]:
    """What the real pipeline makes of a case's own exchanges, as the files of an expectation."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder), **case.settings)
        async with assemble(settings, transport=Player(case.exchanges)) as service:
            try:
                extractor = service.registry.by_name[case.endpoint]
                call = service.pipeline.prepare(extractor, tuple(case.params.items()), case.file)
                answer = await service.pipeline.answer(INTERNAL, call, request_id="tape")
            except InternalError as fault:
                raise ValueError(f"{case.name}: the code fails; the log says where.") from fault
            except ServiceError as error:
                return expected_error(error)
    body = orjson.loads(answer.body)
    return expected_answer(body["data"], body["markdown"])
