"""Reading of untrusted data into typed values.

The data may be wrong and may change; each missing value is None and is counted as a loss.

All functions are pure, and accept any data. The only error is `ProviderError` with reason "changed", raised by
`json_of` for a body that is not JSON ("blocked" if it is a block page) and by `must` for a required value.

A `Wire` can be passed in place of a value and is parsed each time; readers that need it more than once pass
`json_of(wire)`. Paths: `a.b` members, `a[0]` and `a[-1]` items by index, `a[]` every item (`each`, `each_given`,
`read_each` and `texts` only), `""` the value itself. JSON null counts as absent.

Modules for readers of any source; each documents its terms at the top:

- `values` (`at`, `must`, `each`, `each_given`, `read_each`, `texts`, `instant`, `reach`, `reach_list`;
  `take(value, path, convert, required=…)`), `losses` (`read_rows`: rows that are dropped are counted)
- `fields`: converters for `take` and `Fact`: `to_address to_line to_text to_plain to_id to_count to_counted
  to_only_count to_whole to_number to_decimal to_rating to_percent to_share to_money to_flag to_instant to_day`, and
  `within` for numbers with bounds; `amounts`: numbers as people write them
- `facts`: `NAME = Fact(to_line, "[2]", guess("[7]"), required=True)`, `Texts`, `Rows`: values at known array positions
- `framing`: `guarded_json`, `replies_of`, `reply_to`, `blocks_of`, `block_for`: API responses and data blocks of large
  sites
- `html` (`html_of`), `embedded`: `linked_data`, `nodes_of`, `Metas`, `json_script`, `json_scripts`, `assigned`
- `pages`: `collect(fetch, max_pages=…, key=…, net=net, source=…)`; `cursors`: `write_cursor`, `read_cursor`,
  `check_cursor`
- `walls`, `published`

See also `net.Kept` (a value fetched once and cached) and `parsed_text.ParsedText` (a validated text in three lines).
"""

from webquarry.core.types import Wire
from webquarry.read.losses import counting
from webquarry.read.values import JsonObject, at, each, each_given, instant, json_of, must, read_each, take, texts

__all__ = [
    "JsonObject",
    "Wire",
    "at",
    "counting",
    "each",
    "each_given",
    "instant",
    "json_of",
    "must",
    "read_each",
    "take",
    "texts",
]
