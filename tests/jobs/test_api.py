"""`/api/v1/jobs` over HTTP, on the real command with sample data."""

import asyncio
import io
import json
import zipfile
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from support.sandbox import Sandbox

ONE = {"operation": "markdown_url", "inputs": [{"url": "https://example.com/"}]}


class Caller:
    """A client with the sandbox's key."""

    def __init__(self, session: aiohttp.ClientSession, sandbox: Sandbox) -> None:
        self.session = session
        self._url = f"{sandbox.url}/api/v1"
        self._headers = {"authorization": f"Bearer {sandbox.key}"}

    async def send(self, method: str, path: str, *, headers: dict[str, str] | None = None, **sent: Any) -> Any:
        """Return (status, headers, body), with a JSON body parsed."""
        async with self.session.request(
            method, self._url + path, headers={**self._headers, **(headers or {})}, **sent
        ) as response:
            body = await response.read()
            is_json = response.content_type == "application/json"
            return response.status, response.headers, json.loads(body) if is_json else body

    async def start(self, body: Any = ONE, **headers: str) -> Any:
        return await self.send("POST", "/jobs", json=body, headers={k.replace("_", "-"): v for k, v in headers.items()})

    async def end(self, job_id: str) -> Any:
        async with asyncio.timeout(60):
            while True:
                _, _, job = await self.send("GET", f"/jobs/{job_id}")
                if job["state"] in ("done", "cancelled"):
                    return job
                await asyncio.sleep(0.05)


@pytest.fixture
async def caller(sandbox: Sandbox) -> AsyncIterator[Caller]:
    async with aiohttp.ClientSession() as session:
        yield Caller(session, sandbox)


async def test_a_job_runs_its_inputs_and_streams_its_results(caller: Caller) -> None:
    urls = ["https://example.com/", "https://example.com/nothing-here", "https://example.com/"]
    status, headers, started = await caller.start({"operation": "markdown_url", "inputs": [{"url": u} for u in urls]})
    assert (status, headers["location"]) == (202, f"/api/v1/jobs/{started['id']}")
    assert (started["items"], started["worst_case_credits"]) == (3, 3)
    job = await caller.end(started["id"])
    assert job["counts"] == {"ready": 0, "running": 0, "done": 2, "failed": 1, "stopped": 0}
    assert job["charged"] + job["cached"] <= 2
    _, headers, body = await caller.send("GET", f"/jobs/{job['id']}/results.ndjson?format=markdown")
    lines = [json.loads(line) for line in body.splitlines()]
    assert headers["content-type"] == "application/x-ndjson"
    assert [line["ending"] for line in lines] == [1, 2, 3]
    by_number = {line["n"]: line for line in lines}
    assert by_number[0]["result"]["markdown"].startswith("# ")
    assert "data" not in by_number[0]["result"]
    assert by_number[1]["error"]["code"] in ("not_found", "provider_error")
    _, _, rest = await caller.send("GET", f"/jobs/{job['id']}/results.ndjson?after=2")
    assert [json.loads(line)["ending"] for line in rest.splitlines()] == [3]


async def test_a_job_names_a_webhook_of_the_account(caller: Caller) -> None:
    status, _, refused = await caller.start({**ONE, "webhook": "https://example.com/unknown"})
    assert (status, refused["code"]) == (400, "invalid_params")
    assert "'webhook' is neither the ID nor the address" in refused["error"]
    address = {"url": "https://example.com/known"}
    _, _, webhook = await caller.send("POST", "/webhooks", json=address)
    for name in (webhook["id"], webhook["url"]):
        status, _, started = await caller.start({**ONE, "webhook": name})
        assert status == 202
        await caller.end(started["id"])
    status, _, refused = await caller.send("POST", "/crawl", json={**address, "webhook": "wh_" + "0" * 24})
    assert (status, refused["code"]) == (400, "invalid_params")


async def test_a_followed_stream_ends_with_the_job(caller: Caller) -> None:
    _, _, started = await caller.start()
    async with asyncio.timeout(30):
        _, _, body = await caller.send("GET", f"/jobs/{started['id']}/results.ndjson?follow=true&fields=title")
    [line] = [json.loads(line) for line in body.splitlines()]
    assert list(line["result"]["fields"]) == ["title"]


async def test_an_archive_has_a_file_for_each_result(caller: Caller) -> None:
    _, _, started = await caller.start()
    await caller.end(started["id"])
    _, headers, body = await caller.send("GET", f"/jobs/{started['id']}/results.zip")
    assert headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        assert archive.namelist() == ["000000.md", "000000.json", "items.ndjson"]
        assert archive.read("000000.md").startswith(b"# ")


async def test_items_are_listed_in_pages(caller: Caller) -> None:
    body = {"operation": "markdown_url", "inputs": [{"url": f"https://example.com/?n={n}"} for n in range(5)]}
    _, _, started = await caller.start(body)
    path, found, after = f"/jobs/{started['id']}/items?limit=2", [], -1
    while after is not None:
        _, _, page = await caller.send("GET", f"{path}&after={after}")
        found += [item["n"] for item in page["items"]]
        after = page["next_after"]
    assert found == [0, 1, 2, 3, 4]


