"""`webquarry get --server`: the same commands, answered by a running server."""

import asyncio
import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from support.sandbox import Sandbox, running_sandbox
from support.terminal import run_in_pipes, run_on_terminal
from webquarry.cli.asking import Failure, Question, Reply
from webquarry.cli.catalogue import read_catalogue
from webquarry.cli.local import open_local
from webquarry.cli.server import check_url, read_key
from webquarry.core.settings import Settings

UNREGISTERED = Path(__file__).parents[1] / "tapes/domain_registration/unregistered/tape.toml"


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Question], Reply]]:
    """Return a function that asks the service in this process, as the command does without a server."""
    settings = Settings(data_dir=tmp_path_factory.mktemp("here"), workers=1)
    with asyncio.Runner() as runner:
        opened = open_local(settings, sandbox=True)
        local = runner.run(opened.__aenter__())
        try:
            yield lambda question: runner.run(local.ask(question))
        finally:
            runner.run(opened.__aexit__(None, None, None))


def ask(server: Sandbox, folder: Path, *arguments: str, key: str = "", stdin: bytes = b"") -> CompletedProcess[bytes]:
    """Run `webquarry get` against the server, with its key in the environment."""
    variables = {"WEBQUARRY_SERVER": server.url, "WEBQUARRY_API_KEY": key or server.key}
    return run_in_pipes("get", *arguments, folder=folder, stdin=stdin, **variables)


def make_question(options: list[str]) -> Question:
    """Return the request that the command sends about example.com's registration with these options."""
    names = (name.removeprefix("--") for name in options[::2])
    query = (("domain", "example.com"), *zip(names, options[1::2], strict=True))
    return Question(read_catalogue()["domain_registration"], query, "example.com")


@contextmanager
def listening(status: int, headers: dict[str, str], body: bytes = b"") -> Iterator[tuple[str, list[dict[str, str]]]]:
    """Run a server that is not Webquarry. Yields its URL and the headers of the requests that it received."""
    seen: list[dict[str, str]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # the name is the library's
            seen.append(dict(self.headers))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = threading.Thread(target=http.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{http.server_port}", seen
        finally:
            http.shutdown()
            thread.join()


def test_local_and_server_output_are_the_same(server: Sandbox, tmp_path: Path) -> None:
    for options in ([], ["--raw"]):
        here = run_in_pipes("get", "domain_registration", "example.com", "--sandbox", *options, folder=tmp_path)
        there = ask(server, tmp_path, "domain_registration", "example.com", *options)
        assert (here.returncode, there.returncode, there.stderr) == (0, 0, b"")
        if options == ["--raw"]:
            assert here.stdout == there.stdout
            continue
        ours, theirs = (json.loads(done.stdout) for done in (here, there))
        assert ours.keys() == theirs.keys()
        assert ours["data"] == theirs["data"]


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        (["--query", "name servers", "--max_tokens", "200"], {"data", "markdown", "excerpts", "matched", "omitted"}),
        (["--fields", "domain,nameservers", "--format", "json"], {"fields"}),
        (["--chunks", "100", "--format", "json"], {"data", "chunks"}),
        (["--footer", "false"], {"data", "markdown"}),
    ],
)
def test_local_and_server_responses_are_shortened_alike(
    server: Sandbox,
    here: Callable[[Question], Reply],
    tmp_path: Path,
    options: list[str],
    parts: set[str],
) -> None:
    there = ask(server, tmp_path, "domain_registration", "example.com", *options)
    assert (there.returncode, there.stderr) == (0, b"")
    ours, theirs = json.loads(here(make_question(options)).body), json.loads(there.stdout)
    assert parts <= ours.keys()
    assert ours.keys() & {"data", "markdown", "fields"} <= parts
    assert "*Fetched" not in ours.get("markdown", "")
    first = [body.pop("chunks", [None])[0] for body in (ours, theirs)]
    assert first[0] == first[1]
    own = {"id", "cached", "creditsCharged"}
    assert {name: ours[name] for name in ours.keys() - own} == {name: theirs[name] for name in theirs.keys() - own}


