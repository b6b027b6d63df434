"""Every `python -m …` command in the documents names a module of the repository."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("packages/*/*.md")]
COMMANDS = sorted({
    found[1]
    for path in DOCUMENTS
    for found in re.finditer(r"python -m ((?:bench|corpora|training)\b[\w. ]*)", path.read_text("utf-8"))
})  # fmt: skip


def test_documents_name_commands_of_each_kind() -> None:
    assert {command.split(".")[0].split()[0] for command in COMMANDS} == {"bench", "corpora", "training"}


@pytest.mark.parametrize("command", COMMANDS)
def test_module_of_a_documented_command_exists(command: str) -> None:
    first, *rest = command.split()
    name = ".".join([first, *rest[:1]]) if first == "bench" else first
    assert find_spec(name.rstrip(".")) is not None
