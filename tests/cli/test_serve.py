"""What a server does with its process."""

import asyncio
import gc
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from threading import Thread
from typing import Any

import pytest

from webquarry.accounts import Accounts
from webquarry.app import assemble
from webquarry.cli import serve
from webquarry.settings import Settings


async def test_collector_is_spared_what_stands_and_the_loop_comes_first_while_the_server_serves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Serving:
        should_exit = False
        frozen = 0
        threshold = 0
        turn_s = 0.0

        async def serve(self, **_: Any) -> None:
            self.frozen, self.threshold = gc.get_freeze_count(), gc.get_threshold()[0]
            self.turn_s = sys.getswitchinterval()

    before = gc.get_threshold()
    serving = Serving()
    monkeypatch.setattr(serve, "server", lambda *_, **__: serving)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    await serve.run(Settings(data_dir=tmp_path, port=0), sandbox=True)
    assert serving.frozen > 10_000
    assert serving.threshold > before[0]
    assert serving.turn_s == pytest.approx(serve.TURN_S)
    assert (gc.get_freeze_count(), gc.get_threshold()) == (0, before)


async def test_loop_comes_before_what_other_threads_compute() -> None:
    with _computing_beside():
        usual_s = await _median_lateness_s()
        with serve.put_the_loop_first():
            first_s = await _median_lateness_s()
    assert first_s < usual_s / 2
    assert sys.getswitchinterval() > serve.TURN_S


@contextmanager
def _computing_beside() -> Iterator[None]:
    """Another thread that never lets go of the interpreter by itself."""
    ended = False

    def compute() -> None:
        while not ended:
            pass

    thread = Thread(target=compute)
    thread.start()
    try:
        yield
    finally:
        ended = True
        thread.join()


async def _median_lateness_s() -> float:
    late_s = []
    for _ in range(30):
        due_s = time.perf_counter() + 0.001
        await asyncio.sleep(0.001)
        late_s.append(time.perf_counter() - due_s)
    return median(late_s)


async def test_assembling_the_parts_leaves_the_collector_alone(tmp_path: Path) -> None:
    async with assemble(Settings(data_dir=tmp_path), sandbox=True, serving=True):
        assert gc.get_freeze_count() == 0


async def test_servers_that_begin_at_once_on_one_store_make_one_first_account(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def find_none(_accounts: object) -> bool:
        return False

    monkeypatch.setattr(Accounts, "exist", find_none)
    async with assemble(Settings(data_dir=tmp_path), sandbox=True) as service:
        for _ in range(2):
            await serve.greet(service, from_tapes=False)
        assert len(await service.accounts.list_all()) == 1
    assert capsys.readouterr().out.count("shown this once") == 1