def test_local_and_server_refuse_invalid_portions_alike(
    server: Sandbox, here: Callable[[Question], Reply], tmp_path: Path
) -> None:
    options = ["--max_tokens", "3"]
    there = ask(server, tmp_path, "domain_registration", "example.com", *options)
    assert (there.returncode, there.stdout) == (2, b"")
    with pytest.raises(Failure, match="'max_tokens' must be a whole number from 200 to 100000") as refused:
        here(make_question(options))
    assert there.stderr.decode().splitlines()[0] == f"Error: {refused.value} ({refused.value.code})"


def test_answer_from_an_uploaded_file_is_markdown_alone_with_raw(server: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "notes.csv").write_text("Name,Score\n" + "".join(f"Person {n},{n}\n" for n in range(400)))
    asked = ("markdown_file", "notes.csv", "--query", "Person 217", "--max_tokens", "400", "--raw")
    for done in (run_in_pipes("get", *asked, folder=tmp_path), ask(server, tmp_path, *asked)):
        assert done.returncode == 0, done.stderr
        assert b"| Person 217 | 217 |" in done.stdout
        assert len(done.stdout) < 4000


def test_file_and_standard_input_are_uploaded(server: Sandbox, tmp_path: Path) -> None:
    (tmp_path / 'sco"res;.csv').write_text("Name,Score\nAda,12\n")
    from_file = ask(server, tmp_path, "markdown_file", 'sco"res;.csv', "--raw")
    from_stdin = ask(server, tmp_path, "markdown_file", "-", "--raw", stdin=b"Name,Score\nAda,12\n")
    assert from_file.stdout.startswith(b"| Name | Score |"), from_file.stderr
    assert from_stdin.stdout == from_file.stdout


def test_cached_response_can_be_refused(server: Sandbox, tmp_path: Path) -> None:
    asked = ["markdown_url", "https://example.com/"]
    assert ask(server, tmp_path, *asked).returncode == 0
    assert json.loads(ask(server, tmp_path, *asked).stdout)["creditsCharged"] == 0
    assert json.loads(ask(server, tmp_path, *asked, "--fresh").stdout)["creditsCharged"] == 1


def test_errors_of_the_server_have_their_code_and_what_to_do(server: Sandbox, tmp_path: Path) -> None:
    wrong = ask(server, tmp_path, "search", "coffee", key="wq_test_" + "0" * 32)
    assert (wrong.returncode, wrong.stdout) == (4, b"")
    first, step, help_line, request = wrong.stderr.decode().splitlines()
    assert first.startswith("Error: ")
    assert first.endswith("(unauthorized)")
    assert "WEBQUARRY_API_KEY" in step
    assert help_line == f"Help: {server.url}/docs/errors#unauthorized"
    assert request.startswith("Request ID: ")
    poor = ask(server, tmp_path, "search", "coffee", "--json", key=server.open_account("poor@example.com", 0))
    assert (poor.returncode, poor.stdout) == (4, b"")
    assert json.loads(poor.stderr).keys() == {"error", "code"}
    assert json.loads(poor.stderr)["code"] == "insufficient_credits"
    invalid = ask(server, tmp_path, "search", "coffee", "--num", "many")
    assert (invalid.returncode, b"(invalid_params)" in invalid.stderr) == (2, True)


def test_missing_resource_has_its_own_exit_code(tmp_path: Path) -> None:
    tapes = tmp_path / "tapes"
    tapes.mkdir()
    exchange = UNREGISTERED.read_text().partition("[[exchange]]")[2].partition("[error]")[0]
    (tapes / "tape.toml").write_text(f"[[exchange]]{exchange}")
    with running_sandbox(tmp_path, "--tapes", str(tapes)) as server:
        done = ask(server, tmp_path, "domain_registration", "unregistered-example.com")
    assert (done.returncode, done.stdout, b"(not_found)" in done.stderr) == (3, b"", True)


def test_key_can_come_from_a_file_or_an_option(server: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "key").write_text(f"{server.key}\n")
    for given in ("@key", server.key):
        done = run_in_pipes("get", "search", "coffee", "--server", f"{server.url}/", "--key", given, folder=tmp_path)
        assert done.returncode == 0, done.stderr


def test_key_is_also_read_from_the_variable_in_the_documentation(tmp_path: Path) -> None:
    assert read_key(None, {"WEBQUARRY_KEY": "a"}) == "a"
    assert read_key(None, {"WEBQUARRY_KEY": "a", "WEBQUARRY_API_KEY": "b"}) == "b"
    assert read_key("c", {"WEBQUARRY_API_KEY": "b"}) == "c"