async def test_events_have_the_counts_and_the_end(caller: Caller) -> None:
    _, _, started = await caller.start()
    async with asyncio.timeout(30):
        _, headers, body = await caller.send("GET", f"/jobs/{started['id']}/events")
    assert headers["content-type"] == "text/event-stream"
    events = [dict(line.split(": ", 1) for line in event.splitlines()) for event in body.decode().strip().split("\n\n")]
    assert events[-1]["event"] == "end"
    assert json.loads(events[-1]["data"])["state"] == "done"
    assert [int(event["id"]) for event in events] == sorted(int(event["id"]) for event in events)


async def test_a_body_of_lines_starts_a_job(caller: Caller) -> None:
    inputs = [{"url": f"https://example.com/?l={n}"} for n in range(300)]
    lines = [{"operation": "markdown_url", "name": "lines"}, *inputs]
    text = "\n".join(json.dumps(line) for line in lines) + "\n\n"
    status, _, started = await caller.send("POST", "/jobs", data=text, headers={"content-type": "application/x-ndjson"})
    assert (status, started["items"], started["name"]) == (202, 300, "lines")
    _, _, cancelled = await caller.send("POST", f"/jobs/{started['id']}/cancel")
    assert cancelled["state"] in ("cancelled", "done")


async def test_the_same_key_and_body_give_the_same_job(caller: Caller) -> None:
    _, _, one = await caller.start(idempotency_key="k1")
    _, _, two = await caller.start(idempotency_key="k1")
    assert one["id"] == two["id"]
    other = {**ONE, "name": "other"}
    status, _, error = await caller.start(other, idempotency_key="k1")
    assert (status, error["code"]) == (409, "idempotency_conflict")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"operation": "markdown_ur", "inputs": [{"url": "https://example.com/"}]}, "did you mean 'markdown_url'?"),
        ({"operation": "markdown_url", "inputs": []}, "Field 'inputs' is not valid"),
        ({"operation": "markdown_url"}, "Field 'inputs' is required."),
        ({"operation": "markdown_url", "inputs": [{}]}, "input 0: Parameter 'url' is required"),
        ({"operation": "markdown_url", "inputs": [{"url": "no"}, {"url": "https://a.example"}, {"u": 1}]}, "input 2: "),
        ({**ONE, "max_credit": 1}, "Unknown field 'max_credit'; did you mean 'max_credits'?"),
        ({**ONE, "max_credits": -1}, "Field 'max_credits' is not valid"),
        ({**ONE, "concurrency": 33}, "Field 'concurrency' is not valid"),
        ({**ONE, "shared": {"query": "x"}}, "'query' belongs to responses"),
        ({**ONE, "shared": {"format": "html"}}, "Parameter 'format' must be one of"),
        ({**ONE, "inputs": [{"url": ["x"]}]}, "Field 'inputs.0.url' is not valid"),
        ({"operation": "markdown_file", "inputs": [{"a": "b"}]}, "takes files"),
        ([], "The body is not valid"),
    ],
)
async def test_an_invalid_request_is_refused_and_starts_nothing(caller: Caller, body: Any, message: str) -> None:
    _, _, before = await caller.send("GET", "/jobs?limit=1")
    status, headers, error = await caller.start(body)
    assert (status, error["code"], headers["x-credits-charged"]) == (400, "invalid_params", "0")
    assert message in error["error"]
    assert (await caller.send("GET", "/jobs?limit=1"))[2] == before


async def test_at_most_twenty_errors_are_listed(caller: Caller) -> None:
    status, _, error = await caller.start({"operation": "markdown_url", "inputs": [{"url": "no"}] * 500})
    assert (status, error["error"].count("input ")) == (400, 20)


async def test_invalid_inputs_can_be_skipped(caller: Caller) -> None:
    body = {"operation": "markdown_url", "invalid": "skip", "inputs": [{"url": "no"}, {"url": "https://example.com/"}]}
    _, _, started = await caller.start(body)
    job = await caller.end(started["id"])
    assert (job["counts"]["done"], job["counts"]["failed"]) == (1, 1)
    _, _, page = await caller.send("GET", f"/jobs/{started['id']}/items?state=failed")
    assert [item["code"] for item in page["items"]] == ["invalid_params"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", f"/jobs/job_{'0' * 32}", 404),
        ("GET", "/jobs/nothing", 404),
        ("GET", f"/jobs/job_{'0' * 32}/items", 404),
        ("GET", f"/jobs/job_{'0' * 32}/results.ndjson", 404),
        ("POST", f"/jobs/job_{'0' * 32}/cancel", 404),
        ("GET", f"/jobs/job_{'0' * 32}/cancel", 405),
        ("DELETE", "/jobs", 405),
        ("GET", f"/jobs/job_{'0' * 32}/item", 404),
        ("GET", "/jobs?limit=0", 400),
        ("GET", "/jobs?cursor=x", 400),
    ],
)
async def test_other_requests_are_refused(caller: Caller, method: str, path: str, status: int) -> None:
    found, _, error = await caller.send(method, path)
    assert (found, set(error)) == (status, {"error", "code"})


async def test_a_body_of_another_type_is_refused(caller: Caller) -> None:
    status, _, error = await caller.send("POST", "/jobs", data=b"x", headers={"content-type": "text/plain"})
    assert (status, error["code"]) == (415, "unsupported_type")
