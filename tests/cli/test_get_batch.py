"""`webquarry get` with several URLs or files, written to a directory."""

import asyncio
import json
import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from support.sandbox import Sandbox, running_sandbox
from support.terminal import PROGRAM, make_environment, run_in_pipes, run_on_terminal
from webquarry.cli import batch as batches
from webquarry.cli.asking import Failure, Question, Reply
from webquarry.cli.batch import Batch, list_errands
from webquarry.cli.catalogue import read_catalogue
from webquarry.cli.exit_codes import Exit
from webquarry.cli.result_files import MAX_NAME_CHARS, name_converted, name_results, write_new


class Asker:
    """An asker that returns the subject, fails for some subjects, and counts concurrent requests."""

    def __init__(self, failures: dict[str, list[str]] | None = None) -> None:
        self.failures = failures or {}
        self.asked: list[str] = []
        self.open = 0
        self.most_open = 0

    async def ask(self, question: Question) -> Reply:
        self.asked.append(question.subject)
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        self.open -= 1
        if codes := self.failures.get(question.subject):
            raise Failure("No.", codes.pop(0), retry_after_s=0)
        return Reply(json.dumps({"markdown": question.subject}).encode(), 1, "miss")


def make_batch(folder: Path, subjects: Sequence[str], *, force: bool = False, jobs: int = 3) -> Batch:
    questions = [Question(read_catalogue()["markdown_url"], (), subject) for subject in subjects]
    return Batch(list_errands(questions, [folder / subject for subject in subjects]), jobs, True, force, False)


async def test_the_number_of_concurrent_requests_is_limited(tmp_path: Path) -> None:
    asker, batch = Asker(), make_batch(tmp_path, [f"s{number}" for number in range(20)])
    await batch.run(asker)
    assert (asker.most_open, batch.written, batch.credits, batch.exit) == (3, 20, 20, Exit.OK)
    assert (tmp_path / "s7").read_text() == "s7"


