"""The official conformance suite, with the real authentication and the fixtures that it needs.

Every scored check passes, without a list of expected failures. All of both revisions takes a minute and is `long`; the
checks that differ most between servers are in every run, unless the suite's packages cannot be installed.
"""

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from support.node import install, run_node
from support.tools import HANDSHAKEN, MODERN

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.flaky(reruns=2, reruns_delay=1)]
"""The suite gives some streams half a second, so a busy machine gets two more attempts."""
_START_S = 120.0
_SUITE = "node_modules/@modelcontextprotocol/conformance/dist/index.js"
_TOTAL = re.compile(r"^Total: (\d+) passed, (\d+) failed", re.MULTILINE)
_SCENARIO = re.compile(r"^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed", re.MULTILINE)
_UNSCORED = re.compile(r"^  [✓✗] ([\w-]+) \(", re.MULTILINE)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def address(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    folder = tmp_path_factory.mktemp("conformance")
    with (folder / "errors").open("wb") as errors:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "support.conformance", str(folder / "data")),
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
        )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(_START_S):
            yield (await process.stdout.readline()).decode().strip()
    finally:
        process.terminate()
        await process.wait()


@pytest.mark.parametrize(
    ("revision", "scenario", "least"),
    [
        (MODERN, "server-stateless", 25),
        (HANDSHAKEN, "server-initialize", 1),
        (HANDSHAKEN, "dns-rebinding-protection", 1),
    ],
)
async def test_a_scenario_of_the_suite_passes(
    address: str, tmp_path: Path, revision: str, scenario: str, least: int
) -> None:
    try:
        await install()
    except (RuntimeError, TimeoutError) as error:
        pytest.skip(str(error)[:300])
    report = await run_suite(address, tmp_path, "--scenario", scenario, "--spec-version", revision)
    passed = re.search(r"(\d+)/(\d+) passed|Passed: (\d+)/(\d+)", report)
    assert passed is not None, report[-2000:]
    first, second = [int(figure) for figure in passed.groups() if figure is not None]
    assert first == second >= least, report[-4000:]


@pytest.mark.long
@pytest.mark.parametrize(("revision", "scenarios"), [(MODERN, 37), (HANDSHAKEN, 30)])
async def test_all_requirements_of_a_revision_pass(address: str, tmp_path: Path, revision: str, scenarios: int) -> None:
    report = await run_suite(address, tmp_path, "--requirements", revision)
    unscored = set(_UNSCORED.findall(report))
    scored = {
        name: (int(passed), int(failed))
        for _, name, passed, failed in _SCENARIO.findall(report)
        if name not in unscored
    }
    assert len(scored) == scenarios
    assert not {name: figures for name, figures in scored.items() if figures[1] or not figures[0]}, report[-6000:]
    assert _TOTAL.search(report)


async def run_suite(address: str, folder: Path, *options: str) -> str:
    """Run the suite, assert that it succeeds, and return its output."""
    packages = await install()
    ended = await run_node(
        *(str(packages / _SUITE), "server", "--url", f"{address}/mcp", *options, "--output-dir", str(folder)),
        seconds=300,
        folder=folder,
    )
    assert ended.code == 0, ended.errors[-2000:] + ended.out[-6000:]
    return f"{ended.out}\n{ended.errors}"
