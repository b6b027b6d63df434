"""The tests that cover a module."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

_FOLDERS: Final = {"mcp": "tools", "extractors/web": "web"}
"""Test folders whose names differ from the part that they cover."""
_SLOW: Final = ("tests/attacks/", "tests/proofs/", "tests/mutants/")
"""Tests of the whole service, which take minutes and tell little about a single module."""
_READ_BY_TAPES: Final = ("extractors", "providers", "read", "render")
_TAPES: Final = "tests/sandbox/test_tapes.py"


def list_stages(root: Path, module: Path) -> list[list[str]]:
    """Return pytest's arguments for the tests that cover a module, the most specific tests first.

    module: path below `root`. The stages are: tests named after the module; tests that import it; tests of its folder
    and of the parent folder; for readers of upstream responses, the tapes.
    """
    tests, parts = _mirror(module)
    folder = _find_folder(root, tests, parts[:-1])
    stages = [
        sorted(_named(root, folder, parts[-1])),
        sorted(_importing(root, module)),
        _below(root, folder),
        _below(root, folder.parent) if folder != tests and folder.parent != tests else [],
        [_TAPES] if tests == Path("tests") and parts[0] in _READ_BY_TAPES else [],
    ]
    seen: set[str] = set()
    fresh = []
    for stage in stages:
        left = [test for test in stage if test not in seen]
        seen.update(left)
        if left:
            fresh.append(left)
    return fresh


def _mirror(module: Path) -> tuple[Path, tuple[str, ...]]:
    """Return the folder of tests of the module's distribution, and the module's place within its package."""
    parts = module.with_suffix("").parts
    at = parts.index("src")
    tests = Path(*parts[:at], "tests")
    inner = parts[at + 2 :]
    return tests, inner[:-1] if inner[-1] == "__init__" and len(inner) > 1 else inner


def _named(root: Path, folder: Path, module: str) -> Iterator[str]:
    """Yield the tests that are named after the module, in the folder of its tests or the parent folder."""
    for place in (folder, folder.parent):
        for pattern in (f"test_{module}.py", f"test_{module}_*.py"):
            yield from (path.relative_to(root).as_posix() for path in (root / place).glob(pattern))


def _find_folder(root: Path, tests: Path, parts: Sequence[str]) -> Path:
    """Return the folder of tests, below `root`, that mirrors the deepest of these folders."""
    renamed = _FOLDERS.get(parts[0], parts[0]) if parts else ""
    for depth in range(len(parts), 0, -1):
        folder = tests.joinpath(renamed, *parts[1:depth])
        if (root / folder).is_dir():
            return folder
    return tests


def _below(root: Path, folder: Path) -> list[str]:
    """Return all test files in a folder. For the top-level folder of tests, return only its own files."""
    is_top = folder.name == "tests"
    found = (root / folder).glob("test_*.py") if is_top else (root / folder).rglob("test_*.py")
    return sorted(path.relative_to(root).as_posix() for path in found)


def _importing(root: Path, module: Path) -> Iterator[str]:
    """Yield the tests that import the module by its name."""
    name = module.with_suffix("").parts
    dotted = ".".join(name[name.index("src") + 1 :]).removesuffix(".__init__")
    package, _, last = dotted.rpartition(".")
    by_name = re.compile(rf"{re.escape(dotted)}\b|from {re.escape(package)} import [^\n]*\b{re.escape(last)}\b")
    for path, text in _read_tests(root):
        if by_name.search(text):
            yield path


@cache
def _read_tests(root: Path) -> tuple[tuple[str, str], ...]:
    found = [*(root / "tests").rglob("test_*.py"), *(root / "packages").rglob("tests/**/test_*.py")]
    named = ((path.relative_to(root).as_posix(), path) for path in found)
    return tuple((name, path.read_text("utf-8")) for name, path in named if not name.startswith(_SLOW))
