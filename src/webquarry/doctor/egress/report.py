"""Report of attacks on outgoing requests."""

from collections.abc import Sequence
from typing import Final

from webquarry.doctor.egress.suite import Finding, Verdict
from webquarry.doctor.report import count_verdicts

ORDER: Final[tuple[Verdict, ...]] = ("reached", "opened", "skipped", "held")
"""Verdicts, worst first."""


def summary(findings: Sequence[Finding]) -> str:
    """Return a summary: the number of attacks per verdict, and the meaning of the worst verdict."""
    counts = count_verdicts(findings, ORDER)
    verdicts = {finding.verdict for finding in findings}
    if "reached" in verdicts:
        return f"{counts}. Callers of this service can reach these targets."
    if "held" not in verdicts:
        return f"{counts}. Nothing could be tested."
    unless = " except where a setting allows it" if "opened" in verdicts else ""
    return f"{counts}. No attack succeeded{unless}."
