"""The evaluation kit, a folder next to the checkout. Tests that need it are skipped if the folder is missing."""

from pathlib import Path

KIT = Path(__file__).resolve().parents[5] / "shared"