@pytest.mark.parametrize("key", ["", "with space", "line\nbreak: x", "käse"])
def test_missing_or_impossible_key_is_not_sent(tmp_path: Path, key: str) -> None:
    with listening(200, {}) as (url, seen):
        done = run_in_pipes("get", "search", "coffee", "--server", url, "--key", key, folder=tmp_path)
    assert (done.returncode, seen) == (4, [])
    assert b"WEBQUARRY_API_KEY" in done.stderr


def test_redirect_does_not_take_the_key_elsewhere(tmp_path: Path) -> None:
    with listening(200, {}) as (elsewhere, seen), listening(302, {"Location": elsewhere}) as (url, asked):
        done = run_in_pipes("get", "search", "coffee", "--server", url, "--key", "secret", folder=tmp_path)
    assert (done.returncode, seen, len(asked)) == (7, [], 1)
    assert f"redirects to {elsewhere}" in done.stderr.decode()


@pytest.mark.parametrize(
    ("status", "headers", "body"),
    [
        (200, {"Content-Type": "text/html"}, b"<p>Welcome"),
        (200, {"Content-Type": "application/json"}, b"{}"),
        (404, {"Content-Type": "text/html"}, b"<p>Not here"),
        (502, {"Content-Type": "application/json"}, b'["error"]'),
        (502, {"Content-Type": "application/json", "Content-Length": "999"}, b'{"error": "a", "code": "b"}'),
        (200, {"Content-Type": "application/json", "X-Credits-Charged": "1", "Content-Length": "999"}, b"{}"),
    ],
)
def test_other_servers_are_not_mistaken_for_webquarry(
    tmp_path: Path, status: int, headers: dict[str, str], body: bytes
) -> None:
    with listening(status, headers, body) as (url, _):
        done = run_in_pipes("get", "search", "coffee", "--server", url, "--key", "k", folder=tmp_path)
    assert (done.returncode, done.stdout) == (7, b"")
    assert done.stderr.startswith(f"Error: {url} ".encode())
    assert b"Traceback" not in done.stderr


def test_unreachable_server_is_one_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
    done = run_in_pipes("get", "search", "coffee", "--server", url, "--key", "k", folder=tmp_path)
    assert done.returncode == 7
    assert done.stderr.decode() == (
        f"Error: Can't reach {url}: Connection refused. Check that the server is running. (unreachable)\n"
    )


@pytest.mark.parametrize(
    "url", ["127.0.0.1:8080", "ftp://example.com", "http://", "http://u:p@example.com", "http://a b", "http://[", "-"]
)
def test_server_must_be_an_address(tmp_path: Path, url: str) -> None:
    done = run_in_pipes("get", "search", "coffee", "--server", url, "--key", "k", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"--server must be a URL" in done.stderr


def test_address_of_a_server_may_have_a_path_and_a_slash() -> None:
    assert check_url("https://example.com/quarry/") == "https://example.com/quarry"


def test_local_options_come_before_a_server_in_the_environment(tmp_path: Path) -> None:
    asked = ("get", "domain_registration", "example.com", "--sandbox")
    assert run_in_pipes(*asked, folder=tmp_path, WEBQUARRY_SERVER="http://127.0.0.1:1").returncode == 0
    both = run_in_pipes(*asked, "--server", "http://127.0.0.1:1", folder=tmp_path)
    assert (both.returncode, b"--sandbox and --data-dir only apply to requests without --server" in both.stderr) == (
        2,
        True,
    )


def test_price_is_shown_on_a_terminal(server: Sandbox, tmp_path: Path) -> None:
    shown = run_on_terminal(
        "get", "trends_trending", "--server", server.url, folder=tmp_path, WEBQUARRY_API_KEY=server.key, PAGER="cat"
    )
    assert shown.code == 0, shown.text
    assert "1 credit charged." in shown.text


def test_requests_to_a_server_do_not_load_the_service(server: Sandbox, tmp_path: Path) -> None:
    done = run_in_pipes(
        "get", "search", "coffee", "--server", server.url, folder=tmp_path, WEBQUARRY_API_KEY=server.key,
        PYTHONPROFILEIMPORTTIME="1",
    )  # fmt: skip
    assert done.returncode == 0
    assert b"webquarry.cli.remote" in done.stderr
    assert b"pydantic" not in done.stderr
    assert b"webquarry.app" not in done.stderr
