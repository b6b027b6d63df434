"""The attacks, a module per family. Adding one is adding its declaration."""

from webquarry.doctor.egress.attack import Attack
from webquarry.doctor.egress.attacks import (
    addresses,
    bodies,
    bombs,
    charsets,
    heads,
    names,
    pages,
    proxied,
    redirects,
    slow,
    spellings,
    targets,
)

_FAMILIES = (spellings, addresses, names, targets, redirects, bodies, heads, slow, bombs, charsets, proxied, pages)


def list_attacks() -> tuple[Attack, ...]:
    """All attacks, in the order in which they are played. ValueError when two have one name."""
    attacks = tuple(attack for family in _FAMILIES for attack in family.attacks())
    names = [attack.name for attack in attacks]
    if doubled := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"more than one attack is called {', '.join(sorted(doubled))}")
    return attacks
