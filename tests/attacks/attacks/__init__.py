"""The attacks, one module per one or two families. A new attack needs only its declaration."""

from attacks.attack import Attack
from attacks.attacks import (
    containers,
    correspondence,
    documents,
    ends,
    fairness,
    markup,
    pdfs,
    pictures,
    rendered,
    tables,
    texts,
    upstream,
    values,
    wires,
)

_FAMILIES = (
    *(values, markup, texts, rendered),
    *(tables, documents, pdfs, containers, pictures),
    *(correspondence, upstream, fairness, wires, ends),
)


def list_attacks() -> tuple[Attack, ...]:
    """Return all attacks in order of declaration. Raises ValueError for a duplicate name."""
    attacks = tuple(attack for family in _FAMILIES for attack in family.attacks())
    names = [attack.name for attack in attacks]
    if doubled := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"more than one attack is called {', '.join(sorted(doubled))}")
    return attacks
