"""What the operator is told: a line per attack, and the sum."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from webquarry.doctor.suite import Finding, Verdict

_ORDER: tuple[Verdict, ...] = ("reached", "opened", "skipped", "held")


def line(finding: Finding) -> str:
    """One finding, on one line."""
    return f"{finding.verdict:8} {finding.attack.name}: {finding.why or finding.outcome}"


def summary(findings: Sequence[Finding]) -> str:
    """How many attacks ended how, and what that means."""
    counts = Counter(finding.verdict for finding in findings)
    told = ", ".join(f"{counts[verdict]} {verdict}" for verdict in _ORDER if counts[verdict])
    if counts["reached"]:
        return f"{told}. What was reached can be reached by whoever may call this service."
    if not counts["held"]:
        return f"{told}. Nothing was proved."
    unless = " without a setting that lets it" if counts["opened"] else ""
    return f"{told}. No attack reached what it was after{unless}."


def as_json(findings: Sequence[Finding], notes: Sequence[str]) -> dict[str, Any]:
    """All of it, for programs. ok: whether nothing was reached."""
    counts = Counter(finding.verdict for finding in findings)
    return {
        "ok": not counts["reached"],
        "counts": {verdict: counts[verdict] for verdict in _ORDER},
        "notes": list(notes),
        "attacks": [
            {
                "name": finding.attack.name,
                "family": finding.attack.family,
                "tries": finding.attack.tries,
                "verdict": finding.verdict,
                "why": finding.why,
                "outcome": finding.outcome,
                "seconds": round(finding.seconds, 3),
                "memory_mb": None if finding.memory_mb is None else round(finding.memory_mb, 1),
            }
            for finding in findings
        ],
    }
