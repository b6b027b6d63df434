"""The run time of every expression of the package is linear, according to an analysis and to measurements."""

import random
import re
import warnings
from collections.abc import Callable, Sequence
from functools import partial

import pytest

from convert_support.pumps import Growth, Pump, judge, pumps_of, random_pumps, work_of
from support.patterns import METHODS, Used, all_patterns

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # the analysis parses expressions with the library's old module
    from dlint.redos.detect import catastrophic

LINEAR_ALL_THE_SAME = {
    # the analysis does not know that these repeats are possessive
    "crawl.addresses:_PLAIN": "possessive repeats, of parts that end with a dot or begin with a slash",
    "webquarry_convert.page.content.shortcodes:_BARE": "each part of a name begins with a sign that is in no part",
    "webquarry_convert.page.content.shortcodes:_CLOSING": "each part of a name begins with a sign that is in no part",
    "webquarry_convert.page.content.shortcodes:_OPENING": "each part of a name begins with a sign that is in no part",
    "webquarry_convert.links:_SCAN": "possessive repeats",
    "webquarry_convert.links:_TARGET": "possessive repeats",
    "webquarry_convert.file.mail.invitation:_PROPERTY": "possessive repeats, of parts that begin differently",
    "webquarry_convert.file.delimited:_QUOTED": "possessive repeats, of parts that begin differently",
    "webquarry_convert.file.sheets.csv.delimiter:_QUOTED": "possessive repeats, of parts that begin differently",
    "webquarry_convert.file.sheets.links:_FORMULA": "possessive repeats, of parts that begin differently",
    "webquarry_convert.file.sheets.xlsx.plain:_ROW": "possessive repeats",
    "webquarry_convert.file.sheets.xlsx.strings:_STRING": "possessive repeats, of parts that begin differently",
    "webquarry_convert.page.state.state_objects:_LITERAL": "possessive repeats, of parts that begin differently",
    "webquarry_convert.write.math:_DOLLARS": "possessive repeats, of parts that begin differently",
    "webquarry_convert.write.images:_PLACEHOLDER": "a possessive repeat, at most 40 times",
    "webquarry_convert.text.harmless:_COSTLY": "possessive repeats",
    "webquarry_convert.text.sanitizer:_TOKEN": "possessive repeats",
    "webquarry_convert.file.hypertext:_CLOSED": "possessive repeats, of parts that begin differently",
    "mcp.prepared:_STRING_OR_COMMA": "a possessive repeat, of parts that begin differently",
    # nested repeats whose parts begin with a character that the others do not contain
    "webquarry_convert.verdict.block_pages:_CONSENT_PATH": "each part ends with a slash, which is in no part",
    "webquarry_convert.file.detect:_MESSAGE": "each line ends with its break, and only a blank begins one that goes on",
    "webquarry_convert.file.sheets.links:_OURS": "one part begins with a backslash, the other with any other sign",
    "extractors.search.sources.result_links:_AD_HOSTS": "each part ends with a dot, which is in no part",
    "web.docs.entries:_HEADING": "each part begins with a space, which is in no name",
    "web.docs.entries:_ROW": "one part begins with a backslash, the other with any other sign",
    "web.docs.prose:_HEAD": "each part begins with a space, which is in no name",
    "web.docs.prose:_TITLED": "each part begins with a space, which is in no name",
    "excerpts.lines:_DELIMITER": "each part ends with a bar, which is in no part",
    "excerpts.lines:_FENCE": "each part begins with a sign that blanks and bars do not have, and ends with a blank",
    "webquarry_convert.write.media:_VIDEO": "each part ends with a dot, which is in no part",
    "webquarry_convert.hidden.selectors:_PART": "a name is read whole, and the sign behind it is in no name",
    "workers.markup:_TOKEN": "an attribute begins with a space, and a value ends with a quote that it cannot hold",
}
"""Expressions reported by the analysis, each with the reason why it is linear. All are measured like the others."""
SHARES = range(16)
"""Tests that share the expressions. They are collected when the first one runs, because that takes long."""


def share(number: int) -> Sequence[Used]:
    return all_patterns()[number :: len(SHARES)]


def growing(used: Used, pumps: list[Pump], largest: int) -> Growth | None:
    """Return the first growth for any use of an expression."""
    methods = {"finditer" if method in ("findall", "sub", "subn", "split") else method for method in used.methods}
    for method in sorted(methods):
        for pump in pumps:
            found = judge(
                partial(_prepared, used, method, pump),
                f"{used}.{method}: {pump}",
                size=500,
                largest=largest,
                longest_s=0.2,
            )
            if found is not None:
                return found
    return None


