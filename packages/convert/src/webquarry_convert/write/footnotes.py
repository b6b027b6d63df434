"""Footnotes: `[^1]` for a reference, `[^1]: …` for the note.

A reference is a short link to a later position in the output. It is raised, or its attributes mark it as a note
reference.
"""

import re

from webquarry_convert.tree import Node, walk
from webquarry_convert.write import unlinked_notes
from webquarry_convert.write.flow import write_children
from webquarry_convert.write.pieces import Written
from webquarry_convert.write.state import WriterState

MAX_SIGNS = 12
"""Maximum length, in characters, of a note mark, and maximum number of strings and elements in it."""
_NAMED = re.compile(
    r"(?:^|[\s_-])(?:foot-?note|fn|note|noteref|citation|cite|sidenote)s?-?(?:ref\w*|link|anchor|marker|call)?(?:$|[\s_-])",
    re.IGNORECASE,
)
_FRAGMENT = re.compile(
    r"_?(?:ftn|fn|footnote|note|endnote|edn|cite_note|easy-footnote-bottom|sdfootnote)[-:_.]?\S*\d\S*$|user-content-fn-\S+$",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"(?:^|[\s_-])(?:back-?ref|back-?link|reversefootnote|footnote-?back\w*|mw-cite-backlink|footnote-return|return)",
    re.IGNORECASE,
)
_BACK_SIGNS = frozenset(["↩", "↩︎", "↵", "⏎", "^", "↑", "⤴", "⬏", "⬆", "⇧", "↖"])
_LABEL = re.compile(
    r"[\[(]?\s*←?([0-9]{1,4}|[A-Za-z]{1,2}|[*†‡§¶]{1,3}|note\s[0-9]{1,3}|fn\s?[0-9]{1,3})\s*[\])]?\.?", re.IGNORECASE
)
_OWN_LABEL = re.compile(r"\s*[\[(]?(\w{1,6})(?:[\]).:]+\s*|\s+(?=[^\W\d]))")
_REFERRING = (
    ("role", "doc-noteref"),
    ("epub:type", "noteref"),
    ("data-type", "noteref"),
    ("rel", "footnote"),
)
"""Attributes that identify a link as a note mark."""
_AROUND_LABELS = " \n\t[](),;\u00a0"
"""Characters that may surround the links in a `sup` with note marks."""
MAX_RAISED = 24
"""Maximum number of strings and elements in a `sup` with note marks."""


def refer(state: WriterState, node: Node, fragment: str, *, is_raised: bool = False) -> bool:
    """Write a link as a note mark. Returns False if it is not a note mark. fragment: the link's target."""
    notes = state.notes
    text = _read_short_text(node)
    if text is None:
        return False
    if notes.defining and (text in _BACK_SIGNS or _is_back(node)):
        return True
    found = _LABEL.fullmatch(text)
    if found is None:
        return False
    if notes.defining and notes.is_earlier(fragment, node):
        return True
    holder = _find_holder(state, node, fragment, is_bracketed=text[0] == "[", is_raised=is_raised)
    if holder is None:
        return False
    _write_mark(state, notes.name(holder, found[1]))
    return True


def _find_holder(state: WriterState, node: Node, fragment: str, *, is_bracketed: bool, is_raised: bool) -> Node | None:
    """Return the element that contains the note for a link, or None if the link does not look like a note mark."""
    is_named = _is_named(node, fragment)
    if not (is_raised or is_bracketed or is_named):
        return None
    holder = state.notes.find_holder(fragment, node)
    return None if holder is None or (is_bracketed and holder.tag != "li" and not is_named) else holder


def _write_mark(state: WriterState, label: str) -> None:
    state.pieces.append(Written(f"[^{state.notes.prefix}{label}]"))


def refer_raised(state: WriterState, node: Node) -> bool:
    """Write a `sup` that contains only note marks. Returns False if it contains anything else."""
    links = _collect_links(node)
    if links is None:
        return False
    if not links:
        return _refer_unlinked(state, node)
    return not state.in_link and _refer_all(state, links)


def _collect_links(node: Node) -> list[Node] | None:
    """Return the links in an element, [] if the element has other text, or None if it contains too much."""
    links: list[Node] = []
    waiting: list[Node | str] = [*reversed(node.children)]
    for _ in range(MAX_RAISED):
        if not waiting:
            return links
        current = waiting.pop()
        if isinstance(current, str):
            if current.strip(_AROUND_LABELS):
                return []
        elif current.tag == "a":
            links.append(current)
        else:
            waiting += reversed(current.children)
    return None if waiting else links


