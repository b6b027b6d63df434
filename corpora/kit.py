"""The form of the evaluation kit: documents, their truths, and a manifest that names them."""

import json
from collections.abc import Iterable
from pathlib import Path

from corpora.truth import Truth

HELD_BACK = "held_back"
"""The folder in which the manifest of the odd seeds stands."""


class Collection:
    """A folder in the making. Even seeds are the half by which rules are chosen ("a"), odd ones the half that is
    reported ("b")."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._entries: list[dict[str, object]] = []
        self.docs = folder / "docs"
        self.docs.mkdir(parents=True, exist_ok=True)
        (folder / "expected").mkdir(exist_ok=True)

    def add(self, truth: Truth, name: str, suffix: str, *, kind: str, seed: int, source: str) -> Path:
        """Writes the truth; the document belongs where the answer says. source: the program that writes it."""
        path = self.docs / f"{name}.{suffix}"
        expected = f"expected/{path.name}.json"
        (self._folder / expected).write_text(json.dumps(truth.expected(), ensure_ascii=False), encoding="utf-8")
        self._entries.append(
            {"id": path.name, "format": suffix, "suite": kind, "path": f"docs/{path.name}", "expected": expected,
             "ocr": False, "half": "ab"[seed % 2], "source": source}
        )  # fmt: skip
        return path

    def close(self) -> int:
        """Writes the manifests; returns how many documents there are."""
        _write_manifest(self._folder, self._entries, "")
        _write_manifest(self._folder / HELD_BACK, [entry for entry in self._entries if entry["half"] == "b"], "../")
        return len(self._entries)


def _write_manifest(folder: Path, entries: Iterable[dict[str, object]], up: str) -> None:
    """up: the way from the folder to that of the documents."""
    folder.mkdir(exist_ok=True)
    lines = [
        json.dumps({**entry, "path": f"{up}{entry['path']}", "expected": f"{up}{entry['expected']}"})
        for entry in entries
    ]
    (folder / "manifest.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
