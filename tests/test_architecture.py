"""Rules for the whole tree: allowed imports, and forbidden text in tracked files."""

import re
import subprocess
from pathlib import Path

import grimp
import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

ROOT = Path(__file__).parents[1]
INDEX_HOST = re.compile(rb"pypi\.org/simple|pythonhosted\.org|--(extra-)?index-url|--find-links")


def tracked_files() -> list[Path]:
    """Return the files in the repository, including files that the next commit could add."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        names = subprocess.run(listing, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def naming(pattern: re.Pattern[bytes]) -> list[str]:
    this = Path(__file__)
    return [
        str(path.relative_to(ROOT)) for path in tracked_files() if path != this and pattern.search(path.read_bytes())
    ]


def test_imports_point_down() -> None:
    assert lint_imports(config_filename=str(ROOT / ".importlinter"), no_cache=True) == EXIT_STATUS_SUCCESS


def find_circles(graph: grimp.ImportGraph) -> list[list[str]]:
    """Return the sets of modules that import each other, directly or through others (Tarjan's algorithm)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: list[str] = []
    found: list[list[str]] = []

    def visit(module: str) -> None:
        number[module] = lowest[module] = len(number)
        path.append(module)
        for imported in graph.find_modules_directly_imported_by(module):
            if imported not in number:
                visit(imported)
            lowest[module] = min(lowest[module], lowest.get(imported, len(graph.modules)))
        if lowest[module] == number[module]:
            circle = path[path.index(module) :]
            del path[path.index(module) :]
            lowest.update(dict.fromkeys(circle, len(graph.modules)))
            if len(circle) > 1:
                found.append(sorted(circle))

    for module in graph.modules:
        if module not in number:
            visit(module)
    return found


def test_import_cycle_is_found() -> None:
    graph = grimp.ImportGraph()
    for importer, imported in ("ab", "bc", "ca", "cd", "de", "ed", "fa"):
        graph.add_import(importer=importer, imported=imported)
    assert sorted(find_circles(graph)) == [["a", "b", "c"], ["d", "e"]]


def test_no_modules_import_each_other() -> None:
    """Imports for type checkers count, because readers of one such module must also read the other."""
    graph = grimp.build_graph("webquarry", "webquarry_convert", cache_dir=None)
    assert find_circles(graph) == []


def test_no_file_names_the_machine_it_was_made_on() -> None:
    places = [place for place in (ROOT, Path.home()) if len(place.parts) > 2]
    if not places:
        pytest.skip("the checkout lies at the top of the file system: its name is no mark of a machine")
    assert naming(re.compile(b"|".join(re.escape(f"{place}/".encode()) for place in places))) == []


def test_no_file_names_a_package_index() -> None:
    assert naming(INDEX_HOST) == []


def test_requirements_contain_only_names_versions_and_hashes() -> None:
    for pins in (ROOT / "requirements").glob("*.txt"):
        for line in pins.read_text().splitlines():
            assert re.match(r"\s*#|[a-z0-9.-]+(\[[a-z0-9,-]+\])?==|    --hash=sha256:", line), f"{pins.name}: {line}"
            assert "://" not in line


def test_dependencies_of_the_service_are_tested_in_the_same_versions() -> None:
    run, dev = (
        set(re.findall(r"^\S+==\S+", (ROOT / "requirements" / name).read_text(), re.M))
        for name in ("run.txt", "dev.txt")
    )
    assert run <= dev


def test_every_decision_is_in_the_list_of_decisions() -> None:
    folder = ROOT / "docs/decisions"
    listed = (folder / "README.md").read_text()
    assert [path.name for path in sorted(folder.glob("0*.md")) if f"({path.name})" not in listed] == []


def test_only_one_module_knows_where_the_evaluation_kit_is() -> None:
    """A test that computes the path itself is skipped unnoticed when the test is moved."""
    finder = re.compile(r"parents\[\d\] / \(?\s*\"(?:\.\./)?shared")
    modules = [*(ROOT / "tests").rglob("*.py"), *(ROOT / "packages").glob("*/tests/**/test_*.py")]
    assert [str(path.relative_to(ROOT)) for path in modules if finder.search(path.read_text())] == []
