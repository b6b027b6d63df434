"""The upload endpoint of the running sandbox, with real workers and real charges."""

import hashlib
import shutil
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from support.client import Client, Reply, line_to
from support.sandbox import Sandbox
from webquarry.endpoints.registry import load
from webquarry.endpoints.snippets import curl
from webquarry_convert.file.limits import MAX_FILE

CSV = b"Name,Score\nAda,12\n"
PATH = "/api/v1/markdown/file"


def test_a_table_is_converted_and_charged_each_time(client: Client) -> None:
    before = int(client.upload(CSV).headers["x-credits-remaining"])
    reply = client.upload(CSV, "a.csv")
    assert reply.status == 200
    assert reply.json["data"]["type"] == "csv"
    assert reply.json["data"]["word_count"] == 4
    fields = {name: reply.json["data"][name] for name in ("file_name", "file_size", "sha256", "url", "status")}
    size, digest = len(CSV), hashlib.sha256(CSV).hexdigest()
    assert fields == {"file_name": "a.csv", "file_size": size, "sha256": digest, "url": None, "status": None}
    assert reply.json["markdown"] == "| Name | Score |\n| --- | --- |\n| Ada | 12 |\n"
    assert reply.headers["x-cache"] == "miss"
    assert int(reply.headers["x-credits-remaining"]) == before - 1


@pytest.mark.parametrize(("form", "artifacts"), [("json", {"data"}), ("markdown", {"markdown"})])
def test_the_format_is_chosen_in_the_query(client: Client, form: str, artifacts: set[str]) -> None:
    reply = client.upload(CSV, query=f"?format={form}")
    assert set(reply.json) - {"extractor", "id", "creditsCharged", "cached"} == artifacts


def test_the_result_of_a_file_belongs_to_its_owner(client: Client, sandbox: Sandbox) -> None:
    conversion = client.upload(CSV).json["id"]
    assert client.ask(f"/api/v1/conversions/{conversion}").status == 200
    stranger = sandbox.open_account("stranger@example.com")
    assert client.ask(f"/api/v1/conversions/{conversion}", key=stranger).code == "not_found"


@pytest.mark.parametrize(
    ("content", "name", "status", "code"),
    [
        (b"<!doctype html><p>hi", "a.pdf", 415, "unsupported_type"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "a.csv", 415, "unsupported_type"),
        (b"# Notes\n\nMilk, eggs, bread.\n", "notes.md", 415, "unsupported_type"),
        (b"MZ" + bytes(500), "a.docx", 415, "unsupported_type"),
        (b"", "a.csv", 415, "unsupported_type"),
        (b"x" * (MAX_FILE + 1), "a.csv", 413, "file_too_large"),
        (b"x" * (3 * MAX_FILE), "a.csv", 413, "file_too_large"),
        (b"PK\x03\x04" + bytes(100), "a.docx", 422, "conversion_failed"),
    ],
)
def test_a_refused_file_costs_nothing(client: Client, content: bytes, name: str, status: int, code: str) -> None:
    reply = client.upload(content, name)
    assert (reply.status, reply.code) == (status, code)
    assert reply.headers["x-credits-charged"] == "0"


def test_the_key_is_checked_before_the_file(client: Client) -> None:
    assert client.upload(CSV, key=None).status == 401
    assert client.upload(b"x" * (3 * MAX_FILE), key="wq_unknown").status == 401


def test_the_query_of_an_upload_is_validated(client: Client) -> None:
    assert client.upload(CSV, query="?format=yaml").code == "invalid_params"
    assert client.upload(CSV, query="?url=x").code == "invalid_params"


@pytest.mark.parametrize("parts", [("format", "file"), ("file", "format")])
def test_the_format_may_be_sent_with_the_file(client: Client, parts: tuple[str, str]) -> None:
    fields = {"file": CSV, "format": b"markdown"}
    for query in ("", "?format=markdown", "?format=both"):  # the default, which generated clients send
        reply = send_form(client, [(name, fields[name]) for name in parts], query)
        assert set(reply.json) - {"extractor", "id", "creditsCharged", "cached"} == {"markdown"}


