"""The format of the evaluation kit: documents, their truths, and a manifest that lists them."""

import json
from collections.abc import Iterable
from pathlib import Path

from corpora.truth import Truth

HELD_BACK = "held_back"
"""The folder with the manifest of the odd seeds."""


class Collection:
    """A folder that is being filled. Even seeds ("a") are for choosing rules, odd seeds ("b") are for reports."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._entries: list[dict[str, object]] = []
        self.docs = folder / "docs"
        self.docs.mkdir(parents=True, exist_ok=True)
        (folder / "expected").mkdir(exist_ok=True)

    def add(self, truth: Truth, name: str, suffix: str, *, kind: str, seed: int, source: str) -> Path:
        """Write the truth and return the path for the document. source: name of the program that writes the
        document.
        """
        path = self.docs / f"{name}.{suffix}"
        expected = f"expected/{path.name}.json"
        (self._folder / expected).write_text(json.dumps(truth.expected(), ensure_ascii=False), encoding="utf-8")
        self._entries.append(
            {"id": path.name, "format": suffix, "suite": kind, "path": f"docs/{path.name}", "expected": expected,
             "ocr": False, "half": "ab"[seed % 2], "source": source}
        )  # fmt: skip
        return path

    def close(self) -> int:
        """Write the manifests; return the number of documents."""
        _write_manifest(self._folder, self._entries, "")
        _write_manifest(self._folder / HELD_BACK, [entry for entry in self._entries if entry["half"] == "b"], "../")
        return len(self._entries)


def _write_manifest(folder: Path, entries: Iterable[dict[str, object]], up: str) -> None:
    """Write a manifest. up: relative path from the folder to the folder of the documents."""
    folder.mkdir(exist_ok=True)
    lines = [
        json.dumps({**entry, "path": f"{up}{entry['path']}", "expected": f"{up}{entry['expected']}"})
        for entry in entries
    ]
    (folder / "manifest.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
