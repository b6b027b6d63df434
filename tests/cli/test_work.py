"""`webquarry work`: a process that only works on jobs."""

import asyncio
import re
import sys
from pathlib import Path
from typing import Any

import aiohttp
from prometheus_client.parser import text_string_to_metric_families

from support.postgres import Postgres
from support.server import Server, environment
from support.terminal import run_in_pipes

ITEMS = 20


async def read_metrics(session: aiohttp.ClientSession, url: str) -> dict[str, float]:
    async with session.get(f"{url}/metrics") as response:
        families = text_string_to_metric_families(await response.text())
        return {f"{each.name}{dict(each.labels) or ''}": each.value for family in families for each in family.samples}


async def end(session: aiohttp.ClientSession, url: str) -> Any:
    async with asyncio.timeout(120):
        while True:
            async with session.get(url) as response:
                job = await response.json()
            if job["state"] == "done":
                return job
            await asyncio.sleep(0.2)


async def test_a_worker_runs_the_jobs_that_a_server_accepts(postgres: Postgres, tmp_path: Path) -> None:
    """The items are invalid, and skipped ones fail without a visit, so nothing leaves the machine."""
    url = await postgres.database()
    async with Server(tmp_path, database_url=url, jobs="false") as server:
        headers = {"authorization": f"Bearer {await server.first_key()}"}
        async with aiohttp.ClientSession(headers=headers) as session:
            body = {"operation": "markdown_url", "invalid": "skip", "inputs": [{"url": "gopher://x"}] * ITEMS}
            async with session.post(f"{server.url}/api/v1/jobs", json=body) as response:
                job = await response.json()
            await asyncio.sleep(1)
            link = f"{server.url}{job['links']['self']}"
            async with session.get(link) as response:
                assert (await response.json())["counts"]["ready"] == ITEMS
            process = await asyncio.create_subprocess_exec(
                Path(sys.executable).with_name("webquarry"),
                *("work", "--port", "0", "--data-dir", tmp_path / "worker"),
                env=environment({"database_url": url, "jobs": "false"}),
                stdout=asyncio.subprocess.PIPE,
            )
            try:
                assert process.stdout is not None
                async with asyncio.timeout(120):
                    greeting = (await process.stdout.readline()).decode()
                found = re.search(r"Working on jobs\. .* at (\S+)/readyz", greeting)
                assert found is not None, greeting
                assert (await end(session, link))["counts"]["failed"] == ITEMS
                metrics = await read_metrics(session, found[1])
                assert metrics["webquarry_job_items_ended_total{'state': 'failed'}"] == ITEMS
                assert metrics["webquarry_job_items_open{'state': 'running'}"] in (0, ITEMS)
                assert metrics["webquarry_job_lanes_resting"] == 0
                for path, status in (("/readyz", 200), ("/healthz", 200), ("/", 404), ("/api/v1/jobs", 404)):
                    async with session.get(f"{found[1]}{path}") as response:
                        assert (path, response.status) == (path, status)
            finally:
                process.terminate()
                async with asyncio.timeout(60):
                    code = await process.wait()
            assert code in (0, -15)


def test_a_worker_needs_postgresql(tmp_path: Path) -> None:
    done = run_in_pipes("work", "--port", "0", folder=tmp_path)
    assert done.returncode == 1
    assert b"needs WEBQUARRY_DATABASE_URL" in done.stderr
