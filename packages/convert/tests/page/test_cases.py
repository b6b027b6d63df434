"""Pages that reproduce defects reported by users of converters. `cases.md` describes the expected markdown."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from convert_support.kit import KIT
from webquarry_convert.page import to_markdown

CASES = KIT / "evals/web/cases"
_CASE = re.compile(r"^## (\S+)$(.*?)(?=^## |^# |\Z)", re.MULTILINE | re.DOTALL)
_URL = re.compile(r"\burl: (\S+)$", re.MULTILINE)
_RULE = re.compile(r"^- must( not)?: `(.*)`(?:  \(fails\))?$", re.MULTILINE)

pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="the cases are not there")


class Case(NamedTuple):
    """A page, with patterns that its markdown must match and patterns that it must not match."""

    name: str
    url: str
    wanted: list[str]
    unwanted: list[str]


def read_cases() -> Iterator[Case]:
    """Yield the cases that need no browser. These cases have a URL."""
    for name, text in _CASE.findall((CASES / "cases.md").read_text() if CASES.is_dir() else ""):
        if (url := _URL.search(text)) is not None:
            rules = [(is_not, _unquote(pattern)) for is_not, pattern in _RULE.findall(text)]
            unwanted = [pattern for is_not, pattern in rules if is_not]
            yield Case(name, url[1], [pattern for is_not, pattern in rules if not is_not], unwanted)


def _unquote(pattern: str) -> str:
    """Remove the second backtick on both sides of a pattern that contains single backticks."""
    is_quoted = pattern.startswith("`") and pattern.endswith("`") and not pattern.startswith("```")
    return pattern[1:-1] if is_quoted else pattern


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in read_cases()])
def test_markdown_matches_the_description(case: Case) -> None:
    assert case.wanted
    markdown = to_markdown((CASES / f"{case.name}.html").read_text(), case.url)
    assert [pattern for pattern in case.wanted if re.search(pattern, markdown, re.MULTILINE) is None] == []
    assert [pattern for pattern in case.unwanted if re.search(pattern, markdown, re.MULTILINE)] == []
