"""Invitations in a mail (iCalendar, RFC 5545): title, time, place, organizer and attendees."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from webquarry_convert.file.text.line import Content, make_element
from webquarry_convert.tree import Node

MAX_EVENTS: Final = 200
"""Maximum number of events that are read from one part."""
MAX_ASKED: Final = 100
"""Maximum number of attendees that are listed."""
_FOLD: Final = re.compile(r"(?>\r\n|\n|\r)[ \t]")
_LINE_ENDS: Final = re.compile(r"\r\n?|\n")
_PROPERTY: Final = re.compile(r'([A-Za-z0-9-]{1,60}+)((?:;[^=:;]{1,60}+=(?:"[^"]*+"|[^":;]*+))*+):(.*+)', re.DOTALL)
_NAME: Final = re.compile(r';CN=("[^"]*+"|[^":;]*+)', re.IGNORECASE)
_ZONE: Final = re.compile(r';TZID="?+([^":;]{1,60}+)', re.IGNORECASE)
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_KINDS: Final = frozenset({"VEVENT", "VTODO"})
_METHODS: Final = {"CANCEL": "Cancelled", "REPLY": "Answer", "COUNTER": "Proposed new time"}


class _Property(NamedTuple):
    parameters: str
    value: str


_Event = dict[str, list[_Property]]


def read_invitation(text: str, level: int) -> Content:
    """Convert the events of a calendar to blocks, or return [] if there are no events.

    level: heading level of each event.
    """
    content: Content = []
    for count, event in enumerate(_read_events(text)):
        if count == MAX_EVENTS:
            content.append(make_element("p", [f"Only the first {MAX_EVENTS} events are included."]))
            break
        label = _METHODS.get(_read_value(event, "METHOD").upper(), "Invitation")
        summary = _read_value(event, "SUMMARY")
        content.append(make_element(f"h{min(level, 6)}", [f"{label}: {summary}" if summary else label]))
        facts: Content = [make_element("li", [f"{name}: {value}"]) for name, value in _list_facts(event)]
        if facts:
            content.append(make_element("ul", facts))
        content += _write_description(_read_value(event, "DESCRIPTION", keeps_lines=True))
    return content


def _list_facts(event: _Event) -> Iterator[tuple[str, str]]:
    """Yield the names and values of an event's properties, except meaningless values."""
    begin, end = _read_time(event, "DTSTART"), _read_time(event, "DTEND") or _read_time(event, "DUE")
    yield from (("When", " to ".join(filter(None, (begin, end)))),) if begin or end else ()
    for name, label in (("RRULE", "Repeats"), ("LOCATION", "Where"), ("URL", "Address"), ("STATUS", "Status")):
        if value := _read_value(event, name):
            yield label, value
    for name, label in (("ORGANIZER", "Organizer"), ("ATTENDEE", "Attendees")):
        people = [_read_person(one) for one in event.get(name, [])]
        if people:
            more = f" and {len(people) - MAX_ASKED} more" if len(people) > MAX_ASKED else ""
            yield label, ", ".join(people[:MAX_ASKED]) + more


def _read_events(text: str) -> Iterator[_Event]:
    """Yield each event's properties by name, together with the calendar's `METHOD`."""
    method: list[_Property] = []
    open_kinds: list[str] = []
    event: _Event | None = None
    for line in _LINE_ENDS.split(_FOLD.sub("", text)):
        found = _PROPERTY.fullmatch(line)
        if found is None:
            continue
        name, value = found[1].upper(), found[3]
        kind = value.strip().upper()
        if name == "BEGIN":
            open_kinds.append(kind)
            if kind in _KINDS and event is None:
                event = {"METHOD": method}
        elif name == "END":
            if open_kinds:
                open_kinds.pop()
            if kind in _KINDS and event is not None:
                yield event
                event = None
        elif name == "METHOD":
            method.append(_Property("", value))
        elif event is not None and open_kinds and open_kinds[-1] in _KINDS:  # alarms inside an event have a text, too
            event.setdefault(name, []).append(_Property(found[2], value))


def _read_value(event: _Event, name: str, *, keeps_lines: bool = False) -> str:
    found: Sequence[_Property] = event.get(name, [])
    value = _ESCAPE.sub(_unescape, found[0].value) if found else ""
    return value.strip() if keeps_lines else " ".join(value.split())


def _unescape(found: re.Match[str]) -> str:
    return "\n" if found[1] in "nN" else found[1]


def _read_time(event: _Event, name: str) -> str:
    """Return a date, or a date and a time with a time zone, in ISO 8601. Other values are returned unchanged."""
    found = event.get(name)
    if not found:
        return ""
    value = found[0].value.strip()
    for form, shown in (
        ("%Y%m%dT%H%M%SZ", "%Y-%m-%d %H:%M UTC"),
        ("%Y%m%dT%H%M%S", "%Y-%m-%d %H:%M"),
        ("%Y%m%d", "%Y-%m-%d"),
    ):
        try:
            moment = datetime.strptime(value, form)
        except ValueError:
            continue
        zone = _ZONE.search(found[0].parameters)
        return moment.strftime(shown) + (f" ({zone[1]})" if zone else "")
    return " ".join(value.split())


def _read_person(found: _Property) -> str:
    name = _NAME.search(found.parameters)
    address = re.sub("^mailto:", "", found.value.strip(), flags=re.IGNORECASE)
    shown = name[1].strip('"').strip() if name else ""
    return f"{shown} <{address}>" if shown and shown != address else address


def _write_description(text: str) -> Content:
    """Convert a description to paragraphs that keep their line breaks."""
    content: Content = []
    for paragraph in re.split(r"\n[ \t]*+\n\s*+", text):
        lines: Content = []
        for at, line in enumerate(paragraph.split("\n")):
            lines += [*([Node("br", {}, -1)] if at else []), line.strip()]
        if any(isinstance(line, str) and line for line in lines):
            content.append(make_element("p", lines))
    return content
