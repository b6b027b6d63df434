"""Generator of printed papers in the format of the evaluation kit, or of the same papers as text documents.

    python -m corpora.printed /tmp/webquarry-printed               # all kinds, 12 seeds each
    python -m corpora.printed /tmp/webquarry-printed --seeds 40
    python -m corpora.printed /tmp/webquarry-untagged --tags none  # the same papers, none of them tagged
    python -m bench.files pdf --data /tmp/webquarry-printed/held_back
    python -m corpora.printed /tmp/webquarry-latex --through latex # by another program, see `producers`
    python -m corpora.printed /tmp/webquarry-written --seeds 4 --formats docx doc odt
    python -m bench.files docx doc odt --data /tmp/webquarry-written/held_back

Even seeds ("a") are for choosing thresholds, odd ones ("b") are for reports.
"""

import argparse
import asyncio
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random

from corpora.kit import Collection
from corpora.printed import (
    business,
    choices,
    documentation,
    finance,
    legal,
    lookup,
    personal,
    press,
    printing,
    producers,
    science,
    tables,
    texts,
    web,
)
from corpora.printed.paper import Paper

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
    "choices": choices.make_choices,
}
LAID_OUT = frozenset({"records", "form", "examination", "choices"})
"""Kinds whose truth depends on layout or form fields.

A text processor does not render such layouts and would write their parts one below the other.
"""
_OFFICE = 4
"""Every fourth seed of the kinds that LibreOffice can lay out is printed by LibreOffice."""


def print_papers(folder: Path, seeds: int, kinds: Sequence[str] = (), tags: str = "drawn") -> int:
    """Write PDFs, truths and a manifest; return the number of documents.

    kinds: if empty, all kinds. tags: "all", "none", or "drawn" for a random choice per paper.
    """
    chromium, soffice = shutil.which("chromium") or shutil.which("google-chrome"), shutil.which("soffice")
    if chromium is None:
        raise SystemExit("Chromium is not installed.")
    collection = Collection(folder)
    by_program: dict[str, dict[Path, Paper]] = {"chromium": {}, "libreoffice": {}}
    for kind in kinds or KINDS:
        for seed in range(seeds):
            paper = KINDS[kind](Random(f"{kind} {seed}"))
            if tags != "drawn":
                paper.is_tagged = tags == "all"
            wants_office = "chromium" not in paper.programs or (
                "libreoffice" in paper.programs and seed % _OFFICE in (2, 3) and seed % (2 * _OFFICE) < _OFFICE
            )
            program = "libreoffice" if wants_office and soffice is not None else "chromium"
            if program == "libreoffice":
                paper.write_furniture()
            path = collection.add(paper, f"printed-{kind}-{seed:04}", "pdf", kind=kind, seed=seed, source=program)
            by_program[program][path] = paper
    asyncio.run(printing.print_by_chromium(by_program["chromium"], chromium))
    if by_program["libreoffice"] and soffice is not None:
        printing.write_by_libreoffice(by_program["libreoffice"], soffice)
    return collection.close()


def print_through(folder: Path, seeds: int, kinds: Sequence[str], name: str) -> int:
    """Print papers as `print_papers` does, but with one of `producers.PRODUCERS`.

    Papers that the producer can't lay out are skipped.
    """
    producer = producers.PRODUCERS[name]
    collection = Collection(folder)
    drawn = {(kind, seed): KINDS[kind](Random(f"{kind} {seed}")) for kind in kinds or KINDS for seed in range(seeds)}
    papers = {
        (kind, seed, collection.docs / f"{name}-{kind}-{seed:04}.pdf"): paper
        for (kind, seed), paper in drawn.items()
        if producer.takes(paper)
    }
    if producer.rewrites:
        by_path = {path: paper for (_, _, path), paper in papers.items()}
        asyncio.run(printing.print_by_chromium(by_path, shutil.which("chromium") or "google-chrome"))
    for (kind, seed, path), paper in papers.items():
        if producers.print_paper(producer, paper, path):
            collection.add(paper, path.stem, "pdf", kind=kind, seed=seed, source=name)
    return collection.close()


def write_papers(folder: Path, seeds: int, kinds: Sequence[str], formats: Sequence[str]) -> int:
    """Write papers as text documents, without the kinds whose truth depends on layout."""
    soffice = shutil.which("soffice")
    if soffice is None:
        raise SystemExit("LibreOffice is not installed.")
    collection = Collection(folder)
    by_format: dict[str, dict[Path, Paper]] = {suffix: {} for suffix in formats}
    for kind in kinds or KINDS:
        for seed in range(seeds) if kind not in LAID_OUT else ():
            paper = KINDS[kind](Random(f"{kind} {seed}"))
            paper.write_furniture()
            for suffix, papers in by_format.items():
                name = f"written-{kind}-{seed:04}"
                papers[collection.add(paper, name, suffix, kind=kind, seed=seed, source="libreoffice")] = paper
    for suffix, papers in by_format.items():
        printing.write_by_libreoffice(papers, soffice, suffix)
    return collection.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m corpora.printed")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seeds", type=int, default=12)
    parser.add_argument("--kinds", nargs="*", default=(), choices=list(KINDS))
    parser.add_argument("--tags", default="drawn", choices=("drawn", "all", "none"))
    parser.add_argument("--formats", nargs="*", default=(), choices=list(printing.TEXTS), help="in place of PDF")
    parser.add_argument("--through", choices=list(producers.PRODUCERS), help="the program that prints")
    chosen = parser.parse_args()
    if chosen.through:
        count = print_through(chosen.folder, chosen.seeds, chosen.kinds, chosen.through)
    elif chosen.formats:
        count = write_papers(chosen.folder, chosen.seeds, chosen.kinds, chosen.formats)
    else:
        count = print_papers(chosen.folder, chosen.seeds, chosen.kinds, chosen.tags)
    print(f"{count} documents")
