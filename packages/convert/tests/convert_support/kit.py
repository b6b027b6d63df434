"""The evaluation kit, a folder beside the checkout. Tests that need it are skipped where it is missing."""

from pathlib import Path

KIT = Path(__file__).resolve().parents[5] / "shared"