async def test_a_failure_does_not_end_other_requests(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asker, batch = Asker({"b": ["provider_error"]}), make_batch(tmp_path, ["a", "b", "c"], jobs=1)
    await batch.run(asker)
    assert sorted(os.listdir(tmp_path)) == ["a", "c"]
    assert (batch.exit, batch.summary()) == (Exit.SOURCE, "2 written, 1 failed. 2 credits charged.")
    assert capsys.readouterr().err == "b: No. (provider_error)\n"


async def test_rate_limits_are_waited_for_a_limited_number_of_times(tmp_path: Path) -> None:
    asker = Asker({"a": ["rate_limited", "overloaded"], "b": ["rate_limited"] * 99})
    batch = make_batch(tmp_path, ["a", "b"])
    await batch.run(asker)
    assert asker.asked.count("a") == 3
    assert asker.asked.count("b") == batches.MAX_WAITS + 1
    assert batch.exit is Exit.BUSY


async def test_existing_files_are_kept_without_sending_their_requests(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    asker, batch = Asker(), make_batch(tmp_path, ["a", "b"])
    await batch.run(asker)
    assert (asker.asked, (tmp_path / "a").read_text(), batch.exit) == (["b"], "old", Exit.OK)
    assert "1 kept (--force replaces existing files)" in batch.summary()
    await make_batch(tmp_path, ["a"], force=True).run(asker)
    assert (tmp_path / "a").read_text() == "a"


async def test_file_that_cannot_be_written_is_a_failure_of_its_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    batch = make_batch(tmp_path / "none", ["a"])
    await batch.run(Asker())
    assert batch.exit is Exit.FAILED
    assert "Can't write" in capsys.readouterr().err


def test_file_created_in_the_meantime_is_not_replaced(tmp_path: Path) -> None:
    target = tmp_path / "page.md"
    target.write_text("theirs")
    with pytest.raises(FileExistsError):
        write_new(target, b"ours", force=False)
    assert (target.read_text(), len(list(tmp_path.iterdir()))) == ("theirs", 1)


def test_link_in_the_directory_is_replaced_and_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("theirs")
    (tmp_path / "page.md").symlink_to(outside)
    write_new(tmp_path / "page.md", b"ours", force=True)
    assert (outside.read_text(), (tmp_path / "page.md").read_text()) == ("theirs", "ours")


@pytest.mark.parametrize(
    ("subject", "name"),
    [
        ("https://example.com/", "example.com.md"),
        ("https://example.com/about", "example.com_about.md"),
        ("https://example.com/about/", "example.com_about_.md"),
        ("example.com", "example.com.md"),
        ("1729000000000000001", "1729000000000000001.md"),
    ],
)
def test_names_of_results_can_be_read(subject: str, name: str) -> None:
    assert name_results([subject], ".md") == [name]


HOSTILE = (
    "../../etc/passwd",
    "..",
    ".",
    ".bashrc",
    "-rf",
    "a\x00b",
    "a\nb",
    "~/x",
    "con/../..",
    "https://example.com/?page=1",
    "https://example.com/?page=2",
    "https://example.com/a_b",
    "https://example.com/a/b",
    "https://example.com/a-b",
    "https://example.com/A/b",
    "http://example.com/a/b",
    "https://example.com/#a",
    "https://example.com//",
    "x" * 5000,
    "x" * 4999,
    "漢字",
    "漢",
    "\u202egpj.exe",
    "\udcff",
    " ",
)


def get(server: Sandbox, folder: Path, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run `webquarry get` against the server."""
    variables = {"WEBQUARRY_SERVER": server.url, "WEBQUARRY_API_KEY": server.key}
    return run_in_pipes("get", *arguments, folder=folder, stdin=stdin, **variables)


def test_different_subjects_have_different_safe_names() -> None:
    for names in ([name_results([each], ".md")[0] for each in HOSTILE], name_results(HOSTILE, ".md")):
        assert len({name.lower() for name in names}) == len(HOSTILE)
        for name in names:
            assert name.isascii()
            assert name.isprintable()
            assert not set(name) & set('/\\ :*?"<>|~$')
            assert not name.startswith(".")
            assert len(name) <= MAX_NAME_CHARS + 20


def test_files_of_one_name_have_results_of_different_names() -> None:
    assert name_converted(["a/report.pdf", "notes.csv"], ".md") == ["report.pdf.md", "notes.csv.md"]
    first, second = name_converted(["a/report.pdf", "b/report.pdf"], ".md")
    assert first != second
    assert first.startswith("report.pdf-")


def test_several_subjects_are_written_to_a_directory(server: Sandbox, tmp_path: Path) -> None:
    asked = ["example.com", "https://example.com/", "localhost", "example.com"]
    done = get(server, tmp_path, "domain_registration", *asked, "-o", "out/", "--raw")
    assert (done.returncode, done.stdout) == (2, b"")
    lines = done.stderr.decode().splitlines()
    assert lines[0].startswith("localhost: ")
    assert lines[-1].startswith("out: 2 written, 1 failed.")
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert len(names) == 2
    assert (tmp_path / "out" / names[0]).read_text().startswith("# example.com: registration")


def test_files_are_converted_into_a_directory_beside_one_that_is_missing(server: Sandbox, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "scores.csv").write_text(f"Name,Score\n{folder},12\n")
    asked = ["a/scores.csv", "none.csv", "b/scores.csv"]
    done = get(server, tmp_path, "markdown_file", *asked, "-o", "out", "--json")
    assert done.returncode == 2
    (failure,) = [json.loads(line) for line in done.stderr.splitlines()]
    assert (failure["subject"], failure["code"]) == ("none.csv", "invalid_params")
    assert (
        sorted(json.loads(path.read_bytes())["extractor"] for path in (tmp_path / "out").iterdir())
        == ["markdown_file"] * 2
    )


def test_lines_of_standard_input_are_subjects(server: Sandbox, tmp_path: Path) -> None:
    done = get(server, tmp_path, "domain_registration", "-", "-o", "out/", stdin=b"example.com\n\n")
    assert (done.returncode, [path.name for path in (tmp_path / "out").iterdir()]) == (0, ["example.com.json"])
    empty = run_in_pipes("get", "domain_registration", "-", "--sandbox", folder=tmp_path)
    assert (empty.returncode, b"Standard input has no lines." in empty.stderr) == (2, True)


def test_several_subjects_need_a_directory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for output in ([], ["-o", "file"]):
        done = run_in_pipes("get", "domain_registration", "a.com", "b.com", *output, folder=tmp_path)
        assert (done.returncode, done.stdout) == (2, b"")
        assert b"director" in done.stderr


def test_progress_of_local_requests_is_shown_on_a_terminal(tmp_path: Path) -> None:
    shown = run_on_terminal(
        "get", "domain_registration", "example.com", "localhost", "--sandbox", "-o", "out/", folder=tmp_path
    )
    assert "0 of 2 " in shown.text
    assert shown.text.splitlines()[-1] == "out: 1 written, 1 failed."


def test_rate_limit_has_its_own_exit_code_and_an_interruption_ends_with_the_summary(tmp_path: Path) -> None:
    with running_sandbox(tmp_path, rate_limit_per_minute=1) as server:
        assert get(server, tmp_path, "domain_registration", "example.com").returncode == 0
        refused = get(server, tmp_path, "domain_registration", "example.com")
        assert (refused.returncode, b"(rate_limited)" in refused.stderr) == (6, True)
        key = server.open_account("other@example.com")
        variables = {"WEBQUARRY_SERVER": server.url, "WEBQUARRY_API_KEY": key, "PYTHONUNBUFFERED": "1"}
        process = subprocess.Popen(
            [PROGRAM, "get", "domain_registration", "example.com", "example.org", "example.net", "-j1", "-o", "out/"],
            cwd=tmp_path,
            stderr=subprocess.PIPE,
            env=make_environment(tmp_path, **variables),
        )
        while not (tmp_path / "out" / "example.com.json").exists():
            assert process.poll() is None
        os.kill(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert errors.decode().splitlines()[-1].startswith("out: 1 written, 2 not ")
    assert b"Traceback" not in errors
