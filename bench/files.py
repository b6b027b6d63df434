"""Fidelity and speed of file conversion, compared with the best converters of each type, and results for hostile files.

The documents are about three hundred real documents with known text, tables and headings. The kit in
`../shared/evals/files` (its README defines the measures) runs `convert.file.to_markdown`, including a worker with its
limits, and the peers, one after the other for each document. The columns are: `text`: token F1; `cells`: recall of
table cells; `displayed`: the same for displayed values; `adj`: F1 of neighboring cells; `head`: F1 of headings;
`facts`: share of checked facts; `char`: 1 - error rate of OCR; `speed`: speed relative to the peer, as the geometric
mean over the documents that both converted. The speed is measured in processor time in warm processes
(`bench.processor_time`), and in wall-clock time if OCR runs on several threads or in other programs.

    python -m bench.files                            # all documents and the hostile set: half an hour
    python -m bench.files pdf image scan             # these types alone
    python -m bench.files --peers /path/to/python    # an interpreter that has the peers, and rapidfuzz
    python -m bench.files pdf --data ../shared/evals/files/more      # other documents, or those of `corpora.printed`
    python -m bench.files docx --data FOLDER --by-suite      # its kinds too
"""

import argparse
import json
import math
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from bench.processor_time import compare_times
from bench.table import show

KIT = Path(__file__).parents[2] / "shared" / "evals" / "files"
CONVERTER = "webquarry.convert.file:to_markdown"
COLUMNS = {"text_f1": "text", "cells": "cells", "cells_strict": "displayed", "table_adj_f1": "adj", "head_f1": "head",
           "facts": "facts", "char_acc": "char"}  # fmt: skip
GOALS: Mapping[str, Mapping[str, float]] = {
    "pdf": {"text_f1": 0.98, "cells": 0.95, "table_adj_f1": 0.90, "head_f1": 0.92, "facts": 0.80},
    "docx": {"text_f1": 0.985, "cells": 0.97, "table_adj_f1": 0.88, "head_f1": 0.96},
    "doc": {"text_f1": 0.96, "cells": 0.85, "table_adj_f1": 0.75, "head_f1": 0.95},
    "xlsx": {"cells": 0.975, "cells_strict": 0.95, "table_adj_f1": 0.93},
    "xls": {"cells": 0.95, "cells_strict": 0.92, "table_adj_f1": 0.88},
    "ods": {"cells": 0.99, "cells_strict": 0.985, "table_adj_f1": 0.98},
    "odt": {"text_f1": 0.99, "cells": 0.97, "table_adj_f1": 0.93, "head_f1": 1.0},
    "odp": {"text_f1": 0.95, "head_f1": 0.85},
    "csv": {"cells": 0.99},
    "numbers": {"cells": 1.0},
    "image": {"text_f1": 0.95, "char_acc": 0.90},
    "scan": {"text_f1": 0.90, "char_acc": 0.82},
}
SPEEDS: Mapping[tuple[str, str], float] = {
    ("pdf", "liteparse"): 0.8,
    ("docx", "markitdown"): 25,
    ("xlsx", "markitdown"): 10,
    ("image", "rapidocr"): 1,
    ("scan", "rapidocr"): 1,
}
PEERS: Mapping[str, Sequence[str]] = {
    "pdf": ("liteparse",),
    "docx": ("xberg", "markitdown"),
    "doc": ("xberg",),
    "xlsx": ("xberg", "markitdown"),
    "xls": ("xberg", "markitdown"),
    "ods": ("xberg",),
    "odt": ("xberg",),
    "odp": ("xberg",),
    "csv": ("xberg",),
    "pptx": ("xberg", "markitdown"),
    "epub": ("xberg", "markitdown"),
    "eml": ("xberg",),
    "numbers": ("numbers",),
    "image": ("rapidocr",),
    "scan": ("rapidocr",),
}
MODULES = {"numbers": "numbers_parser"}
"""Python module names of the peers for which the kit uses a different name."""
COMPARISON = "rapidfuzz"
"""The package with which the kit compares texts, if installed.

Without it, headings that are nearly right count as wrong.
"""
OURS = "target"
BY_SUITE = ("image", "scan")
"""Types for which single suites are shown too, because a converter that is quick with pages may be slow with
receipts."""

Results: TypeAlias = Mapping[str, Mapping[str, Any]]
"""The kit's results for one converter, by document."""


def measure(kinds: Sequence[str], peers_python: str, data: Path, *, by_suite: bool = False) -> None:
    """Print the results.

    kinds: types of documents; if empty, all types and the hostile set are measured. data: a folder in the format of the
    kit. by_suite: whether to show each suite of every type too.
    """
    if not KIT.is_dir():
        print("\nNot measured: the evaluation kit is not there (../shared/evals/files).")
        return
    interpreters = _interpreters(peers_python)
    scorer = interpreters.get(COMPARISON, sys.executable)
    rows: list[tuple[object, ...]] = []
    for kind in kinds or PEERS:
        peers = {name: interpreters[name] for name in PEERS[kind] if name in interpreters}
        told = _told(scorer, data, kind, peers)
        if OURS not in told:
            continue
        speeds = _compare_clocks(told) if kind in BY_SUITE else _compare_processor_times(data, kind, peers)
        for converter, results in told.items():
            rows.append(_row(kind, converter, results, speeds.get(converter)))
        if by_suite or kind in BY_SUITE:
            for suite in sorted({result["suite"] for result in told[OURS].values()}):
                within = {converter: _of_suite(results, suite) for converter, results in told.items()}
                speeds = _compare_clocks(within) if kind in BY_SUITE else {}
                for converter, results in within.items():
                    rows.append(_row(f"{kind}: {suite}", converter, results, speeds.get(converter)))
    wanted = {COMPARISON, *(name for kind in kinds or PEERS for name in PEERS[kind])}
    missing = sorted(wanted - interpreters.keys())
    show(
        "Files to markdown, and what is asked",
        ("type", "converter", "documents", "failed", *COLUMNS.values(), "speed"),
        rows,
        "`0.962 < 0.97`: less than asked.",
        *([f"Not installed: {', '.join(missing)} (`--peers`)."] if missing else []),
    )
    if not kinds:
        print(_kit(scorer, "--hostile", str(KIT / "hostile"), "--timeout", "25"))


