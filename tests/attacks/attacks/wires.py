"""Responses of sources, enlarged in their own shape: long, deep, and full of text that is expensive for patterns."""

from collections.abc import Iterator

from attacks.attack import Attack, Wire
from attacks.tapes import wires


def attacks() -> Iterator[Attack]:
    for case, pump in wires():
        yield Attack(f"wire of {case}: {pump}", f"The answer of a source has {pump}.", Wire(case, pump))
