"""`webquarry job` and `webquarry crawl`, with and without a server."""

import asyncio
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from support.made_site import MadeSite
from support.sandbox import Sandbox
from support.terminal import PROGRAM, make_environment, run_in_pipes, run_on_terminal
from webquarry.cli.asking import Failure
from webquarry.cli.catalogue import read_catalogue, read_common_parameters, read_crawl_fields, read_job_fields
from webquarry.cli.jobs.folder import ABOUT, LOG, ResultFolder
from webquarry.cli.jobs.inputs import find_subject, read_inputs
from webquarry.cli.jobs.local import FOLDER
from webquarry.cli.jobs.operations import split_lines
from webquarry.storage import FolderLock

EXAMPLE = "https://example.com/"
MISSING = "https://example.com/nothing-here"
SEARCH, PAGE = read_catalogue()["search"], read_catalogue()["markdown_url"]
PLACES = ("here", "server")


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest) -> dict[str, str]:
    """Variables with which commands use jobs of this process, or of a server."""
    if request.param == "here":
        return {}
    server: Sandbox = request.getfixturevalue("server")
    return {"WEBQUARRY_SERVER": server.url, "WEBQUARRY_API_KEY": server.key}


def run(folder: Path, place: Mapping[str, str], *arguments: str, stdin: bytes = b"") -> CompletedProcess[bytes]:
    own = () if place else ("--sandbox",)
    return run_in_pipes(*arguments, *own, folder=folder, stdin=stdin, **place)


def read_index(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "index.ndjson").read_bytes().splitlines()]


def visible(folder: Path) -> list[str]:
    return sorted(name for name in os.listdir(folder) if not name.startswith("."))


