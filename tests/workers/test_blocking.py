from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from webquarry.core.errors import ConversionFailed
from webquarry.workers.blocking import BlockingWorkers
from webquarry.workers.job import Job

Ask = Callable[[str, bytes, float], Any]


@pytest.fixture
def ask() -> Iterator[Ask]:
    made = BlockingWorkers(("support.jobs",))

    def run(function: str, body: bytes, within_s: float) -> Any:
        return made.do(lambda isolated, _: isolated(Job(function, Any), body, {}, heavy=False), within_s).facts

    yield run
    made.close()


def test_each_job_has_a_separate_child(ask: Ask) -> None:
    assert len({ask("support.jobs:echo", b"", 30)[3] for _ in range(5)}) == 5


def test_threads_get_their_own_results(ask: Ask) -> None:
    with ThreadPoolExecutor(8) as threads:
        answers = threads.map(lambda at: ask("support.jobs:echo", b"x" * at, 30)[0], range(40))
        assert list(answers) == list(range(40))


def test_hanging_job_is_ended(ask: Ask) -> None:
    ask("support.jobs:echo", b"", 30)  # a child runs
    with pytest.raises(ConversionFailed) as caught:
        ask("support.jobs:hang", b"", 0.3)
    assert caught.value.reason == "timeout"
    assert ask("support.jobs:echo", b"abc", 30)[0] == 3
