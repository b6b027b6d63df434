"""Foreign data into typed values: late, wrong and changing data, read so that each loss is a value and is counted.

Everything here is pure and total: whatever arrives, the only error is `ProviderError`, reason "changed", raised by
`json_of` for a body that is no JSON ("blocked" where it is a wall) and by `must` for a value without which the answer
is worthless.
A `Wire` may stand wherever a value does, and is parsed each time: readers that ask twice pass `json_of(wire)` on.

Paths: `a.b` members, `a[0]` and `a[-1]` items by place, `a[]` every item (`each` and `texts` only), `""` the value
itself. JSON null counts as absent.
"""

from webquarry.read.losses import counting
from webquarry.read.values import at, each, instant, json_of, must, texts
from webquarry.types import Wire

__all__ = ["Wire", "at", "counting", "each", "instant", "json_of", "must", "texts"]
