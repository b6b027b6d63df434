"""Help and completion of the command line, which do not load the service."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from support.terminal import PROGRAM, make_environment, run_in_pipes, run_on_terminal
from webquarry.cli import main
from webquarry.cli.catalogue import FILE, read_catalogue, read_common_parameters
from webquarry.cli.catalogue_writer import write_catalogue
from webquarry.cli.choices import Choices
from webquarry.cli.exit_codes import MEANINGS
from webquarry.cli.groups import Group, summarize
from webquarry.endpoints.registry import load

HEAVY = (
    "webquarry.accounts",
    "webquarry.app",
    "webquarry.endpoints",
    "webquarry.ledger",
    "webquarry.net",
    "aiohttp",
    "pydantic",
    "rich",
    "sqlite3",
    "structlog",
)


def list_commands() -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield every command with its words, groups before their members."""

    def walk(words: tuple[str, ...], command: click.Command) -> Iterator[tuple[tuple[str, ...], click.Command]]:
        yield words, command
        if isinstance(command, click.Group):
            context = click.Context(command)
            for name in command.list_commands(context):
                found = command.get_command(context, name)
                assert found is not None
                yield from walk((*words, name), found)

    yield from walk((), main)


COMMANDS = dict(list_commands())


@pytest.mark.parametrize(
    "arguments",
    [
        *([*words, "--help"] for words in COMMANDS if words[:1] not in (("get",), ("read",))),
        ["get", "--help"],
        ["get", "search", "--help"],
        ["read", "--help"],
        ["read", "search", "--help"],
        ["completion", "bash"],
        ["accont"],
        ["search"],
        ["get", "serch"],
        ["get", "search", "--nun", "3"],
    ],
)
def test_help_and_misspelled_commands_do_not_load_the_service(arguments: list[str]) -> None:
    code = (
        "import sys; from webquarry.cli import main\n"
        "try: main(sys.argv[1:], prog_name='webquarry')\n"
        "finally: print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)
    loaded = set(done.stderr.splitlines()[-1].split())
    assert "click" in loaded
    assert [name for name in HEAVY if name in loaded] == []


def test_catalogue_matches_the_declarations() -> None:
    """If this test fails, run `make generated`."""
    assert FILE.read_text() == write_catalogue(load())


def test_no_parameter_has_the_name_of_a_common_option() -> None:
    common = {parameter.name for parameter in read_common_parameters()}
    shared = {"json", "help", *Choices.__dataclass_fields__}
    assert common.isdisjoint(shared)
    shared |= common
    assert [(name, each.name) for name, entry in read_catalogue().items() for each in entry.parameters
            if each.name in shared] == []  # fmt: skip


def test_help_lists_every_command_with_the_first_sentence_of_its_help() -> None:
    context = click.Context(main)
    assert isinstance(main, Group)
    for outline in main.outline(context):
        assert outline.help == summarize(COMMANDS[outline.name,])


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_line_of_help_is_truncated(words: tuple[str, ...]) -> None:
    done = CliRunner().invoke(main, [*words, "--help"], prog_name="webquarry", terminal_width=100)
    assert done.exit_code == 0
    assert done.output.startswith(f"Usage: {' '.join(('webquarry', *words))} ")
    assert "..." not in re.sub(r"\]\.\.\.", "", done.output)


def test_endpoints_are_listed_in_families_with_headings() -> None:
    listed = CliRunner().invoke(main, ["get", "--help"]).output
    registry = load()
    for group, members in registry.groups.items():
        section = listed.partition(f"\n{registry.describe_group(group).title}:\n")[2].partition("\n\n")[0]
        assert [line.split()[0] for line in section.splitlines()] == [member.name for member in members]


def test_endpoint_without_get_suggests_the_command(tmp_path: Path) -> None:
    done = run_in_pipes("markdown-url", "https://example.com/", folder=tmp_path)
    assert done.returncode == 2
    assert b"'markdown_url' is an endpoint: use `webquarry get markdown_url`." in done.stderr


def complete(words: list[str], folder: Path) -> list[str]:
    """Return what bash's completion function offers for the last word."""
    script = (
        f"source <({PROGRAM} completion bash)\nCOMP_WORDS=({' '.join(words)})\nCOMP_CWORD={len(words) - 1}\n"
        '_webquarry_completion webquarry\nprintf "%s\\n" "${COMPREPLY[@]}"'
    )
    environment = make_environment(folder) | {"PATH": f"{PROGRAM.parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, env=environment, check=True)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (["webquarry", "cre"], ["credits"]),
        (["webquarry", "get", "markdown_"], ["markdown_file", "markdown_url"]),
        (["webquarry", "get", "search", "--n"], ["--num"]),
        (["webquarry", "get", "search", "--format", "m"], ["markdown"]),
        (["webquarry", "get", "search", "--max"], ["--max_tokens"]),
        (["webquarry", "account", "reset"], ["reset-second-factor"]),
        (["webquarry", "db", "re"], ["restore"]),
    ],
)
def test_bash_completes_commands_options_and_choices(tmp_path: Path, typed: list[str], offered: list[str]) -> None:
    assert complete(typed, tmp_path) == offered


