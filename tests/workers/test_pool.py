import asyncio
import contextlib
import os
import random
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from support.processes import list_fork_servers, list_workers, read_session_nice, wait_for_end
from webquarry.core.clock import SystemClock
from webquarry.core.errors import ConversionFailed, EmptyResult, InternalError, Overloaded, UnsupportedType
from webquarry.core.types import Deadline
from webquarry.workers.job import Job
from webquarry.workers.limits import Limits
from webquarry.workers.pool import SMALL_BYTES, Pool
from webquarry.workers.process import Child

CLOCK = SystemClock()
OTHERS: set[int] = set()
"""Process ids of workers that other tests keep running."""
QUICK = Limits(memory_mb=300)
HERE = "example.com"
"""An origin whose child is reused."""


@asynccontextmanager
async def pool(limits: Limits = QUICK, **changes: Any) -> AsyncIterator[Pool]:
    made = Pool(CLOCK, limits, **{"size": 2, "spares": 0, "preload": ("support.jobs",), **changes})
    try:
        yield made
    finally:
        await made.close()
        assert children() == set()


async def run(
    made: Pool, job: str, body: bytes = b"", seconds: float = 30, *, account: str = "", origin: str = "", **options: Any
) -> Any:
    asked, deadline = Job[Any](f"support.jobs:{job}", Any), Deadline.after(seconds, CLOCK)
    return (await made.run(asked, body, options, deadline=deadline, account=account, origin=origin)).facts


async def reason(made: Pool, job: str, seconds: float = 30, **options: Any) -> str | None:
    """Return why a job failed, and check that the pool still works."""
    with pytest.raises(ConversionFailed) as caught:
        await run(made, job, seconds=seconds, **options)
    assert (await run(made, "echo"))[0] == 0
    return caught.value.reason


def children() -> set[int]:
    """Return the live workers that this test has started."""
    return list_workers() - OTHERS


@pytest.fixture(autouse=True)
def _others() -> None:
    OTHERS.clear()
    OTHERS.update(list_workers())


async def until(true: Callable[[], bool], seconds: float = 10) -> None:
    async with asyncio.timeout(seconds):
        while not true():  # noqa: ASYNC110  # other processes set no event
            await asyncio.sleep(0.01)


async def test_a_job_gets_its_bytes_and_its_options() -> None:
    async with pool() as made:
        for body in (b"", b"abc", b"abc" * 3_500_000):
            length, end, options, _ = await run(made, "echo", body, a=1, b=["ж"])
            assert (length, end, options) == (len(body), body[-3:].decode(), {"a": 1, "b": ["ж"]})


async def test_concurrent_jobs_get_their_own_results() -> None:
    async with pool(queue=200) as made:
        answers = await asyncio.gather(*(run(made, "echo", b"x" * at, at=at) for at in range(100)))
        assert [(length, options) for length, _, options, _ in answers] == [(at, {"at": at}) for at in range(100)]
        assert len({pid for *_, pid in answers}) == 100


async def test_a_child_inherits_nothing_from_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBQUARRY_DATABASE_URL", "postgresql://user:secret@localhost/a")
    readable, _writable = os.pipe()
    os.set_inheritable(readable, True)
    async with pool(Limits(nice=3)) as made:
        seen = await run(made, "surroundings", origin=HERE)
        (pid,) = children()
        assert os.getpriority(os.PRIO_PROCESS, pid) == os.nice(0) + 3
    assert "secret" not in str(seen["environment"])
    assert {name for name in seen["environment"] if "THREAD" not in name} <= {
        *("PYTHONPATH", "LANG", "LC_CTYPE", "MALLOC_ARENA_MAX", "MIMALLOC_ARENA_RESERVE")
    }
    assert seen["folder"] == "/"
    assert seen["opened"] == 5  # the standard ones and the two pipes


async def test_a_child_has_lower_priority_than_the_service() -> None:
    async with pool(Limits(nice=3)) as made:
        await run(made, "echo", origin=HERE)
        (pid,) = children()
        assert read_session_nice(pid) in (3, None)


async def test_a_child_has_no_network() -> None:
    async with pool() as made:
        assert set((await run(made, "sockets")).values()) == {"OSError"}
        assert made.isolation in ("namespace", "seccomp")


async def test_a_child_cannot_access_processes_and_files(tmp_path: Path) -> None:
    async with pool() as made:
        found = await run(made, "others", parent=os.getpid(), file=str(tmp_path / "a"))
        assert made.openings == ()
    assert found.pop("thread") == "done"
    assert set(found.values()) <= {"PermissionError", "OSError"}


async def test_programs_end_with_the_child_that_started_them() -> None:
    async with pool(Limits(may_start_programs=True)) as made:
        for how in ("hang", "exit"):
            program = f"sleep 10{how == 'exit':d}.25"
            with pytest.raises(ConversionFailed):
                await run(made, "starting", seconds=2, program=program, how=how)
            await until(lambda: program not in _running())  # noqa: B023  # called immediately