def test_two_formats_are_refused(client: Client) -> None:
    reply = send_form(client, [("format", b"json"), ("file", CSV)], "?format=markdown")
    assert (reply.status, reply.code) == (400, "invalid_params")
    assert "format" in reply.json["error"]
    assert send_form(client, [("format", b"yaml"), ("file", CSV)]).code == "invalid_params"


def test_an_unknown_part_is_named(client: Client) -> None:
    reply = send_form(client, [("document", CSV)])
    assert (reply.status, reply.code) == (400, "invalid_params")
    assert "'document'" in reply.json["error"]


def send_form(client: Client, parts: list[tuple[str, bytes]], query: str = "") -> Reply:
    body = b"".join(
        b'--mark\r\nContent-Disposition: form-data; name="%b"\r\n\r\n%b\r\n' % (name.encode(), content)
        for name, content in parts
    )
    form = "Content-Type: multipart/form-data; boundary=mark"
    return client.ask(PATH + query, form, method="POST", body=body + b"--mark--\r\n")


class TestBeforeTheBody:
    """A refusal that needs only the head of a request is sent before a byte of its body has arrived."""

    def head(self, client: Client, key: str, framing: str) -> bytes:
        fields = f"X-Api-Key: {key}", "Content-Type: multipart/form-data; boundary=mark", framing
        return "\r\n".join([f"POST {PATH} HTTP/1.1", "Host: somewhere.example", *fields, "", ""]).encode()

    def test_request_without_credits_is_refused_and_takes_no_slot(self, client: Client, sandbox: Sandbox) -> None:
        poor = sandbox.open_account("penniless@example.com", 0)
        with ExitStack() as stack:
            lines = [stack.enter_context(line_to(client.url)) for _ in range(40)]
            for line in lines:
                line.send(self.head(client, poor, "Content-Length: 1000"))
            replies = [line.reply() for line in lines]
        assert {(reply.status, reply.code) for reply in replies if reply} == {(402, "insufficient_credits")}
        assert all(reply is not None and reply.headers["x-credits-charged"] == "0" for reply in replies)

    def test_length_beyond_any_file_is_too_large(self, client: Client) -> None:
        with line_to(client.url) as line:
            line.send(self.head(client, client.key, f"Content-Length: {MAX_FILE + 100_000}"))
            reply = line.reply()
        assert reply is not None
        assert (reply.status, reply.code, reply.headers["connection"]) == (413, "file_too_large", "close")

    @pytest.mark.flaky(reruns=2, reruns_delay=1)  # real time, on a machine that may be busy
    @pytest.mark.parametrize("rest", [0, 8_000_000])
    def test_a_file_one_byte_too_large_is_refused_immediately(self, client: Client, rest: int) -> None:
        """This holds for clients that continue sending and for clients that wait.

        A client that sends before it reads also receives the response.
        """
        part = b'--mark\r\nContent-Disposition: form-data; name="file"\r\n\r\n' + b"x" * (MAX_FILE + 1)
        with line_to(client.url) as line:
            line.send(self.head(client, client.key, "Transfer-Encoding: chunked"))
            line.send(b"%x\r\n%b\r\n" % (len(part), part))
            sent_at = time.monotonic()
            if rest:
                line.send(b"%x\r\n%b\r\n0\r\n\r\n" % (rest, b"y" * rest))
            reply = line.reply()
        assert reply is not None
        assert (reply.status, reply.code) == (413, "file_too_large")
        # once took five seconds; even on a busy machine, it takes a fraction of this
        assert time.monotonic() - sent_at < 2.5


def test_a_body_that_is_not_multipart_is_refused(client: Client) -> None:
    for field, body in (("application/json", b"{}"), ("multipart/form-data; boundary=x", b"--x--\r\n")):
        reply = client.ask(PATH, f"Content-Type: {field}", method="POST", body=body)
        assert (reply.status, reply.code) == (400, "invalid_params")
    assert client.ask(PATH, method="POST").status == 400


def test_the_path_answers_post_only(client: Client) -> None:
    reply = client.ask(PATH)
    assert (reply.status, reply.headers["allow"]) == (405, "POST")


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_the_documented_command_works_unchanged(sandbox: Sandbox, tmp_path: Path) -> None:
    line = curl(load().by_name["markdown_file"], sandbox.url, sandbox.key)
    done = subprocess.run(["bash", "-c", f"{line} -s"], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert "| Grace | 15 |" in done.stdout