def test_a_job_writes_a_file_for_each_result_and_an_index(place: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(f"url\n{EXAMPLE}\n{MISSING}\n{EXAMPLE}\n")
    command = ("job", "run", "markdown_url", "--inputs", "in.csv", "--out", "out", "--raw")
    done = run(tmp_path, place, *command)
    assert done.returncode == 5, done.stderr
    assert f"{MISSING}: ".encode() in done.stderr
    assert b"out: 2 written, 1 failed." in done.stderr
    items = read_index(tmp_path / "out")
    assert [(item["n"], item["state"]) for item in items] == [(0, "done"), (1, "failed"), (2, "done")]
    assert items[1]["file"] is None
    names = {items[0]["file"], items[2]["file"]}
    assert len(names) == 2
    assert "example.com.md" in names
    assert visible(tmp_path / "out") == sorted({*names, "index.ndjson"})
    for name in names:
        assert (tmp_path / "out" / name).read_text().startswith("# ")
    again = run(tmp_path, place, *command)
    assert (again.returncode, read_index(tmp_path / "out")) == (5, items)
    assert MISSING.encode() not in again.stderr
    other = run(tmp_path, place, *command, "--max_credits", "7")
    assert (other.returncode, b"results of another job" in other.stderr) == (2, True)


def test_results_can_be_shortened_and_are_json_by_default(place: dict[str, str], tmp_path: Path) -> None:
    shortened = ("--fields", "title", "--format", "json")
    done = run(
        tmp_path, place, "job", "run", "markdown_url", "-i", "-", "-o", "out", *shortened, stdin=EXAMPLE.encode()
    )
    assert done.returncode == 0, done.stderr
    result = json.loads((tmp_path / "out/example.com.json").read_bytes())
    assert result["fields"].keys() == {"title"}
    assert "markdown" not in result


def test_nothing_begins_if_an_input_is_invalid(place: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "in.ndjson").write_text('{"url": "https://example.com/"}\n{"url": "gopher://x"}\n')
    command = ("job", "run", "markdown_url", "-i", "in.ndjson", "-o", "out")
    done = run(tmp_path, place, *command)
    assert done.returncode == 2
    assert b"input 1: " in done.stderr
    assert visible(tmp_path / "out") == []
    assert run(tmp_path, place, *command, "--json").stderr.count(b'"code": "invalid_params"') == 1
    (tmp_path / "in.ndjson").write_text('{"url": "https://example.com/"}\n')
    corrected = run(tmp_path, place, *command)
    assert (corrected.returncode, visible(tmp_path / "out")) == (0, ["example.com.json", "index.ndjson"])


def test_jobs_are_listed_shown_and_cancelled(place: dict[str, str], tmp_path: Path) -> None:
    done = run(tmp_path, place, "job", "run", "markdown_url", "-i", "-", "-o", "out", "--json", stdin=EXAMPLE.encode())
    job = json.loads(done.stdout)
    assert job["counts"]["done"] == 1
    listed = json.loads(run(tmp_path, place, "job", "list", "--json").stdout)
    assert job["id"] in [each["id"] for each in listed]
    assert job["id"].encode() in run(tmp_path, place, "job", "list").stdout
    for action in ("show", "pause", "resume", "retry", "cancel"):
        shown = run(tmp_path, place, "job", action, job["id"])
        assert (shown.returncode, shown.stderr) == (0, b""), action
        assert b"1 of 1  markdown_url\n  1 done" in shown.stdout
    printed = run(tmp_path, place, "job", "results", job["id"])
    assert json.loads(printed.stdout)["result"]["markdown"].startswith("# ")
    written = run(tmp_path, place, "job", "results", job["id"], "--out", "again", "--raw")
    assert (written.returncode, visible(tmp_path / "again")) == (0, ["example.com.md", "index.ndjson"])
    for wrong in ("job_" + "0" * 32, "../jobs", "x/y"):
        missing = run(tmp_path, place, "job", "show", wrong)
        assert missing.returncode in (2, 3), wrong


def start(folder: Path, place: Mapping[str, str], *arguments: str) -> "subprocess.Popen[bytes]":
    line = [PROGRAM, *arguments, *(() if place else ("--sandbox",))]
    return subprocess.Popen(
        line, cwd=folder, env=make_environment(folder, **place), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def wait_for_files(folder: Path, count: int) -> None:
    until = time.monotonic() + 120
    while not folder.exists() or len(os.listdir(folder)) < count:
        assert time.monotonic() < until
        time.sleep(0.01)


def test_an_interrupted_job_goes_on_with_the_same_command(place: dict[str, str], tmp_path: Path) -> None:
    """Every result is written once, and no file is incomplete, however often the command is interrupted."""
    items = 500
    (tmp_path / "in.txt").write_text(f"{EXAMPLE}\n" * items)
    command = ("job", "run", "markdown_url", "-i", "in.txt", "-o", "out", "--name", "interrupted")
    for files, number in ((0, signal.SIGKILL), (20, signal.SIGKILL), (150, signal.SIGINT)):
        process = start(tmp_path, place, *command)
        wait_for_files(tmp_path / "out", files)
        process.send_signal(number)
        _, told = process.communicate(timeout=60)
        assert process.returncode in (-signal.SIGKILL, 130, 0), told
    last = run(tmp_path, place, *command)
    assert last.returncode == 0, last.stderr
    found = read_index(tmp_path / "out")
    assert [item["n"] for item in found] == list(range(items))
    assert sorted([*(item["file"] for item in found), "index.ndjson"]) == visible(tmp_path / "out")
    for item in found:
        assert json.loads((tmp_path / "out" / item["file"]).read_bytes())["data"]
    jobs = json.loads(run(tmp_path, place, "job", "list", "--json").stdout)
    assert [job["counts"]["done"] for job in jobs if job["name"] == "interrupted"].count(items) == 1
    assert not [name for name in os.listdir(tmp_path / "out") if name.endswith(".unfinished")]


def test_a_terminal_shows_a_bar(server: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(f"{EXAMPLE}\n" * 300 + f"{MISSING}\n")
    place = {"WEBQUARRY_SERVER": server.url, "WEBQUARRY_API_KEY": server.key}
    command = ("job", "run", "markdown_url", "--inputs", "in.txt", "--out", "out")
    shown = run_on_terminal(*command, folder=tmp_path, rows=24, columns=80, typed=b"", **place)
    assert shown.code == 5
    assert "out: 300 written, 1 failed." in shown.text
    assert re.search(r"\[#+\.*\] \d+ of 301", shown.text)


def test_a_server_that_is_gone_or_refuses_the_key_is_reported(server: Sandbox, tmp_path: Path) -> None:
    command = ("job", "run", "markdown_url", "-i", "-", "-o")
    gone = run(
        tmp_path, {"WEBQUARRY_SERVER": "http://127.0.0.1:1", "WEBQUARRY_API_KEY": "wq_x"}, *command, "a", stdin=b"x"
    )
    assert (gone.returncode, b"(unreachable)" in gone.stderr) == (7, True)
    wrong = {"WEBQUARRY_SERVER": server.url, "WEBQUARRY_API_KEY": "wq_live_wrong"}
    assert run(tmp_path, wrong, *command, "b", stdin=EXAMPLE.encode()).returncode == 4


def test_a_job_without_credits_pauses_and_goes_on_with_new_ones(server: Sandbox, tmp_path: Path) -> None:
    key = server.open_account("poor@example.com", 0)
    place = {"WEBQUARRY_SERVER": server.url, "WEBQUARRY_API_KEY": key}
    (tmp_path / "in.txt").write_text("https://example.com/long\n")
    command = ("job", "run", "markdown_url", "-i", "in.txt", "-o", "out", "--no_cache")
    paused = run(tmp_path, place, *command)
    assert (paused.returncode, b"(insufficient_credits)" in paused.stderr) == (4, True)
    assert b"0 written" in paused.stderr or b"1 not ended" in paused.stderr
    server.command("credits", "grant", "poor@example.com", "5")
    done = run(tmp_path, place, *command)
    assert done.returncode == 0, done.stderr
    assert b"1 written. 1 credit charged." in done.stderr


def test_two_commands_share_neither_a_directory_nor_the_jobs_of_a_folder(tmp_path: Path) -> None:
    command = ("job", "run", "markdown_url", "-i", "-", "-o")
    with ResultFolder(tmp_path / "out"):
        same = run(tmp_path, {}, *command, "out", stdin=EXAMPLE.encode())
    assert (same.returncode, b"Another command writes to out" in same.stderr) == (2, True)
    with FolderLock(tmp_path / "data" / FOLDER / "sandbox"):
        other = run(tmp_path, {}, *command, "other", stdin=EXAMPLE.encode())
    assert (other.returncode, b"Another command works on jobs in" in other.stderr) == (1, True)
    assert run(tmp_path, {}, *command, "other", stdin=EXAMPLE.encode()).returncode == 0


@pytest.fixture
async def site() -> AsyncIterator[MadeSite]:
    async with MadeSite(sections=2, pages=4) as site:
        yield site


async def test_a_crawl_writes_a_file_for_each_page(site: MadeSite, tmp_path: Path) -> None:
    command = ("crawl", site.url("/"), "-o", "out", "--sitemap", "skip", "--include", "/s0/*", "--exclude", "/s0/p3")
    variables = {"WEBQUARRY_EGRESS_ALLOW": site.target}
    done = await asyncio.to_thread(run, tmp_path, variables, *command)
    assert done.returncode == 0, done.stderr
    pages = read_index(tmp_path / "out")
    assert {page["input"]["url"].removeprefix(site.url("")) for page in pages} == {
        "/",
        "/s0/p0",
        "/s0/p1",
        "/s0/p2",
        "/s0/",
    }
    assert sorted([*(page["file"] for page in pages), "index.ndjson"]) == visible(tmp_path / "out")
    assert {page["depth"] for page in pages} >= {0, 1}
    for page in pages:
        assert (tmp_path / "out" / page["file"]).read_text().strip()
    [job] = json.loads((await asyncio.to_thread(run, tmp_path, variables, "job", "list", "--json")).stdout)
    later = (
        "crawl",
        site.url("/"),
        "-o",
        "later",
        "--sitemap",
        "skip",
        "--since",
        job["id"],
        "--no_cache",
        "--limit",
        "4",
    )
    done = await asyncio.to_thread(run, tmp_path, variables, *later)
    assert done.returncode == 0, done.stderr
    assert {page["change"] for page in read_index(tmp_path / "later")} == {"same"}


HOSTILE = [
    "../../etc/passwd",
    "/etc/passwd",
    "..",
    ".",
    ".webquarry-job.json",
    "index",
    "INDEX",
    "a\x00b",
    "x" * 5000,
    "\u202egnp.exe",
    "con",
    "",
    "a/../../b",
    "~root",
]


def test_no_subject_leaves_the_directory_or_replaces_its_own_files(tmp_path: Path) -> None:
    with ResultFolder(tmp_path / "out") as folder:
        folder.claim("digest")
        names = set()
        for n, subject in enumerate(HOSTILE * 2):
            item = {"n": n, "ending": n + 1, "state": "done", "input": {}}
            entry = folder.add(item, subject, ".md", str(n).encode())
            assert entry.file is not None
            names.add(entry.file)
            assert (tmp_path / "out" / entry.file).read_bytes() == str(n).encode()
        folder.write_index()
    assert len(names) == 2 * len(HOSTILE)
    assert not any(name.startswith(".") or len(name.encode()) > 200 for name in names)
    assert sorted(os.listdir(tmp_path / "out")) == sorted({*names, ABOUT, LOG, "index.ndjson"})
    assert os.listdir(tmp_path) == ["out"]
    with ResultFolder(tmp_path / "out") as folder:
        assert (folder.after, len(folder.entries)) == (2 * len(HOSTILE), 2 * len(HOSTILE))


def test_an_incomplete_line_of_the_log_is_dropped_and_a_damaged_one_refused(tmp_path: Path) -> None:
    item = {"ending": 1, "state": "done", "input": {}}
    with ResultFolder(tmp_path / "out") as folder:
        folder.claim("digest")
        folder.add({**item, "n": 0}, "a", ".md", b"a")
    log = tmp_path / "out" / LOG
    whole = log.read_bytes()
    log.write_bytes(whole + b'{"n":1,"end')
    with ResultFolder(tmp_path / "out") as folder:
        assert folder.after == 1
        folder.add({**item, "n": 1, "ending": 2}, "b", ".md", b"b")
    assert [json.loads(line)["n"] for line in log.read_bytes().splitlines()] == [0, 1]
    for damage in (b"[]\n", b"{}\n", b"null\n", b"\xff\n"):
        log.write_bytes(damage)
        with pytest.raises(Failure, match="damaged"), ResultFolder(tmp_path / "out"):
            pass


def test_a_directory_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(Failure, match="has other files"), ResultFolder(tmp_path):
        pass
    with pytest.raises(Failure, match="Can't use"), ResultFolder(tmp_path / "mine.txt"):
        pass
    assert os.listdir(tmp_path) == ["mine.txt"]


@pytest.mark.parametrize(
    ("name", "text", "inputs"),
    [
        ("q.csv", '\ufeffq,gl\r\n"a, ""b""",gb\r\nc,\r\n\r\n', [{"q": 'a, "b"', "gl": "gb"}, {"q": "c"}]),
        ("q.tsv", "q\tnum\na b\t3\n", [{"q": "a b", "num": "3"}]),
        ("q.jsonl", '{"q": "a"}\n\n{"q": "b", "num": 3}', [{"q": "a"}, {"q": "b", "num": 3}]),
        ("q.json", '[{"q": "a"}]', [{"q": "a"}]),
        ("q.json", '{"inputs": [{"q": "a"}]}', [{"q": "a"}]),
        ("q.txt", "a\r\n\n b\u2028c \n", [{"q": "a"}, {"q": "b\u2028c"}]),
        ("q", "a", [{"q": "a"}]),
    ],
)
def test_inputs_are_read_in_each_form(tmp_path: Path, name: str, text: str, inputs: list[dict[str, Any]]) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    assert read_inputs(str(tmp_path / name), None, SEARCH) == inputs


@pytest.mark.parametrize(
    ("name", "body", "message"),
    [
        ("q.csv", b"term\na\n", "has 'term', but search has no such parameter"),
        ("q.csv", b"q,q\na,b\n", "'q', twice"),
        ("q.csv", b"q\na,b\n", "Line 2 of .* has 2 columns"),
        ("q.csv", b'q\n"a\n', "Line 2 of .* is not valid"),
        ("q.csv", b"q\n" + b"x" * 200_000, "is not valid"),
        ("q.csv", b"", "has no inputs|must name"),
        ("q.csv", b"q\n", "has no inputs"),
        ("q.txt", b"\xff", "not UTF-8 text: byte 0"),
        ("q.txt", b"\n \n", "has no inputs"),
        ("q.ndjson", b'{"q": "a"}\n[1]', "Line 2 is not a JSON object"),
        ("q.ndjson", b"{", "Line 1 is not valid JSON"),
        ("q.json", b'{"q": "a"}', "must be a JSON list"),
        ("q.json", b"[1]", "Input 0 of .* is not a JSON object"),
        ("missing.csv", None, "Can't read"),
    ],
)
def test_wrong_inputs_are_refused_with_their_place(tmp_path: Path, name: str, body: bytes | None, message: str) -> None:
    if body is not None:
        (tmp_path / name).write_bytes(body)
    with pytest.raises(Failure, match=message):
        read_inputs(str(tmp_path / name), None, SEARCH)


def test_an_input_is_named_by_its_subject() -> None:
    assert find_subject(PAGE, {"url": EXAMPLE, "country": "de"}) == EXAMPLE
    assert find_subject(SEARCH, {"num": 3}) == "3"


async def test_lines_are_split_wherever_chunks_end() -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for chunk in (b"", b"a", b"b\n", b"\nc\nd", b"e", b"\nincomplete"):
            yield chunk

    assert [line async for line in split_lines(chunks())] == [b"ab", b"", b"c", b"de"]


def test_no_parameter_of_an_endpoint_has_the_name_of_an_option_of_jobs() -> None:
    own = {"inputs", "inputs_format", "out", "retry", "raw", "server", "key", "sandbox", "data_dir", "json", "help"}
    taken = own | {each.name for each in read_job_fields()} | {each.name for each in read_common_parameters()}
    assert [(name, each.name) for name, entry in read_catalogue().items() for each in entry.parameters
            if each.name in taken] == []  # fmt: skip
    assert own.isdisjoint(each.name for each in (*read_job_fields(), *read_crawl_fields()))