def _running() -> str:
    return subprocess.run(["ps", "-A", "-o", "args="], capture_output=True, check=True).stdout.decode()


async def test_a_child_may_start_programs_if_allowed(tmp_path: Path) -> None:
    async with pool(Limits(may_start_programs=True)) as made:
        found = await run(made, "others", parent=os.getpid(), file=str(tmp_path / "a"), without="fork")
        assert set((await run(made, "sockets")).values()) == {"OSError"}
    assert found["program"] == "done"
    assert found["signal"] == "OSError"


async def test_limits_are_set() -> None:
    async with pool(Limits(memory_mb=200, address_mb=900, cpu_s=7)) as made:
        found = await run(made, "limits")
    assert found["DATA"] == [200 * 1024**2] * 2
    assert found["AS"] == [900 * 1024**2] * 2
    assert found["FSIZE"] == found["CORE"] == [0, 0]
    assert found["CPU"][0] in (8, 9)


async def test_documented_errors_are_passed_on() -> None:
    async with pool() as made:
        with pytest.raises(ConversionFailed, match="It is encrypted") as failed:
            await run(made, "raising", what="encrypted")
        assert failed.value.reason == "encrypted"
        with pytest.raises(UnsupportedType, match="It is a film"):
            await run(made, "raising", what="unsupported")
        with pytest.raises(EmptyResult, match="It is empty"):
            await run(made, "raising", what="empty")
        assert made.isolation


@pytest.mark.parametrize("what", ["other", "fault"])
async def test_other_errors_are_reported_as_a_damaged_file_without_details(what: str) -> None:
    with capture_logs() as logs:
        async with pool() as made:
            assert await reason(made, "raising", what=what) == "corrupt"
    assert "secret" not in str(logs)
    assert ("KeyError" in str(logs)) is (what == "fault")


@pytest.mark.parametrize(
    ("job", "options", "expected"),
    [
        ("memory", {}, "limits"),
        ("pieces", {}, "limits"),
        ("deep", {}, "limits"),
        ("crash", {"how": "segfault"}, "corrupt"),
        ("crash", {"how": "overflow"}, "corrupt"),
        ("crash", {"how": "abort"}, "limits"),
        ("crash", {"how": "exit"}, "corrupt"),
        ("crash", {"how": "quit"}, "corrupt"),
        ("writing", {"what": "other"}, "corrupt"),
        ("writing", {"what": "long"}, "corrupt"),
        ("writing", {"what": "cut"}, "corrupt"),
        ("writing", {"what": "closed"}, "corrupt"),
        ("writing", {"what": "flood"}, "corrupt"),
        ("large", {"size": 2_000_000}, "limits"),
        ("unwritable", {}, "corrupt"),
        ("missing", {}, "corrupt"),
    ],
)
async def test_the_pool_keeps_working_whatever_a_job_does(job: str, options: dict[str, Any], expected: str) -> None:
    async with pool(Limits(memory_mb=200, answer_mb=1), size=1) as made:
        assert await reason(made, job, **options) == expected


async def test_output_printed_by_a_job_is_ignored() -> None:
    async with pool() as made:
        assert await run(made, "printing") == "answer"
        assert await run(made, "printing") == "answer"


async def test_an_unrequested_response_is_never_returned() -> None:
    async with pool(size=1) as made:
        assert await run(made, "early", origin=HERE) == "answer"
        await asyncio.sleep(0.2)
        with pytest.raises(ConversionFailed):
            await run(made, "echo", origin=HERE)
        assert (await run(made, "echo", origin=HERE))[0] == 0


async def test_a_job_that_takes_too_long_is_killed_and_its_child_replaced() -> None:
    async with pool(spares=1) as made:
        await run(made, "echo")
        await until(lambda: len(children()) == 1)
        (spare,) = children()
        with pytest.raises(ConversionFailed) as caught:
            await run(made, "hang", seconds=1)
        assert caught.value.reason == "timeout"
        await until(lambda: len(children()) == 1 and children() != {spare})


async def test_a_job_ends_at_the_deadline_of_its_caller() -> None:
    async with pool() as made:
        await run(made, "echo")
        with pytest.raises(ConversionFailed) as caught:
            await run(made, "hang", seconds=0.3)
        assert caught.value.reason == "timeout"
        await until(lambda: children() == set())


async def test_a_job_that_computes_without_end_is_ended_by_the_kernel() -> None:
    async with pool(Limits(cpu_s=1)) as made:
        assert await reason(made, "busy", seconds=60) == "limits"


