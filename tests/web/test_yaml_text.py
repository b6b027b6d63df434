"""Values as YAML: another reader reads the same values."""

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from webquarry.web.yaml_text import write_yaml

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)


@given(VALUES)
def test_a_value_is_read_back_unchanged(value: Any) -> None:
    assert yaml.safe_load(write_yaml(value)) == value


@pytest.mark.parametrize(
    "text", ["yes", "null", "1.0", "2026-01-01", "# a", "a: b", "- a", "\x85\x7f\ufeff", "\u2028", "😀"]
)
def test_a_text_stays_a_text(text: str) -> None:
    assert yaml.safe_load(write_yaml({text: [text]})) == {text: [text]}
