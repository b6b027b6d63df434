"""The upload endpoint as a caller meets it, in the running sandbox: real workers, real money."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from support.client import Client
from support.sandbox import Sandbox
from webquarry.convert.file.limits import MAX_FILE
from webquarry.registry import load
from webquarry.wording import curl

CSV = b"Name,Score\nAda,12\n"
PATH = "/api/v1/markdown/file"


def test_a_table_is_converted_and_charged_each_time(client: Client) -> None:
    before = int(client.upload(CSV).headers["x-credits-remaining"])
    reply = client.upload(CSV, "a.csv")
    assert reply.status == 200
    assert reply.json["data"]["type"] == "csv"
    assert reply.json["data"]["word_count"] == 4
    assert reply.json["markdown"] == "| Name | Score |\n| --- | --- |\n| Ada | 12 |\n"
    assert reply.headers["x-cache"] == "miss"
    assert int(reply.headers["x-credits-remaining"]) == before - 1


@pytest.mark.parametrize(("form", "artifacts"), [("json", {"data"}), ("markdown", {"markdown"})])
def test_the_format_is_asked_for_in_the_query(client: Client, form: str, artifacts: set[str]) -> None:
    reply = client.upload(CSV, query=f"?format={form}")
    assert set(reply.json) - {"extractor", "id", "creditsCharged", "cached"} == artifacts


def test_what_is_made_of_a_file_is_its_owners(client: Client, sandbox: Sandbox) -> None:
    conversion = client.upload(CSV).json["id"]
    assert client.ask(f"/api/v1/conversions/{conversion}").status == 200
    stranger = json.loads(sandbox.command("account", "create", "stranger@example.com", "--json"))["key"]
    assert client.ask(f"/api/v1/conversions/{conversion}", key=stranger).code == "not_found"


@pytest.mark.parametrize(
    ("content", "name", "status", "code"),
    [
        (b"<!doctype html><p>hi", "a.pdf", 415, "unsupported_type"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "a.csv", 415, "unsupported_type"),
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


def test_the_key_is_asked_for_before_the_file(client: Client) -> None:
    assert client.upload(CSV, key=None).status == 401
    assert client.upload(b"x" * (3 * MAX_FILE), key="wq_unknown").status == 401


def test_the_query_is_checked_as_everywhere(client: Client) -> None:
    assert client.upload(CSV, query="?format=yaml").code == "invalid_params"
    assert client.upload(CSV, query="?url=x").code == "invalid_params"


def test_another_body_is_no_upload(client: Client) -> None:
    for field, body in (("application/json", b"{}"), ("multipart/form-data; boundary=x", b"--x--\r\n")):
        reply = client.ask(PATH, f"Content-Type: {field}", method="POST", body=body)
        assert (reply.status, reply.code) == (400, "invalid_params")
    assert client.ask(PATH, method="POST").status == 400


def test_the_path_answers_post_only(client: Client) -> None:
    reply = client.ask(PATH)
    assert (reply.status, reply.headers["allow"]) == (405, "POST")


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_the_documented_line_works_as_it_stands(sandbox: Sandbox, tmp_path: Path) -> None:
    line = curl(load().by_name["markdown_file"], sandbox.url, sandbox.key)
    done = subprocess.run(["bash", "-c", f"{line} -s"], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert "| Grace | 15 |" in done.stdout