async def test_the_child_of_a_cancelled_caller_is_ended() -> None:
    async with pool(size=1) as made:
        await run(made, "echo")  # the server runs
        job = asyncio.create_task(run(made, "hang"))
        await until(lambda: any(child.jobs for child in made._busy))  # an unused child would be kept
        job.cancel()
        with pytest.raises(asyncio.CancelledError):
            await job
        await until(lambda: children() == set())
        assert (await run(made, "echo"))[0] == 0


async def test_cancelled_waiters_leave_no_state_behind() -> None:
    async with pool(size=1) as made:
        for pause in (0, 0.01, 0.05, 0.1, 0.2):
            job = asyncio.create_task(run(made, "echo"))
            await asyncio.sleep(pause)
            job.cancel()
            await asyncio.wait({job})
        assert (await run(made, "echo"))[0] == 0
        await until(lambda: len(children()) <= 1)


async def test_more_jobs_than_may_wait_are_refused_immediately() -> None:
    async with pool(size=1, queue=1) as made:
        jobs = [asyncio.create_task(run(made, "hang", seconds=0.5)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Overloaded):
            await run(made, "echo")
        await asyncio.wait(jobs)
        assert (await run(made, "echo"))[0] == 0


async def test_small_bodies_do_not_wait_for_large_ones() -> None:
    large = b"x" * (SMALL_BYTES + 1)
    async with pool(size=1, queue=100) as made:
        hanging = [asyncio.create_task(run(made, "hang", large, account=f"a{at}")) for at in range(20)]
        await until(lambda: len(children()) == 2)
        assert (await run(made, "echo", account="b", seconds=10))[0] == 0
        for job in hanging:
            job.cancel()
        await asyncio.wait(hanging)


async def test_a_job_that_gets_no_child_in_time_is_refused() -> None:
    async with pool(size=1) as made:
        job = asyncio.create_task(run(made, "hang"))
        await until(lambda: len(children()) == 1)
        with pytest.raises(Overloaded):
            await run(made, "echo", seconds=0.1)
        job.cancel()
        await asyncio.wait({job})


async def test_a_child_is_replaced_after_a_number_of_jobs() -> None:
    async with pool(size=1, recycle_jobs=3) as made:
        pids = [(await run(made, "echo", origin=HERE))[3] for _ in range(7)]
    assert [pids.count(pid) for pid in dict.fromkeys(pids)] == [3, 3, 1]


async def test_a_child_with_much_memory_is_replaced() -> None:
    async with pool(size=1, recycle_mb=150) as made:
        first = await run(made, "holding", megabytes=10, origin=HERE)
        assert await run(made, "holding", megabytes=150, origin=HERE) == first
        assert await run(made, "holding", megabytes=1, origin=HERE) != first


async def test_children_start_with_the_first_job_and_end_when_idle() -> None:
    async with pool(size=3, spares=1, idle_s=0.2) as made:
        assert children() == set()
        await asyncio.gather(*(run(made, "hang", seconds=0.2) for _ in range(3)), return_exceptions=True)
        await asyncio.gather(*(run(made, "echo") for _ in range(3)))
        await until(lambda: len(children()) == 1)
        await asyncio.sleep(0.4)
        assert len(children()) == 1  # a spare stays


async def test_the_fork_server_ends_when_idle_without_spares() -> None:
    async with pool(idle_s=0.2) as made:
        before = list_fork_servers()
        await run(made, "echo")
        assert len(list_fork_servers() - before) == 1
        await until(lambda: list_fork_servers() == before)
        assert (await run(made, "echo"))[0] == 0


async def test_a_fork_server_that_died_is_replaced() -> None:
    async with pool(spares=1) as made:
        before = list_fork_servers()
        await run(made, "echo")
        (server,) = list_fork_servers() - before
        os.kill(server, signal.SIGKILL)
        wait_for_end(server)
        await until_answered(made)


async def test_a_reused_child_may_end_before_the_fork_server() -> None:
    before = list_fork_servers()
    async with pool(kept_s=0.2, idle_s=3.0) as made:
        first = await run(made, "echo", origin=HERE)
        assert (await run(made, "echo", origin=HERE))[3] == first[3]
        await until(lambda: not children())
        assert len(list_fork_servers() - before) == 1
        await until(lambda: list_fork_servers() == before)


async def test_a_child_that_died_while_idle_is_not_used() -> None:
    async with pool(size=1) as made:
        first = (await run(made, "echo", origin=HERE))[3]
        (pid,) = children()
        os.kill(pid, signal.SIGKILL)
        await until(lambda: pid not in children())
        assert (await run(made, "echo", origin=HERE))[3] != first


async def test_a_job_without_an_origin_has_a_separate_child() -> None:
    async with pool(size=1) as made:
        pids = [(await run(made, "echo", account="a"))[3] for _ in range(3)]
        assert len(set(pids)) == 3


async def test_a_child_is_reused_only_for_its_account_and_origin() -> None:
    async with pool(size=2) as made:

        async def ask(account: str, origin: str) -> int:
            pid: int = (await run(made, "echo", account=account, origin=origin))[3]
            return pid

        first = await ask("a", HERE)
        assert await ask("a", HERE) == first
        assert await ask("b", HERE) != first
        assert await ask("a", "example.org") != first
        await ask("a", HERE)
        await until(lambda: len(children()) <= 2)


async def test_data_left_by_a_job_is_not_visible_to_other_jobs() -> None:
    async with pool(size=1, spares=1) as made:
        await run(made, "holding", megabytes=1, account="a")
        for account, origin in (("a", ""), ("b", ""), ("b", HERE)):
            assert await run(made, "held", account=account, origin=origin) == 0


async def test_children_that_cannot_start_are_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    async with pool() as made:
        with monkeypatch.context() as broken:
            broken.setattr(sys, "executable", "/bin/false")
            with pytest.raises(InternalError):
                await run(made, "echo")
        await until_answered(made)


async def test_a_fork_server_killed_while_it_starts_costs_no_job(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mark, program = tmp_path / "killed", tmp_path / "python"
    program.write_text(f'#!/bin/sh\n[ -e {mark} ] || {{ touch {mark}; kill -9 $$; }}\nexec {sys.executable} "$@"\n')
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))
    async with pool() as made:
        assert (await run(made, "echo"))[0] == 0
    assert mark.exists()