def _refer_all(state: WriterState, links: list[Node]) -> bool:
    """Write links as note marks. Writes nothing and returns False if one of them is not a note mark."""
    count = len(state.pieces)
    for link in links:
        fragment = state.targets.find_fragment(link.attributes.get("href"))
        if fragment is None or not refer(state, link, fragment, is_raised=True):
            del state.pieces[count:]
            return False
    return True


def _refer_unlinked(state: WriterState, node: Node) -> bool:
    """Write a raised number as the mark of the note with the same number, if there is such a note."""
    number = unlinked_notes.read_number(node)
    if number is None or state.notes.defining or state.in_link:
        return False
    before = state.pieces[-1] if state.pieces else ""
    holder = state.notes.find_unlinked(number)
    if holder is None or (isinstance(before, str) and unlinked_notes.is_power(before)):
        return False
    if not state.notes.is_reached(holder, node):
        return False
    state.pieces.append(Written(f"[^{state.notes.name(holder, number)}]"))
    return True


def refer_inline(state: WriterState, node: Node, names: str) -> bool:
    """Write a `span` that contains both a note's number and its text. Returns False for anything else."""
    if node.tag != "span":
        return False
    parts = [child for child in node.children if isinstance(child, Node) or not child.isspace()]
    if parts and "footnotemark" in names:
        write_children(state, parts[:1])  # only the number; the note is elsewhere
        return True
    if len(parts) != 2 or state.in_link or state.notes.defining:
        return False
    number, note = _read_label(parts[0]), parts[1]
    if number is None or isinstance(note, str):
        return False
    label = state.notes.name(note, number)
    del state.notes.definitions[id(note)]
    state.notes.inline.append((label, note.children))
    _write_mark(state, label)
    return True


def _read_label(child: Node | str) -> str | None:
    """Return the number or symbol that labels a note, or None for other content."""
    text = child.strip() if isinstance(child, str) else _read_short_text(child)
    found = _LABEL.fullmatch(text) if text else None
    return found[1] if found is not None else None


def write_inline_notes(state: WriterState) -> None:
    """Write the notes whose text was inside the paragraphs."""
    for label, children in state.notes.inline:
        _write(state, label, children)


def write_note(state: WriterState, node: Node) -> None:
    """Write the element that contains a note."""
    label = state.notes.begin(node)
    if state.is_flat:
        write_children(state, node.children)
    else:
        _write(state, label, node.children)


def _write(state: WriterState, label: str, children: list[Node | str]) -> None:
    state.flush()
    before = state.output.open(f"[^{state.notes.prefix}{label}]: ", "    ")
    state.notes.defining += 1
    write_children(state, _strip_label(children, label))
    state.flush()
    state.notes.defining -= 1
    state.output.close(before)


def _is_named(node: Node, fragment: str) -> bool:
    """Return whether a link's attributes mark it as a note mark."""
    attributes = node.attributes
    return (
        "data-footnote-ref" in attributes
        or any(attributes.get(name) == value for name, value in _REFERRING)
        or bool(_NAMED.search(attributes.get("class") or ""))
        or bool(_FRAGMENT.fullmatch(fragment))
    )


def _is_back(node: Node) -> bool:
    """Return whether a link's attributes mark it as a link from a note back to its mark."""
    attributes = node.attributes
    return (
        attributes.get("role") == "doc-backlink"
        or "data-footnote-backref" in attributes
        or bool(_BACK.search(attributes.get("class") or ""))
        or attributes.get("rev") == "footnote"
    )


def _read_short_text(node: Node) -> str | None:
    """Return a link's text if it is short enough for a note mark."""
    pieces: list[str] = []
    for at, current in enumerate(walk([node])):
        if at == MAX_SIGNS:
            return None
        if isinstance(current, str):
            pieces.append(current)
        elif current.tag in ("img", "svg"):
            return None
    text = " ".join("".join(pieces).split())
    return text if text and len(text) <= MAX_SIGNS else None


def _strip_label(children: list[Node | str], label: str) -> list[Node | str]:
    """Return a note's content without its leading number."""
    while len(children) == 1 and isinstance(only := children[0], Node) and only.tag == "span":
        children = only.children
    for at, child in enumerate(children[:4]):
        rest = _strip_from(child, label)
        if rest is not None:
            return [*children[:at], *rest, *children[at + 1 :]]
    return children


def _strip_from(child: Node | str, label: str) -> list[Node | str] | None:
    """Return the first child of a note without the note's number, or None if the number may be in the next child."""
    if isinstance(child, str):
        if not child.strip():
            return None
        own = _OWN_LABEL.match(child)
        return [child] if own is None or own[1] != label else [child[own.end() :]]
    if child.tag in _LABELLING and _read_short_text(child):
        return [] if _read_label(child) == label else [child]
    return [child] if child.tag == "a" else None


_LABELLING = frozenset({"sup", "b", "strong", "span", "dt"})
"""Elements that may contain a note's number."""
