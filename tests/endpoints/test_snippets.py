"""Snippets express the request exactly, whatever its values are."""

import ast
import json
import shlex
import subprocess
from urllib.parse import parse_qsl, urlsplit

import pytest

from webquarry.endpoints.registry import load
from webquarry.endpoints.snippets import Snippet, write_snippets

BASE = "https://webquarry.example"
REGISTRY = load()
VALUES = [
    "tea",
    "a'b\"c`d$HOME\\e",
    "$(id); rm *",
    "${x} {0} %s",
    "naïve 漢字 😀",
    "</script>",
    "\u2028\u202e!",
    "#?&=+",
]


def written(query: dict[str, str], endpoint: str = "search", **options: str) -> dict[str, Snippet]:
    found = write_snippets(REGISTRY.by_name[endpoint], BASE, query, **options)
    return {snippet.id: snippet for snippet in found}


def split(command: str) -> list[str]:
    """Return the words of a shell command, which may have several lines."""
    return shlex.split(command.replace("\\\n", ""))


@pytest.mark.parametrize("value", VALUES)
def test_a_value_is_quoted_in_every_language(value: str) -> None:
    found = written({"q": value, "num": "3"})
    words = split(found["curl"].text)
    assert words[:3] == ["curl", "-H", "Authorization: Bearer $WEBQUARRY_KEY"]
    assert len(words) == 4
    assert not set("$`\\!") & set(words[3])
    assert parse_qsl(urlsplit(words[3]).query) == [("q", value), ("num", "3")]
    texts = [node.value for node in ast.walk(ast.parse(found["python"].text)) if isinstance(node, ast.Constant)]
    assert value in texts
    assert json.loads(found["tool"].text) == {"name": "search", "arguments": {"q": value, "num": 3}}
    quoted = found["javascript"].text.partition('set("q", ')[2].partition(");\n")[0]
    assert json.loads(quoted) == value


def test_snippets_contain_no_directional_marks() -> None:
    found = written({"q": "a\u202eb\u2028c"})
    assert not any(
        "\u202e" in found[id].text or "\u2028" in found[id].text for id in ("curl", "python", "javascript", "cli")
    )


def test_snippets_print_the_requested_artifact() -> None:
    found = written({"q": "tea", "format": "json"})
    assert "result.data" in found["javascript"].text
    assert '["data"]' in found["python"].text


@pytest.mark.parametrize("name", ["report.pdf", "a b;type=x.pdf", "it's.pdf", 'q"uote,.pdf', "-.pdf"])
def test_the_callers_file_is_sent_by_its_name(name: str) -> None:
    found = written({}, "markdown_file", file_name=name)
    assert "tool" not in found
    words = split(found["curl"].text)
    shown = words[-1].removeprefix("file=@")
    assert (shown[1:-1].replace('\\"', '"').replace("\\\\", "\\") if shown.startswith('"') else shown) == name
    assert f"open({json.dumps(name)}" in found["python"].text
    assert f"openAsBlob({json.dumps(name)})" in found["javascript"].text


@pytest.mark.parametrize("name", [extractor.name for extractor in REGISTRY])
def test_every_example_is_written_in_every_language(name: str) -> None:
    extractor = REGISTRY.by_name[name]
    found = write_snippets(extractor, BASE)
    tool = ["tool"] * (not extractor.upload)
    assert [snippet.id for snippet in found] == ["curl", "python", "javascript", "cli", *tool]
    ast.parse(found[1].text)


@pytest.mark.parametrize("value", VALUES)
def test_the_shell_passes_a_value_unchanged_to_the_command(value: str) -> None:
    command = written({"q": value})["cli"].text.replace("webquarry get search", "printf %s", 1)
    printed = subprocess.run(["bash", "-c", command], capture_output=True, check=True, env={"LC_ALL": "C.UTF-8"})
    assert printed.stdout.decode() == f"--q={value}"


def test_a_command_names_options_as_the_command_line_does() -> None:
    found = written({"id": "x", "max_pages": "2"}, "shortvideo_shop_store")["cli"].text
    assert split(found) == ["webquarry", "get", "shortvideo_shop_store", "--id=x", "--max_pages=2"]


def test_a_tool_call_has_numbers_and_truth_values_where_the_parameter_is_one() -> None:
    arguments = json.loads(written({"q": "5", "num": "3", "max_tokens": "500"})["tool"].text)["arguments"]
    assert arguments == {"q": "5", "num": 3, "max_tokens": 500}
