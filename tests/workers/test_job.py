"""A job's declaration of its result, and the refused results."""

import time
from collections.abc import Mapping
from typing import Any

import pytest
from structlog.testing import capture_logs

from support.made import MadeResult
from webquarry.core.clock import SystemClock
from webquarry.core.errors import ConversionFailed
from webquarry.core.types import Deadline
from webquarry.endpoints.registry import load
from webquarry.extractors.web.model.page_data import PageData, PageLink
from webquarry.workers.checking import CHECK, check, name_shape
from webquarry.workers.job import Facts, Job, Many, ReplyError
from webquarry.workers.parcel import Parcel
from webquarry.workers.pieces import INLINE, Data, Text
from webquarry.workers.shapes import Misfit, Shape, shape_for
from webquarry.workers.workers import Workers

CLOCK = SystemClock()


class Told(Facts):
    number: int


async def read(job: Job[Any], facts: Any, *pieces: bytes) -> Parcel[Any]:
    return await job.read(facts, pieces)


async def test_each_class_of_facts_has_separate_pieces() -> None:
    job: Job[Told | str] = Job("a:b", Told | str, {Told: (Text(),)})
    assert (await read(job, {"number": 1}, b"a")).facts == Told(number=1)
    assert (await read(job, "word")).facts == "word"
    for facts, pieces in (({"number": 1}, ()), ("word", (b"a",)), ({"number": 1}, (b"a", b"b"))):
        with pytest.raises(ReplyError, match="pieces"):
            await read(job, facts, *pieces)


async def test_the_number_of_pieces_is_limited() -> None:
    job: Job[None] = Job("a:b", None, {type(None): Many(Text(3), 2)})
    assert (await read(job, None, b"a", b"b")).pieces == (b"a", b"b")
    assert (await read(job, None)).pieces == ()
    with pytest.raises(ReplyError, match="pieces"):
        await read(job, None, b"a", b"b", b"c")
    with pytest.raises(ReplyError, match="too long"):
        await read(job, None, b"abcd")


@pytest.mark.parametrize("size", [0, 1, 255, 256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1])
async def test_character_across_two_steps_is_not_split(size: int) -> None:
    job: Job[None] = Job("a:b", None, {type(None): (Text(),)})
    await read(job, None, b"a" * size + "ж😀".encode())
    with pytest.raises(ReplyError, match="UTF-8"):
        await read(job, None, b"a" * size + "😀".encode()[:-1])


@pytest.mark.parametrize("value", [2**63 + 1, -(2**63) - 1, "1", 1.0, True, None])
async def test_facts_have_exact_types(value: Any) -> None:
    with pytest.raises(ReplyError):
        await read(Job("a:b", Told), {"number": value})


@pytest.mark.parametrize(
    "filler", ["{}", "0", '""', "[]", '{"url":0,"text":0}', '{"a":0,"b":0}', '{"url":"","text":""}']
)
@pytest.mark.parametrize("name", ["links", "feeds", "entities", "warnings"])
def test_many_faults_do_not_delay_the_service(name: str, filler: str) -> None:
    full = f'{{"{name}":[{",".join([filler] * (500_000 // len(filler)))}]}}'.encode()
    shape = shape_for(PageData)
    began = time.thread_time()
    with pytest.raises(Misfit):
        shape.read_json(full, is_exact=True)
    assert time.thread_time() - began < 0.25  # 0.5 to 0.9 s with the validators of the model


def test_models_keep_their_own_validators() -> None:
    Shape(PageLink)
    assert PageLink.model_validate({"url": "a", "text": "b"}) == PageLink(url="a", text="b")


def test_every_result_has_a_shape() -> None:
    for extractor in load():
        for result in extractor.results.values():
            assert shape_for(result)
        for source in extractor.sources:
            assert shape_for(source.read)


class Checked:
    """Counts the checks made in another child."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []

    async def __call__(self, job: Job[Any], body: bytes, options: Mapping[str, Any]) -> Parcel[Any]:
        assert job == CHECK
        self.pieces.append(body)
        return Parcel(check(body, **options))


async def test_only_long_data_are_checked_in_another_child() -> None:
    apart = Checked()
    job: Job[None] = Job("a:b", None, {type(None): (Data(MadeResult), Text())})
    text = b'{"key":"%s"}'
    for length in (INLINE - 10, INLINE - 9):
        await job.read(None, (text % (b"a" * length), b"a" * 10 * INLINE), apart)
    assert [len(piece) for piece in apart.pieces] == [INLINE + 1]
    with pytest.raises(ReplyError, match="invalid"):
        await job.read(None, (text % (b"a" * INLINE) + b" ", b""), apart)
    with pytest.raises(ReplyError, match="contradict"):
        await job.knowing(key="b").read(None, (text % (b"a" * INLINE), b""), apart)


async def test_long_data_are_checked_while_all_slots_are_taken() -> None:
    workers = Workers(CLOCK, size=1, spares=0)
    job: Job[Any] = Job("support.jobs:keyed", None, {type(None): (Data(MadeResult),)})
    try:
        made = await workers.run(job, b"", {"length": 2 * INLINE}, deadline=Deadline.after(60, CLOCK))
        assert len(made.pieces[0]) > INLINE
        with pytest.raises(ConversionFailed), capture_logs() as logs:
            await workers.run(job, b"", {"length": 2 * INLINE, "behind": ",{}"}, deadline=Deadline.after(60, CLOCK))
    finally:
        await workers.close()
    assert [(row["function"], row["fault"].split(":")[0]) for row in logs if row["event"] == "worker.refused"] == [
        ("support.jobs:keyed", "its data is invalid")
    ]


def test_checks_can_be_imported_by_name() -> None:
    assert check(b'{"key":"a"}', shape=name_shape(MadeResult), known={"key": "a"}, is_exact=True) is None
    assert check(b'{"key":"a"}', shape=name_shape(MadeResult), known={"key": "b"}, is_exact=True) is not None
