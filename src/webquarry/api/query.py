"""Parsing of queries and cache directives."""

import re
from typing import Final
from urllib.parse import parse_qsl

from webquarry.core.errors import InvalidParams
from webquarry.endpoints.params import FORMAT
from webquarry.pipeline import ANY_FRESH, Freshness

_DIGITS: Final = re.compile(r"[0-9]+")
_MAX_FIELDS: Final = 64


def read_freshness(directives: str) -> Freshness:
    """Parse `no-cache`, `no-store`, `only-if-cached` and the smallest `max-age=N`; other directives are ignored."""
    names = [directive.strip() for directive in directives.split(",")]
    only_if_cached = "only-if-cached" in names
    if "no-cache" in names or "no-store" in names:
        return Freshness(no_cache=True, only_if_cached=only_if_cached)
    ages = [float(name[8:]) for name in names if name.startswith("max-age=") and _DIGITS.fullmatch(name, 8)]
    if not ages and not only_if_cached:
        return ANY_FRESH
    return Freshness(max_age_s=min(ages, default=None), only_if_cached=only_if_cached)


def with_format(query: list[tuple[str, str]], chosen: str | None) -> list[tuple[str, str]]:
    """Return the query with the format that the body gives.

    Raises InvalidParams if the query gives another format. The default is allowed, because generated clients always
    send it.
    """
    formats = [text.strip() for name, text in query if name == FORMAT.name]
    if chosen is None or formats == [chosen.strip()]:
        return query
    if formats and formats != [FORMAT.default]:
        raise InvalidParams("Parameter 'format' has different values in the query and the body; send it once.")
    return [*((name, text) for name, text in query if name != FORMAT.name), (FORMAT.name, chosen)]


def read_pairs(raw: bytes) -> list[tuple[str, str]]:
    """Return the parameters of a raw query, in order.

    Raises InvalidParams if the query is not valid UTF-8 or has too many parameters.
    """
    try:
        return parse_qsl(
            raw.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=_MAX_FIELDS, separator="&"
        )
    except UnicodeError as exc:
        raise InvalidParams("The query must be percent-encoded UTF-8.") from exc
    except ValueError as exc:
        raise InvalidParams(f"The query has more than {_MAX_FIELDS} parameters.") from exc
