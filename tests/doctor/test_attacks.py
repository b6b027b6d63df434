"""The installed code withstands every attack.

Without rules, each attack reaches its target, which proves that the rules matter.
"""

import pytest

from doctor.runs import CHROMIUM, COSTLY, Came, few, held_findings, names, of, reached_findings
from webquarry.doctor.egress.attacks import list_attacks

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="needs a Chromium")
ALL = [
    *(pytest.param(name, False, id=name) for name in names(of(pages=False))),
    *(pytest.param(name, True, id=name, marks=needs_chromium) for name in names(of(pages=True))),
]
FEW = names(few(of(pages=False)))
"""One attack of each kind, except attacks that need a browser. `make proofs` runs all attacks."""


@pytest.mark.parametrize("name", [name for name in names(of(pages=False)) if name not in COSTLY])
def test_attack_is_blocked(name: str) -> None:
    _is_held(held_findings("usual", pages=False)[name])


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(COSTLY))
def test_costly_attack_is_blocked(name: str) -> None:
    _is_held(held_findings("all", pages=False)[name])


@needs_chromium
@pytest.mark.long
@pytest.mark.parametrize("name", names(few(of(pages=True))))
def test_attack_by_a_page_is_blocked(name: str) -> None:
    _is_held(held_findings("few", pages=True)[name])


@needs_chromium
@pytest.mark.long
@pytest.mark.parametrize("name", names(of(pages=True)))
def test_every_attack_by_a_page_is_blocked(name: str) -> None:
    _is_held(held_findings("all", pages=True)[name])


def _is_held(came: Came) -> None:
    assert came.verdict == "held", came.why
    assert came.is_expected, came.outcome


@pytest.mark.parametrize("name", FEW)
def test_attack_succeeds_without_rules(name: str) -> None:
    finding = reached_findings("few", pages=False)[name]
    assert finding.verdict == "reached", finding.why


@pytest.mark.long
@pytest.mark.parametrize(("name", "in_browser"), ALL)
def test_every_attack_succeeds_without_rules(name: str, in_browser: bool) -> None:
    finding = reached_findings("all", pages=in_browser)[name]
    assert finding.verdict == "reached", finding.why


def test_attacks_have_distinct_names() -> None:
    assert len(set(names(list_attacks()))) == len(names(list_attacks()))
