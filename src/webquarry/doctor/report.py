"""Report of a suite: one line per finding, a summary, and JSON for programs."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol


class Named(Protocol):
    """The properties of an attack that the report needs."""

    @property
    def name(self) -> str: ...
    @property
    def family(self) -> str: ...
    @property
    def tries(self) -> str: ...


class Found(Protocol):
    """The result of one attack.

    `why` is a short reason; `outcome` is the result that the client got; `memory_mb` is None if unknown.
    """

    @property
    def attack(self) -> Named: ...
    @property
    def verdict(self) -> str: ...
    @property
    def why(self) -> str: ...
    @property
    def outcome(self) -> str: ...
    @property
    def seconds(self) -> float: ...
    @property
    def memory_mb(self) -> float | None: ...


def line(finding: Found) -> str:
    """Return a finding on one line."""
    return f"{finding.verdict:8} {finding.attack.name}: {finding.why or finding.outcome}"


def count_verdicts(findings: Sequence[Found], order: Sequence[str]) -> str:
    """Return the number of attacks per verdict, worst first."""
    counts = Counter(finding.verdict for finding in findings)
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in order if counts[verdict])


def as_json(findings: Sequence[Found], order: Sequence[str], notes: Sequence[str]) -> dict[str, Any]:
    """Return the report for programs. `ok` is true if no finding has the worst verdict, the first in `order`."""
    counts = Counter(finding.verdict for finding in findings)
    return {
        "ok": not counts[order[0]],
        "counts": {verdict: counts[verdict] for verdict in order},
        "notes": list(notes),
        "attacks": [describe_finding(finding) for finding in findings],
    }


def describe_finding(finding: Found) -> dict[str, Any]:
    """Return a finding for programs."""
    return {
        "name": finding.attack.name,
        "family": finding.attack.family,
        "tries": finding.attack.tries,
        "verdict": finding.verdict,
        "why": finding.why,
        "outcome": finding.outcome,
        "seconds": round(finding.seconds, 3),
        "memory_mb": None if finding.memory_mb is None else round(finding.memory_mb, 1),
    }
