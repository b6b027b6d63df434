"""CPU time of converters, each in a warm process that converts one file after the other, as in a service.

The time of its worker processes is included.

    python bench/processor_time.py KIT CONVERTER       # prints a line for each path on its input: seconds, or null

This module runs in interpreters that have a converter but not this project's packages.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

WARMING = 3
"""Number of files that are converted before the measurement."""
ROUNDS = 3
"""Rounds over all files. The median of a file's times is reported, and no file is converted twice in a row."""
_CLOCK_OF_PROCESS = 2
"""Type bits in the id of a process's CPU clock."""


def compare_times(
    kit: Path, converters: Mapping[str, tuple[str, tuple[str, str]]], paths: Sequence[Path]
) -> dict[str, dict[Path, float]]:
    """Return the seconds of each converter for each file that it converted.

    kit: the folder with `score.py`. converters: for each name, an interpreter and the module that the kit loads in it,
    such as `("peer", "liteparse")`.
    """
    processes = {
        name: subprocess.Popen(
            [python, __file__, str(kit), json.dumps(loaded)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for name, (python, loaded) in converters.items()
    }
    times: dict[str, dict[Path, list[float]]] = {name: {} for name in converters}
    try:
        for path in paths[:WARMING]:
            for process in processes.values():
                _ask(process, path)
        for _ in range(ROUNDS):
            for path in paths:
                for name, process in processes.items():
                    if (seconds := _ask(process, path)) is not None:
                        times[name].setdefault(path, []).append(seconds)
    finally:
        for process in processes.values():
            process.communicate()
    return {name: {path: statistics.median(taken) for path, taken in found.items()} for name, found in times.items()}


def _ask(process: subprocess.Popen[str], path: Path) -> float | None:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{path}\n")
    process.stdin.flush()
    seconds: float | None = json.loads(process.stdout.readline())
    return seconds


def _serve(kit: str, converter: str) -> None:
    sys.path.insert(0, kit)
    from score import load  # type: ignore[import-not-found]  # of the kit

    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # output printed by a library must not mix with the results
    convert = load(json.loads(converter))
    for line in sys.stdin:
        before = _read_clocks()
        try:
            convert(line.rstrip("\n"))
        except Exception:  # noqa: BLE001  # what a converter refuses has no time
            seconds = None
        else:
            seconds = sum(clock - before.get(process, 0.0) for process, clock in _read_clocks().items())
        answers.write(f"{json.dumps(seconds)}\n")
        answers.flush()


def _read_clocks() -> dict[int, float]:
    """Return the CPU seconds of this process and its descendants."""
    clocks = {os.getpid(): time.process_time()}
    below = _find_children(os.getpid())
    while below:
        process = below.pop()
        try:
            clocks[process] = time.clock_gettime(~process << 3 | _CLOCK_OF_PROCESS)
            below += _find_children(process)
        except OSError:  # the process has ended
            continue
    return clocks


def _find_children(process: int) -> list[int]:
    tasks = Path(f"/proc/{process}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]


if __name__ == "__main__":
    _serve(sys.argv[1], sys.argv[2])
