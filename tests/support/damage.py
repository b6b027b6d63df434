"""Damaged copies of answers: what readers must stay total over."""

import copy
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just("2020-01-01"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
"""Any JSON."""


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """(container, key) of everything inside."""
    entries: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in entries:
        yield value, key
        yield from places(item)


def damaged_json(data: st.DataObject, body: Any) -> Any:
    """A copy in which a few values are gone or are something else."""
    body = copy.deepcopy(body)
    for _ in range(data.draw(st.integers(1, 6))):
        container, key = data.draw(st.sampled_from(list(places(body)) or [({"": 0}, "")]))
        if data.draw(st.booleans()):
            del container[key]
        else:
            container[key] = data.draw(JUNK)
    return body


def damaged_text(data: st.DataObject, text: str) -> str:
    """A copy in which a few stretches are gone, doubled, or are something else."""
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.sampled_from([0, 1, 7, 60, 900])))
        text = (
            text[:start] + data.draw(st.sampled_from(["", text[start:end] * 2, "<div>", '"', "]]", "\0"])) + text[end:]
        )
    return text
