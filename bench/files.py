"""Fidelity of converted files on about three hundred real documents with known text, tables and headings, and what
hostile files do.

The kit of `../shared/evals/files` (its README has the measures) asks `convert.file.to_markdown`, a worker with its
limits included. Columns: `text` token F1, `cells` recall of table cells, `displayed` the same as displayed, `adj` F1 of
neighbouring cells, `head` F1 of headings, `facts` share of checked facts, `char` 1 - error rate of OCR.

    python -m bench.files                       # all documents and the hostile set, some minutes for those read by OCR
    python -m bench.files --formats pdf,docx    # options of the kit
"""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from bench.table import show

KIT = Path(__file__).parents[2] / "shared" / "evals" / "files"
CONVERTER = "webquarry.convert.file:to_markdown"
COLUMNS = {"text": "text", "cells": "cells", "cellsX": "displayed", "adj": "adj", "head": "head", "facts": "facts",
           "char": "char"}  # fmt: skip
GOALS: Mapping[str, Mapping[str, float]] = {
    "pdf": {"text": 0.97, "cells": 0.90, "adj": 0.84, "head": 0.80, "facts": 0.60},
    "docx": {"text": 0.985, "cells": 0.97, "adj": 0.88, "head": 0.96},
    "doc": {"text": 0.96, "cells": 0.85, "adj": 0.75, "head": 0.95},
    "xlsx": {"cells": 0.975, "cellsX": 0.95, "adj": 0.93},
    "xls": {"cells": 0.95, "cellsX": 0.92, "adj": 0.88},
    "ods": {"cells": 0.99, "cellsX": 0.985, "adj": 0.98},
    "odt": {"text": 0.99, "cells": 0.97, "adj": 0.93, "head": 1.0},
    "odp": {"text": 0.95, "head": 0.85},
    "csv": {"cells": 0.99},
    "numbers": {"cells": 1.0},
    "image": {"text": 0.95, "char": 0.90},
    "scan": {"text": 0.90, "char": 0.82},
}


def measure(options: list[str]) -> None:
    if not KIT.is_dir():
        print("\nNot measured: the evaluation kit is not there (../shared/evals/files).")
        return
    told = _kit("--data", str(KIT / "dev"), *options)
    rows = [
        (kind, found["docs"], found["fail"], *(_beside(kind, column, found.get(column, "-")) for column in COLUMNS))
        for kind, found in _figures(told)
    ]
    show(
        "Files to markdown, and what is asked",
        ("type", "documents", "failed", *COLUMNS.values()),
        rows,
        "`.962 < .97`: less than asked.",
    )
    if not options:
        print(_kit("--hostile", str(KIT / "hostile"), "--timeout", "25"))


def _kit(*options: str) -> str:
    command = [sys.executable, str(KIT / "score.py"), "--target", CONVERTER, *options]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def _figures(told: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Rows of the kit's table, by type."""
    names: list[str] = []
    for line in told.splitlines():
        cells = line.split()
        if cells[:2] == ["format", "system"]:
            names = cells
        elif names and len(cells) > 2 and cells[1] == "target" and cells[0] != "import:":
            yield cells[0], dict(zip(names, cells, strict=False))


def _beside(kind: str, column: str, figure: str) -> str:
    goal = GOALS.get(kind, {}).get(column)
    if goal is None or figure == "-":
        return figure
    return f"{figure} {'≥' if float(figure) >= goal else '<'} {goal:g}"


if __name__ == "__main__":
    measure(sys.argv[1:])
