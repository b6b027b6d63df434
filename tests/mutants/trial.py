"""A trial: one mutation in a copy of the repository, and the tests that are run on it."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from mutants.covering import list_stages
from mutants.mutations import Mutation

_LEFT_OUT: Final = shutil.ignore_patterns(".git", ".venv", ".*_cache", "__pycache__", ".hypothesis")
_LEFT_OUT_AT_THE_TOP: Final = {"data", "build", "dist"}
_FAILED: Final = re.compile(r"^(?:FAILED|ERROR) (\S+?\.py(?:::[\w:]+)?)", re.MULTILINE)
"""The function that failed, without its parameters, because parameters may be truncated or unsafe on a command line."""
_PYTEST: Final = (sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", "--force-reruns=0", "--tb=no", "-rfE")
_TIDY_S: Final = 20
"""Seconds that interrupted tests have to end the servers that they started."""
_MOST_UNSOUND: Final = 4
"""Number of tests that fail randomly, or without the mutation too, after which a trial is abandoned."""
_NO_TESTS: Final = 5

Outcome = Literal["killed", "survived", "out of time", "not judged"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a mutation. test: the test that failed, or the tests that were unreliable."""

    outcome: Outcome
    test: str
    seconds: float


class Tree:
    """A copy of the repository, in which tests run and one file at a time is mutated."""

    def __init__(self, repository: Path, folder: Path) -> None:
        self.root = folder / "tree"

        def leave_out(folder: str, names: list[str]) -> set[str]:
            top = _LEFT_OUT_AT_THE_TOP if Path(folder) == repository else set()
            return _LEFT_OUT(folder, names) | top.intersection(names)

        shutil.copytree(repository, self.root, symlinks=True, ignore=leave_out)
        kit = repository.parent / "shared"
        if kit.exists():
            (folder / "shared").symlink_to(kit.resolve())
        sources = (self.root / "src", self.root / "packages/convert/src")
        self._environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, sources)),
            "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
            "HYPOTHESIS_STORAGE_DIRECTORY": str(folder / "hypothesis"),
        }
        self._writes = 0

    def try_mutation(self, module: Path, mutation: Mutation, limit_s: float) -> Verdict:
        """Run the tests that cover the module with the mutation in it, until one fails.

        A mutation is killed when the same test fails twice with it and passes without it. limit_s: seconds for all.
        """
        began_s = time.monotonic()
        path = self.root / module
        source = path.read_bytes()
        outcome: Outcome
        try:
            outcome, test = self._judge(path, source, mutation, began_s + limit_s)
        except subprocess.TimeoutExpired:
            outcome, test = "out of time", ""
        finally:
            self._write(path, source)
        return Verdict(outcome, test, time.monotonic() - began_s)

    def _judge(self, path: Path, source: bytes, mutation: Mutation, until_s: float) -> tuple[Outcome, str]:
        stages = list_stages(self.root, path.relative_to(self.root))
        unsound: list[str] = []
        while stages:
            self._write(path, mutation.apply(source))
            failed = self._run([*stages[0], *(f"--deselect={test}" for test in unsound)], until_s)
            if failed is None:
                stages.pop(0)
                continue
            fails_again = self._run([failed], until_s) is not None
            self._write(path, source)
            if fails_again and self._run([failed], until_s) is None:
                return "killed", failed
            unsound.append(failed)
            if len(unsound) == _MOST_UNSOUND:
                return "not judged", ", ".join(unsound)
        return "survived", ""

    def _run(self, arguments: Sequence[str], until_s: float) -> str | None:
        """Run tests until one fails. Return the failed test, or None. Raises TimeoutExpired if they do not finish in
        time.
        """
        with subprocess.Popen(
            [*_PYTEST, *arguments],
            cwd=self.root,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        ) as process:
            try:
                output, _ = process.communicate(timeout=max(until_s - time.monotonic(), 0.1))
            except subprocess.TimeoutExpired:
                _end(process)
                raise
        if process.returncode in (0, _NO_TESTS):
            return None
        found = _FAILED.search(output)
        return found[1] if found is not None else arguments[0]

    def _write(self, path: Path, source: bytes) -> None:
        """Write a module with a different modification time, so that Python does not use the bytecode of the earlier
        version.
        """
        self._writes += 1
        path.write_bytes(source)
        os.utime(path, (1_000_000_000 + self._writes, 1_000_000_000 + self._writes))


def _end(process: subprocess.Popen[str]) -> None:
    """End the tests. First send an interrupt, so that they stop the processes that they started."""
    for end in (signal.SIGINT, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, end)
        with suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=_TIDY_S)
            return
