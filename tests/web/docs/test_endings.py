"""The errors on an endpoint's page equal those on its tapes."""

import pytest

from webquarry.core.errors import ProviderError
from webquarry.endpoints.registry import load
from webquarry.sandbox import cases
from webquarry.web.docs.advice import list_endings

_DECLARED = {"not_found", "empty_result"}


@pytest.mark.parametrize("name", [extractor.name for extractor in load()])
def test_errors_of_an_endpoint_match_its_tapes(name: str) -> None:
    extractor = load().by_name[name]
    ended = {
        "/".join(filter(None, (case.error["code"], case.error.get("reason")))) for case in cases(name) if case.error
    }
    fields = {each.name for each in list_endings(extractor)}
    assert ended <= fields, ended - fields
    assert {code for code in fields if code in _DECLARED} == extractor.ends.keys() & _DECLARED


@pytest.mark.parametrize("name", [extractor.name for extractor in load() if extractor.ends])
def test_a_declared_ending_has_a_tape(name: str) -> None:
    ended = {case.error["code"] for case in cases(name) if case.error}
    assert load().by_name[name].ends.keys() <= ended


def test_reasons_are_listed_separately_with_advice() -> None:
    endings = {each.name: each for each in list_endings(load().by_name["search"])}
    assert endings["provider_error/timeout"].retry == "yes"
    assert endings["provider_error/blocked"].retry == "no"
    assert {name for name in endings if name.startswith(ProviderError.code)} == {
        f"{ProviderError.code}/{reason}"
        for reason in ("timeout", "blocked", "changed", "refused", "down", "unavailable")
    }
    assert "`q` is missing" in endings["invalid_params"].when
