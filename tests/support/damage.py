"""Damaged copies of responses, as test data for readers that must handle any input."""

import copy
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just("2020-01-01"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
"""Any JSON value."""


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield (container, key) of every nested value."""
    entries: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in entries:
        yield value, key
        yield from places(item)


def damaged_json(data: st.DataObject, body: Any) -> Any:
    """Return a copy in which a few values are removed or replaced."""
    body = copy.deepcopy(body)
    for _ in range(data.draw(st.integers(1, 6))):
        container, key = data.draw(st.sampled_from(list(places(body)) or [({"": 0}, "")]))
        if data.draw(st.booleans()):
            del container[key]
        else:
            container[key] = data.draw(JUNK)
    return body


def damaged_text(data: st.DataObject, text: str) -> str:
    """Return a copy in which a few ranges are removed, doubled or replaced."""
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.sampled_from([0, 1, 7, 60, 900])))
        text = (
            text[:start] + data.draw(st.sampled_from(["", text[start:end] * 2, "<div>", '"', "]]", "\0"])) + text[end:]
        )
    return text
