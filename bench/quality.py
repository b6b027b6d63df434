"""Content, structure and CPU time of page conversion, compared with trafilatura on the same real pages.

The kit in `../shared/evals/web` (its README defines the measures) runs both on about a thousand pages, page by page.
The weights were learned from the same pages; for pages of unseen hosts, see `training.unseen`. Goals for the
differences: F1 0.060, mean of the seven kinds 0.100, half the bad pages, structure 0.25, and ten times the speed.

    python -m bench.quality              # all pages, some minutes
    python -m bench.quality --every 4    # options of the kit: here every fourth page of a set
"""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.table import bar, show

KIT = Path(__file__).parents[2] / "shared" / "evals" / "web" / "score.py"
CONVERTER = "webquarry_convert.page:to_markdown"
PEER = "trafilatura"
FIGURES = {
    "F1": "F1",
    "wcxb_types_F1": "F1, mean of seven kinds",
    "shF1": "F1 of shingles",
    "bad": "bad pages",
    "struct": "structure",
    "headings": "headings",
    "list_items": "list items",
    "cells": "cells",
    "code": "code",
    "links": "links",
    "images": "images",
    "snip": "snippets",
    "abs": "absolute addresses",
    "empty": "empty",
    "cpu_pages_s": "pages a second of CPU",
}
LEAST_GAIN = {"F1": 0.060, "wcxb_types_F1": 0.100, "struct": 0.25}
LEAST_BAD_RATIO = 2.0
LEAST_SPEED = 10.0

Figures = Mapping[str, float]


def measure(options: list[str]) -> None:
    if not KIT.exists():
        print(f"\nNot measured: the evaluation kit is not there ({KIT.parent.name}/{KIT.name} of ../shared/evals).")
        return
    with TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        command = [sys.executable, str(KIT), CONVERTER, "--peer", PEER, "--json", str(report), *options]
        subprocess.run(command, check=True)
        ours, peer = (dict(run["groups"]) for run in json.loads(report.read_text())["runs"])
    _show(ours["ALL"], peer["ALL"])
    _show_kinds(ours, peer)


def _show(ours: Figures, peer: Figures) -> None:
    rows = [
        (title, f"{ours[key]:.4g}", f"{peer[key]:.4g}", f"{ours[key] - peer[key]:+.4f}", _asked(key))
        for key, title in FIGURES.items()
        if key in ours and key in peer
    ]
    show(
        f"Page to markdown, {ours['pages']} pages",
        ("figure", "ours", PEER, "difference", "asked"),
        rows,
        *(_gain(key, ours, peer) for key in LEAST_GAIN if key in ours and key in peer),
        f"Bad pages, {PEER}'s to ours: {bar(_ratio(peer['bad'], ours['bad']), LEAST_BAD_RATIO)}",
        f"CPU, {PEER}'s to ours: {bar(_ratio(ours['cpu_pages_s'], peer['cpu_pages_s']), LEAST_SPEED)}",
    )


def _show_kinds(ours: Mapping[str, Figures], peer: Mapping[str, Figures]) -> None:
    """Print F1 for each set of the kit, and for each kind of page in it."""
    kinds = [name for name, found in ours.items() if name != "ALL" and "F1" in found and "F1" in peer.get(name, {})]
    rows = [
        (
            name,
            str(ours[name]["pages"]),
            *(f"{each[name]['F1']:.4f}" for each in (ours, peer)),
            f"{ours[name]['F1'] - peer[name]['F1']:+.4f}",
        )
        for name in kinds
    ]
    show("F1 by kind of page", ("kind", "pages", "ours", PEER, "difference"), rows)


def _asked(key: str) -> str:
    return f"+{LEAST_GAIN[key]:.3f}" if key in LEAST_GAIN else ""


def _gain(key: str, ours: Figures, peer: Figures) -> str:
    gain = ours[key] - peer[key]
    verdict = "met" if gain >= LEAST_GAIN[key] else "NOT met"
    return f"{FIGURES[key]}: {gain:+.3f}; asked: at least +{LEAST_GAIN[key]:.3f} ({verdict})."


def _ratio(above: float, below: float) -> float:
    return above / below if below else float("inf")


if __name__ == "__main__":
    measure(sys.argv[1:])