def _interpreters(peers_python: str) -> Mapping[str, str]:
    """Return the interpreter that has each peer and the comparison package: this interpreter, or the other one."""
    found = {}
    for name in {COMPARISON, *(name for names in PEERS.values() for name in names)}:
        asked = f"import importlib.util as u; raise SystemExit(u.find_spec({MODULES.get(name, name)!r}) is None)"
        for python in dict.fromkeys((sys.executable, peers_python)):
            if subprocess.run([python, "-c", asked]).returncode == 0:
                found[name] = python
                break
    return found


def _told(scorer: str, data: Path, kind: str, peers: Mapping[str, str]) -> Mapping[str, Results]:
    """Return the results by converter, with this project's converter first. peers: the peers with their
    interpreters.
    """
    options = [option for name, python in peers.items() for option in ("--peer", name, "--python", f"{name}={python}")]
    with tempfile.NamedTemporaryFile(prefix="wq-bench-", suffix=".json") as file:
        _kit(scorer, "--data", str(data), "--formats", kind, "--json", file.name, *options)
        found: dict[str, Results] = json.load(file)
    return found


def _kit(scorer: str, *options: str) -> str:
    """Run the kit and return its output.

    scorer: the interpreter that compares texts; this project's converter runs in the current interpreter.
    """
    own = ("--target", CONVERTER, "--python", f"{OURS}={sys.executable}")
    command = [scorer, str(KIT / "score.py"), *own, *options]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def _of_suite(results: Results, suite: str) -> Results:
    return {name: result for name, result in results.items() if result["suite"] == suite}


def _compare_clocks(told: Mapping[str, Results]) -> dict[str, float]:
    ours = told[OURS]
    return {
        peer: _compute_speed(
            (result["wall"], ours[name]["wall"])
            for name, result in results.items()
            if result["ok"] and ours[name]["ok"]
        )
        for peer, results in told.items()
        if peer != OURS
    }


def _compare_processor_times(data: Path, kind: str, peers: Mapping[str, str]) -> dict[str, float]:
    """Return the processor times of the converters. peers: the peers with their interpreters."""
    lines = (data / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    entries = [json.loads(line) for line in lines]
    paths = [data / entry["path"] for entry in entries if entry["format"] == kind and not entry.get("skip")]
    converters = {name: (python, ("peer", name)) for name, python in peers.items()}
    times = compare_times(KIT, {OURS: (sys.executable, ("target", CONVERTER)), **converters}, sorted(paths))
    ours = times.pop(OURS)
    return {
        peer: _compute_speed((seconds, ours[path]) for path, seconds in taken.items() if path in ours)
        for peer, taken in times.items()
    }


def _compute_speed(times: Iterable[tuple[float, float]]) -> float:
    """Return this converter's speed relative to a peer. times: seconds of the peer and of this converter for each
    document.
    """
    ratios = [peer / ours for peer, ours in times]
    return statistics.geometric_mean(ratios) if ratios else math.nan


def _row(kind: str, converter: str, results: Results, speed: float | None) -> tuple[object, ...]:
    """Return a row of the table. speed: this project's speed relative to the converter."""
    is_ours = converter == OURS
    goals = GOALS.get(kind, {}) if is_ours else {}
    figures = (
        _beside(_mean(result["scores"].get(name) for result in results.values()), goals.get(name)) for name in COLUMNS
    )
    failed = sum(not result["ok"] for result in results.values())
    told = "" if is_ours else _beside(speed, SPEEDS.get((kind, converter)))
    return (kind, "ours" if is_ours else converter, len(results), failed, *figures, told)


def _mean(scores: Iterable[float | None]) -> float | None:
    known = [score for score in scores if score is not None]
    return statistics.fmean(known) if known else None


def _beside(figure: float | None, goal: float | None) -> str:
    if figure is None:
        return "-"
    if goal is None:
        return f"{figure:.3g}"
    return f"{figure:.3g} {'≥' if figure >= goal else '<'} {goal:g}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.files")
    parser.add_argument("kinds", nargs="*", metavar="TYPE", help=f"of {', '.join(PEERS)}")
    parser.add_argument("--peers", default=sys.executable, metavar="PYTHON")
    parser.add_argument("--data", default=KIT / "dev", type=Path, metavar="FOLDER")
    parser.add_argument("--by-suite", action="store_true", help="each suite of a type in a row of its own")
    chosen = parser.parse_args()
    if unknown := set(chosen.kinds) - PEERS.keys():
        parser.error(f"no such type: {', '.join(sorted(unknown))}")
    measure(chosen.kinds, chosen.peers, chosen.data, by_suite=chosen.by_suite)
