from datetime import UTC, datetime

import pytest

from webquarry.core.errors import (
    ANSWERED,
    Absent,
    CapReached,
    ConversionFailed,
    EmptyResult,
    FileTooLarge,
    InsufficientCredits,
    InternalError,
    InvalidParams,
    KeyReused,
    MethodNotAllowed,
    NotCached,
    NotFound,
    Overloaded,
    ProviderError,
    RateLimited,
    ServiceError,
    TooManyJobs,
    Unauthorized,
    UnsafeTarget,
    UnsupportedType,
)
from webquarry.pipeline.flights import Failed, Landed, Outcome
from webquarry.pipeline.flights.outcome import from_json, to_json

EXAMPLES: list[ServiceError] = [
    InvalidParams("q: too long", status=414),
    UnsafeTarget(),
    Unauthorized("no such key"),
    InsufficientCredits(3, 1),
    CapReached(3, name="batch", cap=5, spent=4, renews_at=datetime(2027, 1, 1, tzinfo=UTC)),
    NotFound("no such path"),
    NotCached(),
    MethodNotAllowed("POST only", ("POST",)),
    KeyReused(),
    FileTooLarge("over 20 MB"),
    UnsupportedType("not a document"),
    RateLimited(60, 60, 12),
    TooManyJobs("10 jobs are open", retry_after_s=60),
    Absent("no such page"),
    EmptyResult("nothing there: ‘ü’\ud800"),
    ProviderError("asked to wait", reason="refused", retry_after_s=1.5),
    ProviderError("slow", reason="timeout"),
    ConversionFailed("locked", reason="encrypted"),
    Overloaded(retry_after_s=4),
    InternalError(),
]


def test_every_error_class_has_an_example() -> None:
    assert {type(error) for error in EXAMPLES} == set(ANSWERED)


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
def test_an_error_is_transferred_unchanged(error: ServiceError) -> None:
    sent = Failed.of(error)
    received = from_json(to_json(sent).encode())
    assert isinstance(received, Failed)
    again = received.error()
    assert type(again) is type(error)
    assert (again.message, again.status, again.code, again.reason) == (
        error.message,
        error.status,
        error.code,
        error.reason,
    )
    assert again.headers() == error.headers()
    assert str(again) == str(error)


def test_a_landing_is_transferred_unchanged() -> None:
    outcome: Outcome = Landed("cv_0123")
    assert from_json(to_json(outcome)) == outcome


def test_a_subclass_is_transferred_as_its_documented_class() -> None:
    class Walled(ProviderError):
        pass

    assert type(Failed.of(Walled("wall", reason="blocked")).error()) is ProviderError


def test_an_error_of_a_newer_release_is_internal() -> None:
    assert type(Failed("TeaPot", "short and stout", {}).error()) is InternalError
