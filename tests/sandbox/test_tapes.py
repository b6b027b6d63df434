"""Every tape through the real path: alone, and in the sandbox's world of all tapes."""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import orjson
import pytest

from webquarry.app import INTERNAL, assemble, example_answer
from webquarry.cli.tapes import play
from webquarry.errors import ServiceError
from webquarry.net.tape import Fault
from webquarry.registry import load
from webquarry.sandbox.cases import Case, cases, digest, expected_answer, expected_error
from webquarry.settings import Settings

ALL = cases()
ENDPOINTS = [extractor.name for extractor in load()]


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
async def test_tape_gives_what_is_expected(case: Case) -> None:
    assert _texts(await play(case)) == _texts(case.expected())


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_expectation_is_the_accepted_one_of_this_version(case: Case) -> None:
    version = load().by_name[case.endpoint].version
    assert case.accepted == {"version": version, "digest": digest(case.expected())}, (
        "an expectation changes by `webquarry tape accept`, and together with the endpoint's version"
    )


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_tape_says_what_it_was_made_from(case: Case) -> None:
    assert len((case.folder / "note.md").read_text("utf-8").split()) > 5


async def test_sandbox_answers_every_case(tmp_path: Path) -> None:
    async with assemble(Settings(data_dir=tmp_path), sandbox=True, serving=True) as service:
        for case in ALL:
            extractor = service.registry.by_name[case.endpoint]
            try:
                call = service.pipeline.prepare(extractor, tuple(case.params.items()), case.file)
                answer = await service.pipeline.answer(INTERNAL, call, request_id="tape")
            except ServiceError as error:
                made = expected_error(error)
            else:
                body = orjson.loads(answer.body)
                made = expected_answer(body["data"], body["markdown"])
            assert _texts(made) == _texts(case.expected()), case.name


def test_no_two_tapes_answer_one_question_differently() -> None:
    answers = defaultdict(set)
    for case in ALL:
        for exchange in case.exchanges:
            request, response = exchange.request, exchange.response
            told = response if isinstance(response, Fault) else (response.status, response.body)
            answers[request.method, request.url, request.body].add(told)
    assert [question for question, given in answers.items() if len(given) > 1] == []


@pytest.mark.parametrize("name", ENDPOINTS)
def test_declared_example_has_a_tape(name: str) -> None:
    assert example_answer(load().by_name[name]) is not None


@pytest.mark.parametrize("name", ENDPOINTS)
def test_endpoint_has_answers_and_errors_on_tape(name: str) -> None:
    found = cases(name)
    assert len(found) >= 5
    assert any(case.error is not None for case in found)
    assert sum(case.data is not None for case in found) >= 2


def test_changed_expectation_needs_a_raised_version(tmp_path: Path) -> None:
    case = Case(tmp_path / "endpoint" / "case")
    case.folder.mkdir(parents=True)
    assert case.accept(expected_answer({"a": 1}, "# a\n"), 1) == ("data.json", "page.md", "accepted.json")
    assert case.accept(expected_answer({"a": 1}, "# a\n"), 1) == ()
    with pytest.raises(ValueError, match="raise the endpoint's version"):
        case.accept(expected_answer({"a": 2}, "# a\n"), 1)
    assert case.data == {"a": 1}
    assert case.accept(expected_answer({"a": 2}, "# a\n"), 2) == ("data.json", "accepted.json")
    assert case.data == {"a": 2}
    assert case.accept(expected_answer({"a": 2}, "# a\n"), 3) == ("accepted.json",)


def test_unreleased_version_changes_what_it_stands_behind(tmp_path: Path) -> None:
    case = Case(tmp_path / "endpoint" / "case")
    case.folder.mkdir(parents=True)
    answer, error = expected_answer({"a": 1}, "# a\n"), {"error.json": b"{}\n"}
    case.accept(answer, 1)
    assert case.accept(answer, 1, unreleased=True) == ()
    assert case.accept(error, 1, unreleased=True) == ("data.json", "page.md", "error.json", "accepted.json")
    assert case.expected() == error
    assert case.accepted == {"version": 1, "digest": digest(error)}
    (case.folder / "error.json").write_bytes(b"edited")
    assert case.accept(error, 1) == ("error.json",)


def _texts(files: Mapping[str, bytes]) -> dict[str, str]:
    return {name: content.decode() for name, content in files.items()}