async def until_answered(made: Pool) -> None:
    async with asyncio.timeout(60):
        while True:
            with contextlib.suppress(InternalError, Overloaded):
                assert (await run(made, "echo"))[0] == 0
                return
            await asyncio.sleep(0.2)


async def test_failed_starts_back_off(monkeypatch: pytest.MonkeyPatch) -> None:
    async with pool() as made:
        with monkeypatch.context() as broken, capture_logs() as logs:
            broken.setattr(sys, "executable", "/bin/false")
            for _ in range(20):
                with pytest.raises(InternalError):
                    await run(made, "echo")
            assert made.fault is not None
        assert len([entry for entry in logs if entry["event"] == "worker.unstartable"]) <= 3
        await until_answered(made)
        assert made.fault is None


async def test_a_readable_secret_stops_all_starts(tmp_path: Path) -> None:
    async with pool(secrets=(str(tmp_path), "/etc/localtime")) as made:
        with pytest.raises(InternalError):
            await run(made, "echo")
        assert made.fault is not None
        assert "/etc/localtime" in made.fault
        assert str(tmp_path) not in made.fault


async def test_a_job_without_processor_time_is_overload(monkeypatch: pytest.MonkeyPatch) -> None:
    async with pool() as made:
        with monkeypatch.context() as starved:
            starved.setattr(Child, "waited_s", property(lambda child: 100.0 * child.cpu_s))
            with pytest.raises(Overloaded):
                await run(made, "busy", seconds=2)
        assert await reason(made, "hang", seconds=2) == "timeout"


async def test_modules_are_preloaded_and_a_broken_one_fails_its_jobs() -> None:
    async with pool(preload=("no.such.module", "convert_support.packed", "support.jobs")) as made:
        assert await run(made, "imported", name="convert_support.packed")
        assert not await run(made, "imported", name="convert_support.compound")
        with pytest.raises(ConversionFailed):
            await made.run(Job[Any]("no.such.module:job", Any), b"", deadline=Deadline.after(30, CLOCK))


async def test_concurrent_jobs_never_mix_their_results() -> None:
    chance = random.Random(11)
    options: dict[str, dict[str, Any]] = {"crash": {"how": "segfault"}, "hang": {}}
    async with pool(Limits(memory_mb=200), size=3, spares=1, queue=100) as made:

        async def one(at: int) -> None:
            fate = chance.choice(("echo", "echo", "echo", "hang", "crash", "leave"))
            await asyncio.sleep(chance.random())
            if fate == "echo":
                assert (await run(made, "echo", b"x" * at, at=at))[::2] == [at, {"at": at}]
            elif fate == "leave":
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(chance.random() / 3):
                        await run(made, "echo")
            else:
                with pytest.raises((ConversionFailed, Overloaded)):
                    await run(made, fate, seconds=2, **options[fate])

        async with asyncio.TaskGroup() as group:
            for at in range(30):
                group.create_task(one(at))
        await until(lambda: len(children()) <= 4)


async def test_nothing_is_started_after_close() -> None:
    async with pool() as made:
        await run(made, "echo")
        job = asyncio.create_task(run(made, "hang"))
        await asyncio.sleep(0.2)
        await made.close()
        with pytest.raises((ConversionFailed, asyncio.CancelledError)):
            await job
        with pytest.raises(Overloaded):
            await run(made, "echo")
