"""The learned weights, which `python -m training.content` generates. They are loaded only once."""

from functools import cache
from pathlib import Path
from typing import Any

import orjson

_FILE = Path(__file__).with_name("weights.json")


@cache
def load_weights() -> dict[str, Any]:
    """Return the learned weights by name.

    names, wording: word → weight. kinds: sign → weight per `kind.KINDS`. forest: arguments of a `Forest`. stacking:
    weights in the order of `stacking.WEIGHTS`.
    """
    return orjson.loads(_FILE.read_bytes())  # type: ignore[no-any-return]  # the file is ours
