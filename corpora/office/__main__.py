"""Generator of office documents, books and emails in the format of the evaluation kit.

    python -m corpora.office /tmp/webquarry-office               # 35 kinds, 12 seeds each, in every type
    python -m corpora.office /tmp/webquarry-office --seeds 4 --kinds budget clauses
    python -m bench.files docx xlsx pptx epub eml --data /tmp/webquarry-office/held_back

LibreOffice with Writer, Calc and Impress writes everything except delimited texts, books and emails.
"""

import argparse
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random

from corpora.kit import Collection
from corpora.libreoffice import export
from corpora.office import books, cells, delimited, mails, sheets, signs, slides, texts, workbooks

TEXTS: Mapping[str, Callable[[Random], texts.Text]] = {
    "notes": texts.make_notes,
    "clauses": texts.make_clauses,
    "outline": texts.make_numbered_headings,
    "letterhead": texts.make_letterhead,
    "changes": texts.make_changes,
    "columns": texts.make_columns,
    "lists": cells.make_lists,
    "cells": cells.make_tables,
    "signs": signs.make_signs,
}
WORKBOOKS: Mapping[str, Callable[[Random], sheets.Workbook]] = {
    "budget": workbooks.make_budget,
    "several": workbooks.make_several,
    "hidden": workbooks.make_hidden,
    "lines": workbooks.make_lines,
    "kinds": workbooks.make_kinds,
    "pivot": workbooks.make_outline,
    "sparse": workbooks.make_sparse,
    "chart": workbooks.make_chart,
}
SLIDES: Mapping[str, Callable[[Random], slides.Slides]] = {
    "bullets": slides.make_bullets,
    "slide-tables": slides.make_tables,
    "groups": slides.make_groups,
    "slide-charts": slides.make_charts,
    "slide-columns": slides.make_columns,
    "unseen": slides.make_hidden,
}
DELIMITED: Mapping[str, Callable[[Random], delimited.Delimited]] = {
    "encoded": delimited.make_encoded,
    "quoted": delimited.make_quoted,
    "european": delimited.make_european,
    "preceded": delimited.make_preceded,
}
BOOKS: Mapping[str, Callable[[Random], books.Book]] = {
    "novel": books.make_novel,
    "textbook": books.make_textbook,
    "odd": books.make_odd,
}
MAILS: Mapping[str, Callable[[Random], mails.Mail]] = {
    "plain": mails.make_plain,
    "marked-up": mails.make_marked_up,
    "attached": mails.make_attached,
    "chain": mails.make_chain,
    "raw": mails.make_raw,
}
KINDS = (*TEXTS, *WORKBOOKS, *SLIDES, *DELIMITED, *BOOKS, *MAILS)
_FLAT: Sequence[
    tuple[Mapping[str, Callable[[Random], texts.Text | sheets.Workbook | slides.Slides]], str, Sequence[str]]
] = (
    (TEXTS, "fodt", texts.FORMATS),
    (WORKBOOKS, "fods", sheets.FORMATS),
    (SLIDES, "fodp", slides.FORMATS),
)


def write_documents(folder: Path, seeds: int, kinds: Sequence[str]) -> int:
    """Write documents, truths and a manifest; return the number of documents."""
    soffice = shutil.which("soffice")
    if soffice is None:
        raise SystemExit("LibreOffice is not installed.")
    collection = Collection(folder)
    for makers, source, formats in _FLAT:
        by_format: dict[str, dict[Path, str]] = {suffix: {} for suffix in formats}
        for kind in (kind for kind in makers if kind in kinds):
            for seed in range(seeds):
                document = makers[kind](Random(f"{kind} {seed}"))
                flat = document.source()
                for suffix, files in by_format.items():
                    name = f"office-{kind}-{seed:04}"
                    files[collection.add(document, name, suffix, kind=kind, seed=seed, source="libreoffice")] = flat
        for suffix, files in by_format.items():
            if files:
                export(files, soffice, source, suffix)
    for makers_of_bytes, suffix in ((DELIMITED, "csv"), (BOOKS, "epub"), (MAILS, "eml")):
        for kind in (kind for kind in makers_of_bytes if kind in kinds):
            for seed in range(seeds):
                made = makers_of_bytes[kind](Random(f"{kind} {seed}"))
                content = made.content if isinstance(made, delimited.Delimited) else made.content()
                name = f"office-{kind}-{seed:04}"
                collection.add(made, name, suffix, kind=kind, seed=seed, source="python").write_bytes(content)
    return collection.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m corpora.office")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seeds", type=int, default=12)
    parser.add_argument("--kinds", nargs="*", default=KINDS, choices=KINDS)
    chosen = parser.parse_args()
    print(f"{write_documents(chosen.folder, chosen.seeds, chosen.kinds)} documents")
