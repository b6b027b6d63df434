"""Prints papers into a folder in the form of the evaluation kit.

    python -m bench.printed /tmp/webquarry-printed               # all kinds, 12 seeds each
    python -m bench.printed /tmp/webquarry-printed --seeds 40
    python -m bench.printed /tmp/webquarry-untagged --tags none  # the same papers, none of them tagged
    python -m bench.files pdf --data /tmp/webquarry-printed/held_back

Even seeds are the half by which thresholds are chosen ("a"), odd ones the half that is reported ("b").
"""

import argparse
import asyncio
import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random

from bench.printed import (
    business,
    documentation,
    finance,
    legal,
    lookup,
    personal,
    press,
    printing,
    science,
    tables,
    texts,
    web,
)
from bench.printed.paper import Paper

KINDS: Mapping[str, Callable[[Random], Paper]] = {
    "invoice": business.make_invoice,
    "letter": business.make_letter,
    "receipt": business.make_receipt,
    "menu": business.make_menu,
    "form": business.make_form,
    "questionnaire": business.make_questionnaire,
    "labels": business.make_labels,
    "statement": tables.make_statement,
    "pricelist": tables.make_pricelist,
    "ledger": tables.make_ledger,
    "timetable": tables.make_timetable,
    "statistics": tables.make_statistics,
    "comparison": tables.make_comparison,
    "report": texts.make_report,
    "article": texts.make_article,
    "manual": texts.make_manual,
    "slides": texts.make_slides,
    "listing": texts.make_listing,
    "records": texts.make_columns_of_records,
    "rtl": texts.make_right_to_left,
    "judgment": legal.make_judgment,
    "statute": legal.make_statute,
    "contract": legal.make_contract,
    "minutes": legal.make_minutes,
    "bank": finance.make_bank,
    "payslip": finance.make_payslip,
    "annual": finance.make_annual,
    "tax": finance.make_tax,
    "insurance": finance.make_insurance,
    "paper": science.make_paper,
    "datasheet": science.make_datasheet,
    "laboratory": science.make_laboratory,
    "examination": science.make_examination,
    "newsletter": press.make_newsletter,
    "catalogue": press.make_catalogue,
    "programme": press.make_programme,
    "book": press.make_book,
    "life": personal.make_life,
    "recipe": personal.make_recipe,
    "ticket": personal.make_ticket,
    "directory": lookup.make_directory,
    "contents": lookup.make_contents,
    "page": web.make_page,
    "fields": web.make_fields,
    "documentation": documentation.make_documentation,
    "framed": documentation.make_framed,
}
HELD_BACK = "held_back"
"""The folder in which the manifest of the odd seeds stands."""
_OFFICE = 4
"""Every fourth seed of the kinds that LibreOffice lays out is printed by it."""


def print_papers(folder: Path, seeds: int, kinds: Sequence[str] = (), tags: str = "drawn") -> int:
    """Writes PDFs, truths and a manifest; returns how many documents there are. kinds: all when there are none. tags:
    "all", "none", or as each paper has drawn.
    """
    (folder / "docs").mkdir(parents=True, exist_ok=True)
    (folder / "expected").mkdir(exist_ok=True)
    chromium, soffice = shutil.which("chromium") or shutil.which("google-chrome"), shutil.which("soffice")
    if chromium is None:
        raise SystemExit("Chromium is not installed.")
    by_program: dict[str, dict[Path, Paper]] = {"chromium": {}, "libreoffice": {}}
    manifest = []
    for kind, make in KINDS.items():
        if kinds and kind not in kinds:
            continue
        for seed in range(seeds):
            paper = make(Random(f"{kind} {seed}"))
            if tags != "drawn":
                paper.is_tagged = tags == "all"
            wants_office = "chromium" not in paper.programs or (
                "libreoffice" in paper.programs and seed % _OFFICE in (2, 3) and seed % (2 * _OFFICE) < _OFFICE
            )
            program = "libreoffice" if wants_office and soffice is not None else "chromium"
            if program == "libreoffice":
                paper.write_furniture()
            name = f"printed-{kind}-{seed:04}"
            by_program[program][folder / "docs" / f"{name}.pdf"] = paper
            expected = f"expected/{name}.json"
            (folder / expected).write_text(json.dumps(paper.expected(), ensure_ascii=False), encoding="utf-8")
            manifest.append(
                {"id": f"{name}.pdf", "format": "pdf", "suite": kind, "path": f"docs/{name}.pdf", "expected": expected,
                 "ocr": False, "half": "ab"[seed % 2], "source": program}
            )  # fmt: skip
    asyncio.run(printing.print_by_chromium(by_program["chromium"], chromium))
    if by_program["libreoffice"] and soffice is not None:
        printing.print_by_libreoffice(by_program["libreoffice"], soffice)
    _write_manifest(folder, manifest, "")
    _write_manifest(folder / HELD_BACK, [entry for entry in manifest if entry["half"] == "b"], "../")
    return len(manifest)


def _write_manifest(folder: Path, entries: Sequence[Mapping[str, object]], up: str) -> None:
    """up: the way from the folder to that of the documents."""
    folder.mkdir(exist_ok=True)
    lines = [
        json.dumps({**entry, "path": f"{up}{entry['path']}", "expected": f"{up}{entry['expected']}"})
        for entry in entries
    ]
    (folder / "manifest.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.printed")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seeds", type=int, default=12)
    parser.add_argument("--kinds", nargs="*", default=(), choices=list(KINDS))
    parser.add_argument("--tags", default="drawn", choices=("drawn", "all", "none"))
    chosen = parser.parse_args()
    print(f"{print_papers(chosen.folder, chosen.seeds, chosen.kinds, chosen.tags)} documents")
