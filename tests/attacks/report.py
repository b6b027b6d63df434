"""Report of attacks by content for the operator."""

from collections.abc import Sequence
from typing import Any, Final

from attacks.suite import Finding, Verdict
from webquarry.doctor import report

ORDER: Final[tuple[Verdict, ...]] = ("broke", "skipped", "held")
"""Verdicts, worst first."""


def summary(findings: Sequence[Finding]) -> str:
    """Return the number of attacks per verdict and a conclusion."""
    counts = report.count_verdicts(findings, ORDER)
    verdicts = {finding.verdict for finding in findings}
    longest_ms = max((finding.pulse.longest_ms for finding in findings), default=0.0)
    if "broke" in verdicts:
        return f"{counts}. What broke can be broken by whoever may call this service, or writes what it reads."
    if "held" not in verdicts:
        return f"{counts}. Nothing was proved."
    return f"{counts}. The server answered all the while: the longest wait was {longest_ms:.0f} ms."


def as_json(findings: Sequence[Finding], notes: Sequence[str] = ()) -> dict[str, Any]:
    """Return the whole report for programs.

    longest_wait_ms: of `/healthz`; twin_wait_ms: of an idle process at the same time.
    """
    report_json = report.as_json(findings, ORDER, notes)
    for row, finding in zip(report_json["attacks"], findings, strict=True):
        row["aim"] = finding.attack.aim
        row["longest_wait_ms"] = round(finding.pulse.longest_ms, 1)
        row["twin_wait_ms"] = round(finding.pulse.twin_ms, 1)
    return report_json
