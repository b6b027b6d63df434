"""Foreign data into typed values: late, wrong and changing data, read so that each loss is a value and is counted.

Everything here is pure and total: whatever arrives, the only error is `ProviderError`, reason "changed", raised by
`json_of` for a body that is no JSON ("blocked" where it is a wall) and by `must` for a value without which the answer
is worthless.
A `Wire` may stand wherever a value does, and is parsed each time: readers that ask twice pass `json_of(wire)` on.

Paths: `a.b` members, `a[0]` and `a[-1]` items by place, `a[]` every item (`each`, `each_given` and `texts` only), `""`
the value itself. JSON null counts as absent.

The shelf, for readers of any source; every room has its own words at its top:

- `values` (`at`, `must`, `each`, `each_given`, `texts`, `instant`; `take(value, path, convert, required=…)`), `losses`
- `fields`: what `take` and `Fact` convert with: `to_address to_line to_text to_plain to_id to_count to_counted
  to_only_count to_whole to_number to_decimal to_rating to_percent to_share to_money to_flag to_instant to_day`, and
  `within` for numbers that have bounds; `amounts`: numbers as people write them
- `facts`: `NAME = Fact(to_line, "[2]", guess("[7]"), required=True)`, `Texts`, `Rows`: arrays known by place
- `framing`: `guarded_json`, `replies_of`, `reply_to`, `blocks_of`, `block_for`: calls and data blocks of large sites
- `html` (`html_of`), `embedded`: `linked_data`, `nodes_of`, `Metas`, `json_script`, `json_scripts`, `assigned`
- `pages`: `collect(fetch, max_pages=…, key=…, net=net, source=…)`; `cursors`: `write_cursor`, `read_cursor`,
  `check_cursor`
- `walls`, `published`

Beside it: `net.Kept` (a value fetched once and kept) and `parsed_text.ParsedText` (a checked text in three lines).
"""

from webquarry.core.types import Wire
from webquarry.read.losses import counting
from webquarry.read.values import at, each, each_given, instant, json_of, must, take, texts

__all__ = ["Wire", "at", "counting", "each", "each_given", "instant", "json_of", "must", "take", "texts"]
