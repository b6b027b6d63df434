"""The attacks, one module per family. To add an attack, add its declaration."""

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
    """Return all attacks in the order of the run. Raises ValueError if two attacks have the same name."""
    attacks = tuple(attack for family in _FAMILIES for attack in family.attacks())
    names = [attack.name for attack in attacks]
    if doubled := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"several attacks are named {', '.join(sorted(doubled))}")
    return attacks