def test_zsh_accepts_its_script(tmp_path: Path) -> None:
    script = run_in_pipes("completion", "zsh", folder=tmp_path)
    assert b"_WEBQUARRY_COMPLETE=zsh_complete" in script.stdout
    if shutil.which("zsh") is None:
        pytest.skip("zsh is not installed")
    (tmp_path / "script").write_bytes(script.stdout)
    subprocess.run(["zsh", "-n", str(tmp_path / "script")], check=True)


def test_fish_completes_with_descriptions(tmp_path: Path) -> None:
    script = run_in_pipes("completion", "fish", folder=tmp_path)
    assert b"_WEBQUARRY_COMPLETE=fish_complete" in script.stdout
    if shutil.which("fish") is None:
        pytest.skip("fish is not installed")
    (tmp_path / "script").write_bytes(script.stdout)
    line = f'source {tmp_path}/script; complete -C "webquarry get markdown_"'
    environment = make_environment(tmp_path) | {"PATH": f"{PROGRAM.parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["fish", "--no-config", "-c", line], capture_output=True, text=True, env=environment, check=True
    )
    assert done.stdout.splitlines() == ["markdown_file\tFile to markdown", "markdown_url\tWeb page to markdown"]


def test_completion_of_an_unknown_shell_names_those_that_exist(tmp_path: Path) -> None:
    done = run_in_pipes("completion", "bsh", folder=tmp_path)
    assert done.returncode == 2
    assert b"'bash', 'zsh', 'fish'" in done.stderr


def test_catalogue_has_one_row_for_each_endpoint() -> None:
    assert [row["name"] for row in json.loads(FILE.read_bytes())["endpoints"]] == list(read_catalogue())
    assert read_catalogue().keys() == load().by_name.keys()


def test_help_is_the_same_on_a_terminal_and_in_a_pipe(tmp_path: Path) -> None:
    shown = run_on_terminal("get", "--help", folder=tmp_path, columns=100)
    assert "Pages and files:" in shown.text.splitlines()


def test_guide_has_the_exit_codes_of_the_code() -> None:
    guide = (Path(__file__).parents[2] / "docs/cli.md").read_text()
    listed = dict(re.findall(r"^\| (\d) \| (.+) \|$", guide, re.M))
    assert listed == {str(code.value): meaning for code, meaning in MEANINGS.items()}


def test_commands_of_the_guide_exist() -> None:
    guide = (Path(__file__).parents[2] / "docs/cli.md").read_text()
    found = set(re.findall(r"webquarry (get|completion|key create|serve)(?: ([a-z_]+))?", guide))
    assert {name for command, name in found if command == "get" and name} <= read_catalogue().keys()
    assert {name for command, name in found if command == "completion"} - {""} == {"bash", "zsh", "fish"}
