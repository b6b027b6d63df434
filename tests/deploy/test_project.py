"""Files for developers of the project: they agree with each other and with the repository."""

import json
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
GUIDES = [
    *(
        ROOT / "docs" / f"{name}.md"
        for name in ("deploying", "threat-model", "adding-a-format", "adding-a-rule", "releasing")
    ),
    *(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "CODE_OF_CONDUCT", "SECURITY")),
]
_LINK = re.compile(r"\]\(([^)\s#]*)(?:#([^)\s]+))?\)")


def read_workflow(name: str) -> Any:
    return yaml.safe_load((ROOT / ".github" / "workflows" / f"{name}.yml").read_text())


def list_commands(path: Path) -> list[str]:
    jobs = yaml.safe_load(path.read_text())["jobs"].values()
    return [step["run"] for job in jobs for step in job.get("steps", ()) if "run" in step]


def list_anchors(path: Path) -> set[str]:
    titles = re.findall(r"^#+ (.+)$", path.read_text(), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflow_calls_targets_and_scripts_that_exist(path: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    commands = "\n".join(list_commands(path))
    assert set(re.findall(r"\bmake ([a-z]+)", commands)) <= targets
    for script in re.findall(r"\bscripts/\S+\.sh", commands):
        assert (ROOT / script).stat().st_mode & 0o111


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflow_has_no_more_rights_than_it_says(path: Path) -> None:
    workflow = yaml.safe_load(path.read_text())
    assert workflow["permissions"] == {"contents": "read"}
    assert all("timeout-minutes" in job for job in workflow["jobs"].values() if "uses" not in job)


def test_tests_run_on_every_python_that_the_package_claims() -> None:
    named = "Programming Language :: Python :: 3."
    claimed = [each.removeprefix(named[:-2]) for each in PROJECT["classifiers"] if re.fullmatch(rf"{named}\d+", each)]
    assert read_workflow("checks")["jobs"]["test"]["strategy"]["matrix"]["python"] == claimed
    assert PROJECT["requires-python"] == f">={claimed[0]}"


def test_checks_install_the_languages_that_the_set_up_asks_for() -> None:
    languages = re.findall(r'ocr_languages="([^"]+)"', (ROOT / "scripts" / "setup.sh").read_text())[0].split()
    installed = read_workflow("checks")["env"]["PROGRAMS"].split()
    assert {f"tesseract-ocr-{each.replace('_', '-')}" for each in languages} <= set(installed)


def test_version_is_the_same_everywhere() -> None:
    manifest = (ROOT / "deploy" / "kubernetes" / "webquarry.yaml").read_text()
    assert re.findall(r"image: webquarry:(\S+)", manifest) == [PROJECT["version"]]
    top = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(), flags=re.MULTILINE)[0]
    assert top == "Unreleased" or re.fullmatch(rf"{re.escape(PROJECT['version'])} \(\d{{4}}-\d\d-\d\d\)", top)


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.name)
def test_links_of_a_guide_lead_somewhere(path: Path) -> None:
    for target, anchor in _LINK.findall(path.read_text()):
        if "://" in target:
            continue
        page = path if not target else (path.parent / target).resolve()
        assert page.exists(), target
        assert not anchor or anchor in list_anchors(page), f"{target}#{anchor}"


@pytest.mark.parametrize("name", ["adding-a-format", "adding-a-rule"])
def test_files_of_the_converter_that_a_guide_names_exist(name: str) -> None:
    converter = next(ROOT.glob("**/src/webquarry_convert"))
    text = (ROOT / "docs" / f"{name}.md").read_text()
    for path in re.findall(r"`((?:file|page|text|unseen|write|tests)/[\w/]+(?:\.py)?/?)`", text):
        assert any((base / path).exists() for base in (converter, converter / "page/content", ROOT)), path


def test_files_called_generated_are_there_and_keep_their_bytes() -> None:
    for line in (ROOT / ".gitattributes").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        pattern = line.split()[0].replace("/**", "/**/*")
        assert next((path for path in ROOT.glob(pattern) if path.is_file()), None), pattern
    paths = ["tests/tapes/x/y/page.html", "src/webquarry/sandbox/x/y/page.html", "src/webquarry/sandbox/cases.py"]
    command = ["git", "check-attr", "text", "linguist-generated", "--", *paths]
    told = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    assert [line.rsplit(": ", 1)[1] for line in told] == ["unset", "set", "unset", "set", "unspecified", "unspecified"]


def test_hooks_and_container_use_what_the_set_up_installs() -> None:
    (local,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    for hook in local["hooks"]:
        assert (ROOT / hook["entry"].split()[0]).exists(), hook["id"]
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text())
    assert (ROOT / ".devcontainer" / container["build"]["dockerfile"]).exists()
    assert (ROOT / container["postCreateCommand"].split()[0]).exists()


@pytest.mark.parametrize(
    "path", sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")), ids=lambda path: path.stem
)
def test_form_of_an_issue_asks_for_something(path: Path) -> None:
    form = yaml.safe_load(path.read_text())
    if path.stem == "config":
        assert form["contact_links"]
        return
    assert {"name", "description", "body"} <= set(form)
    identifiers = [field["id"] for field in form["body"]]
    assert len(set(identifiers)) == len(identifiers)
