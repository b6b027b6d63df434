"""Every attack is held by the installed code, and reaches its target where there is no rule: so holding it counts."""

import pytest

from doctor.runs import CHROMIUM, few, held_findings, names, of, reached_findings
from webquarry.doctor.egress.attacks import list_attacks
from webquarry.doctor.egress.suite import Finding

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="needs a Chromium")
ALL = [
    *(pytest.param(name, False, id=name) for name in names(of(pages=False))),
    *(pytest.param(name, True, id=name, marks=needs_chromium) for name in names(of(pages=True))),
]
FEW = names(few(of(pages=False)))
"""Two of each kind, but for those that need a browser; all of them by `make proofs`."""


@pytest.mark.parametrize("name", names(of(pages=False)))
def test_attack_is_held(name: str) -> None:
    _is_held(held_findings(pages=False, all_of_them=True)[name])


@needs_chromium
@pytest.mark.long
@pytest.mark.parametrize("name", names(few(of(pages=True))))
def test_attack_by_a_page_is_held(name: str) -> None:
    _is_held(held_findings(pages=True, all_of_them=False)[name])


@needs_chromium
@pytest.mark.long
@pytest.mark.parametrize("name", names(of(pages=True)))
def test_every_attack_by_a_page_is_held(name: str) -> None:
    _is_held(held_findings(pages=True, all_of_them=True)[name])


def _is_held(finding: Finding) -> None:
    assert finding.verdict == "held", finding.why
    assert finding.outcome in finding.attack.holds


@pytest.mark.parametrize("name", FEW)
def test_attack_reaches_its_target_where_there_is_no_rule(name: str) -> None:
    finding = reached_findings(pages=False, all_of_them=False)[name]
    assert finding.verdict == "reached", finding.why


@pytest.mark.long
@pytest.mark.parametrize(("name", "in_browser"), ALL)
def test_every_attack_reaches_its_target_where_there_is_no_rule(name: str, in_browser: bool) -> None:
    finding = reached_findings(pages=in_browser, all_of_them=True)[name]
    assert finding.verdict == "reached", finding.why


def test_no_two_attacks_have_one_name() -> None:
    assert len(set(names(list_attacks()))) == len(names(list_attacks()))
