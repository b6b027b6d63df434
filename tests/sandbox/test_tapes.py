"""Every tape through the real pipeline: alone, read in children, and in this process with all tapes together."""

import sys
import tempfile
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import orjson
import pytest
import pytest_asyncio

from webquarry.app import assemble
from webquarry.cli.tape_cases import play
from webquarry.core.clock import SystemClock
from webquarry.core.errors import ProviderError, ServiceError
from webquarry.core.process import loop
from webquarry.core.settings import Settings
from webquarry.core.types import Deadline
from webquarry.endpoints.registry import load
from webquarry.engine import INTERNAL, make_workers
from webquarry.net.tape import Fault
from webquarry.pipeline import Freshness
from webquarry.sandbox.cases import MORE, TAPED_BASE_URL, Case, cases, digest, expected_answer, expected_error
from webquarry.service import example_answer
from webquarry.workers.job import Job
from webquarry.workers.workers import Workers

ALL = cases()
ENDPOINTS = [extractor.name for extractor in load()]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def workers(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Workers]:
    """Children for all cases: starting one takes longer than a case."""
    settings = Settings(
        workers=1, data_dir=tmp_path_factory.mktemp("data")
    )  # not the data of a service in the checkout
    workers = make_workers(settings, SystemClock())
    await workers.run(Job[Any]("support.jobs:echo", Any), b"", {}, deadline=Deadline.after(180, SystemClock()))
    yield workers
    await workers.close()


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
async def test_tape_gives_the_expected_result_without_parsing_in_the_event_loop(
    case: Case, workers: Workers, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # in memory: a store on a disk waits for its flushes
    parsed: list[int] = []
    monkeypatch.setattr(loop, "LOOP_BYTES", 0)  # treat all wires as large
    monkeypatch.setattr(loop, "report", parsed.append)
    assert _texts(await play(case, workers)) == _texts(case.expected())
    assert parsed == []


@pytest.mark.parametrize("name", ENDPOINTS)
def test_expectation_is_the_accepted_one_of_this_version(name: str) -> None:
    version = load().by_name[name].version
    accepted = {case.name: case.accepted for case in cases(name)}
    assert accepted == {case.name: {"version": version, "digest": digest(case.expected())} for case in cases(name)}, (
        "an expectation changes by `webquarry tape accept`, and together with the endpoint's version"
    )


def test_tape_states_its_origin() -> None:
    assert [case.name for case in ALL if len(case.note.split()) <= 5] == []


@pytest.mark.asyncio(loop_scope="module")
async def test_sandbox_answers_every_case(tmp_path: Path, workers: Workers) -> None:
    async with assemble(Settings(data_dir=tmp_path), sandbox=True, serving=True, workers=workers) as service:
        for case in ALL:
            extractor = service.registry.by_name[case.endpoint]
            try:
                call = service.pipeline.prepare(extractor, tuple(case.params.items()), case.file)
                answer = await service.pipeline.answer(
                    INTERNAL, call, request_id="tape", freshness=Freshness(no_cache=True)
                )
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
            found = response if isinstance(response, Fault) else (response.status, response.body)
            answers[request.method, request.url, request.body].add(found)
    assert [question for question, given in answers.items() if len(given) > 1] == []


@pytest.mark.parametrize("name", ENDPOINTS)
def test_declared_example_has_a_tape(name: str) -> None:
    assert example_answer(load().by_name[name]) is not None


@pytest.mark.parametrize("name", ENDPOINTS)
def test_every_endpoint_has_tapes_with_results_and_errors(name: str) -> None:
    found = cases(name)
    assert len(found) >= 5
    assert any(case.error is not None for case in found)
    assert sum(case.data is not None for case in found) >= 2


def made_case(tmp_path: Path, tape: str = '[params]\nq = "tea"\n') -> Case:
    case = Case(tmp_path / "endpoint" / "case")
    case.folder.mkdir(parents=True)
    (case.folder / "tape.toml").write_text(tape)
    return case


def test_changed_expectation_needs_a_raised_version(tmp_path: Path) -> None:
    case = made_case(tmp_path)
    assert case.accept(expected_answer({"a": 1}, "# a\n"), 1) == ("data.json", "page.md", "accepted")
    assert case.accept(expected_answer({"a": 1}, "# a\n"), 1) == ()
    with pytest.raises(ValueError, match="Increase the endpoint's version"):
        case.accept(expected_answer({"a": 2}, "# a\n"), 1)
    assert case.data == {"a": 1}
    assert case.accept(expected_answer({"a": 2}, "# a\n"), 2) == ("data.json", "accepted")
    assert case.data == {"a": 2}
    assert case.accept(expected_answer({"a": 2}, "# a\n"), 3) == ("accepted",)


def test_unreleased_version_allows_a_changed_expectation(tmp_path: Path) -> None:
    case = made_case(tmp_path)
    case.accept(expected_answer({"a": 1}, "# a\n"), 1)
    assert case.accept(expected_answer({"a": 1}, "# a\n"), 1, unreleased=True) == ()
    other = expected_answer({"a": 2}, "# a\n")
    assert case.accept(other, 1, unreleased=True) == ("data.json", "accepted")
    assert case.expected() == other
    assert case.accepted == {"version": 1, "digest": digest(other)}
    (case.folder / "page.md").write_bytes(b"edited")
    assert case.accept(other, 1) == ("page.md",)


def test_result_and_error_are_exchanged_only_with_the_option(tmp_path: Path) -> None:
    case = made_case(tmp_path)
    answer, error = expected_answer({"a": 1}, "# a\n"), expected_error(ProviderError("x", reason="changed"))
    case.accept(answer, 1)
    with pytest.raises(ValueError, match=r"ends in an error now.*--turned"):
        case.accept(error, 2)
    assert case.expected() == answer
    assert case.accept(error, 2, turned=True) == ("data.json", "page.md", "error", "accepted")
    assert case.error == {"status": 422, "code": "provider_error", "reason": "changed"}
    with pytest.raises(ValueError, match=r"has an answer now.*--turned"):
        case.accept(answer, 3)
    case.accept(answer, 3, turned=True)
    assert (case.expected(), case.error) == (answer, None)


def test_accepting_keeps_handwritten_parts(tmp_path: Path) -> None:
    written = 'note = "x"  # by hand\n\n[params]  # and this\nq = "tea"\n'
    case = made_case(tmp_path, written)
    for version, data in enumerate(({"a": 1}, {"a": 2}), 1):
        case.accept(expected_answer(data, "# a\n"), version)
        assert (case.folder / "tape.toml").read_text().startswith(written)
    assert (case.folder / "tape.toml").read_text().count("[accepted]") == 1


@pytest.mark.parametrize(
    ("tape", "message"),
    [
        ("parms = 1\n", r"tape\.toml: the tape has the unknown key parms; valid keys are "),
        ("[params]\nq = 1\n", r"tape\.toml: the parameter q must be a string"),
        ("params = 1\n", r"tape\.toml: params must be a table"),
        ('file = "none.pdf"\n', r"tape\.toml: its file none\.pdf can't be read"),
        ("= 1\n", r"tape\.toml: invalid TOML"),
    ],
)
def test_invalid_case_is_reported_in_one_sentence_with_its_file(tmp_path: Path, tape: str, message: str) -> None:
    case = made_case(tmp_path, tape)
    with pytest.raises(ValueError, match=message) as caught:
        _ = case.params, case.file
    assert str(caught.value).startswith(str(case.folder))


def test_one_example_of_each_endpoint_and_the_long_page_ship() -> None:
    for extractor in load():
        shipped = [case for case in cases(extractor.name) if case.ships and case.name not in MORE]
        upload = extractor.upload and extractor.upload.example
        assert [(case.params, case.file) for case in shipped] == [(extractor.example, upload)], extractor.name
    assert len({case.name for case in ALL}) == len(ALL)


@pytest.mark.asyncio(loop_scope="module")
async def test_shipped_tapes_answer_the_example_of_every_endpoint(
    tmp_path: Path, workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[Case.__module__], "KEPT", tmp_path / "none")
    assert sorted(case.endpoint for case in cases() if case.name not in MORE) == sorted(ENDPOINTS)
    async with assemble(Settings(data_dir=tmp_path), sandbox=True, serving=True, workers=workers) as service:
        for case in cases():
            call = service.pipeline.prepare(
                service.registry.by_name[case.endpoint], tuple(case.params.items()), case.file
            )
            answer = await service.pipeline.answer(
                INTERNAL, call, request_id="tape", freshness=Freshness(no_cache=True)
            )
            assert orjson.loads(answer.body)["data"] == case.data, case.name


def _texts(files: Mapping[str, bytes]) -> dict[str, str]:
    return {name: content.decode() for name, content in files.items()}


def test_examples_show_the_address_of_the_service() -> None:
    assert Settings().base_url == TAPED_BASE_URL
    brand = load().by_name["brand_logo"]
    shown = str(example_answer(brand, "https://data.example"))
    assert "https://data.example/logos/" in shown
    assert TAPED_BASE_URL not in shown


async def test_the_first_results_of_the_search_can_be_read() -> None:
    (search,) = [case for case in cases("search") if case.ships]
    found = [result["link"] for result in search.data["organic_results"]]
    taped = {case.params["url"] for case in cases("markdown_url") if case.ships}
    assert all(link in taped for link in found[:3]), found
