"""States of form fields in Word 97, which are read from the stream `Data`: a checked box, or a list's entry."""

import struct
from collections.abc import Sequence

import pytest

from webquarry_convert.file.word97.forms import _MAX_TEXT, read_state

HEADER = struct.pack("<IH62x", 0, 68)
BOX, CHOICE = 1, 2
AS_MADE = 25
MOST_CHOICES = 25
"""Maximum number of entries in a list in Word."""


def count(words: str) -> bytes:
    return struct.pack("<H", len(words)) + words.encode("utf-16-le")


def make_field(
    kind: int, state: int, *, made: int = 0, entries: Sequence[str] = (), version: int = 0xFFFF_FFFF
) -> bytes:
    """Build the state of a field. made: the field's initial state. entries: the entries of a list."""
    texts = b"".join(count(words) + b"\0\0" for words in ["Field", *[""] * 5])
    name, others = texts[:14], texts[14:]
    choices = struct.pack("<3H", 0xFFFF, len(entries), 0) + b"".join(map(count, entries))
    return b"".join(
        [HEADER, struct.pack("<IH4x", version, kind | state << 2), name, struct.pack("<H", made), others, choices]
    )


@pytest.mark.parametrize(
    ("state", "made", "shown"), [(0, 1, "☐"), (1, 0, "☒"), (AS_MADE, 0, "☐"), (AS_MADE, 1, "☒"), (AS_MADE, 2, "☒")]
)
def test_untouched_check_box_has_its_initial_state(state: int, made: int, shown: str) -> None:
    assert read_state(make_field(BOX, state, made=made), 0) == shown


@pytest.mark.parametrize(
    ("state", "made", "shown"),
    [(0, 1, "red"), (1, 0, "green"), (2, 0, "blue"), (3, 0, ""), (24, 0, ""), (AS_MADE, 2, "blue"), (AS_MADE, 3, "")],
)
def test_list_field_shows_the_chosen_entry(state: int, made: int, shown: str) -> None:
    field = make_field(CHOICE, state, made=made, entries=["red", "green", "blue"])
    assert read_state(b"before" + field, 6) == shown


@pytest.mark.parametrize(("number", "is_read"), [(MOST_CHOICES - 1, True), (MOST_CHOICES, False)])
def test_list_entries_beyond_the_limit_are_not_read(number: int, is_read: bool) -> None:
    entries = [f"entry {at}" for at in range(MOST_CHOICES + 5)]
    field = make_field(CHOICE, AS_MADE, made=number, entries=entries)
    assert read_state(field, 0) == (entries[number] if is_read else "")


@pytest.mark.parametrize("size", [_MAX_TEXT - 1, _MAX_TEXT, _MAX_TEXT + 1])
def test_long_list_entry_is_truncated(size: int) -> None:
    assert read_state(make_field(CHOICE, 0, entries=["e" * size]), 0) == "e" * min(size, _MAX_TEXT)


@pytest.mark.parametrize("kind", [0, 3])
def test_field_of_an_unknown_kind_shows_no_text(kind: int) -> None:
    assert read_state(make_field(kind, 1), 0) == ""


def test_field_of_an_unknown_version_shows_no_text() -> None:
    assert read_state(make_field(BOX, 1, version=0xFFFF_FFFE), 0) == ""


def test_truncated_field_shows_at_most_a_part_of_its_text() -> None:
    whole = make_field(CHOICE, 1, entries=["red", "green"])
    shown = {read_state(whole[:size], 0) for size in range(len(whole) + 1)}
    assert shown == {"green"[:size] for size in range(6)}
