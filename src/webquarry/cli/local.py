"""Requests answered by the service in this process, without a server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from webquarry.cli.asking import Failure, Question, Reply
from webquarry.core.errors import ServiceError
from webquarry.core.settings import Settings
from webquarry.core.types import File
from webquarry.engine import INTERNAL, Engine, open_engine
from webquarry.pipeline import ANY_FRESH, Freshness


class LocalService:
    """The service in this process. Its requests are free and have no rate limit."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def ask(self, question: Question) -> Reply:
        """Return the reply. Raises Failure."""
        pipeline = self._engine.pipeline
        extractor = self._engine.registry.by_name[question.entry.name]
        sent = question.file
        file = None if sent is None else File.of(sent.name, sent.read())
        freshness = Freshness(no_cache=True) if question.fresh else ANY_FRESH
        try:
            call = pipeline.prepare(extractor, question.query, file)
            answer = await pipeline.answer(INTERNAL, call, request_id="cli", freshness=freshness)
        except ServiceError as error:
            raise describe_failure(error) from error
        return Reply(answer.body, 0, answer.cache)


def describe_failure(error: ServiceError) -> Failure:
    """Convert an error of the service to a failure of the command."""
    return Failure(error.message, error.code, retry_after_s=getattr(error, "retry_after_s", None))


@asynccontextmanager
async def open_local(settings: Settings, *, sandbox: bool) -> AsyncIterator[LocalService]:
    """Yield the service without accounts and pages. Raises StorageError if its store can't be opened."""
    async with open_engine(settings, sandbox=sandbox) as engine:
        yield LocalService(engine)