def _prepared(used: Used, method: str, pump: Pump, size: int) -> Callable[[], object]:
    return work_of(used.pattern, method, pump.text(size))


def test_all_expressions_are_found() -> None:
    names = {used.name for used in all_patterns()}
    assert len(names) > 300
    assert {
        "webquarry_convert.text.sanitizer:_TOKEN",
        "webquarry_convert.text.sanitizer:_RAW_END[0]",
        "webquarry_convert.verdict.block_pages:_STOP_SEGMENTS[0]",
    } <= names
    assert any(
        used.name.startswith("webquarry_convert.links:") and "x" in used.pattern.pattern for used in all_patterns()
    )


def test_methods_of_an_expression_are_those_that_its_module_calls() -> None:
    methods = {used.name: used.methods for used in all_patterns()}
    assert methods["webquarry_convert.page.head.title:_NO_LETTER"] == {"sub"}
    assert methods["webquarry_convert.verdict.block_pages:_STOP_SEGMENTS[0]"] == METHODS


def is_bad(used: Used) -> bool:
    source = used.pattern.pattern if isinstance(used.pattern.pattern, str) else used.pattern.pattern.decode("latin-1")
    verbose = "(?x)" if used.pattern.flags & re.VERBOSE else ""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return bool(catastrophic(verbose + source))


@pytest.mark.parametrize("number", SHARES)
def test_analysis_finds_no_superlinear_expression(number: int) -> None:
    bad = {used.name for used in share(number) if is_bad(used)}
    assert bad == {used.name for used in share(number)} & LINEAR_ALL_THE_SAME.keys()


def test_no_exception_outlives_its_expression() -> None:
    assert LINEAR_ALL_THE_SAME.keys() <= {used.name for used in all_patterns()}


@pytest.mark.parametrize("number", SHARES)
def test_time_grows_linearly_with_the_text(number: int) -> None:
    """The test runs with every fifth text. `make proofs` uses all texts."""
    found = (growing(used, pumps_of(used.pattern, 80)[::5], 8000) for used in share(number))
    assert [growth for growth in found if growth is not None] == []


@pytest.mark.long
@pytest.mark.parametrize("number", SHARES)
def test_time_grows_linearly_with_any_text(number: int) -> None:
    found = []
    for used in share(number):
        pumps = [*pumps_of(used.pattern), *random_pumps(used.pattern, random.Random(used.name), 200)]
        found.append(growing(used, pumps, 64_000))
    assert [growth for growth in found if growth is not None] == []


@pytest.mark.parametrize(
    ("bad", "method"),
    [
        pytest.param(r"(?:a|a)*b", "search", marks=pytest.mark.long),
        (r"(?:_?(?:img|[0-9x]+))*\.png", "fullmatch"),
        pytest.param(r"\s*0\s*(?:px)?\s*", "fullmatch", marks=pytest.mark.long),
        pytest.param(r"\s+x", "search", marks=pytest.mark.long),
        pytest.param(r"<!--.*?-->", "finditer", marks=pytest.mark.long),
        pytest.param(r"(\S*[^\s,])(?:\s+[0-9]+w)?\s*(?:,|$)", "finditer", marks=pytest.mark.long),
        pytest.param(r"\[url(?:=[^\]]*)?\]", "finditer", marks=pytest.mark.long),
    ],
)
def test_growth_is_found(bad: str, method: str) -> None:
    used = Used("bad", re.compile(bad, re.DOTALL), frozenset({method}))
    assert growing(used, pumps_of(used.pattern), 8000) is not None


@pytest.mark.parametrize(
    "good",
    [r"\s++x", r"(?<!\s)\s*+x", r"<!--.*?(?:-->|\Z)", r"(?:_?+(?:img|[0-9x]))*+\.png", r"(?:\w++;)*+", r"[^<]+<"],
)
def test_linear_expressions_are_not_reported(good: str) -> None:
    used = Used("good", re.compile(good, re.DOTALL), frozenset({"match"}))
    assert growing(used, pumps_of(used.pattern), 64_000) is None


def test_endless_matching_is_ended() -> None:
    endless = re.compile("(?:a+)+b")
    found = judge(
        partial(lambda size: work_of(endless, "search", "a" * size)), "endless", size=100, largest=1000, longest_s=0.1
    )
    assert found is not None
    assert found.ratio == float("inf")
