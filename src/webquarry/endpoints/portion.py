"""Portions: the part of a response that a caller wants.

The parameters of a portion belong to the interface, like `format`. Every endpoint takes them, they are not part of a
request's identity, and all portions of a result come from one cached result.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from webquarry.endpoints.declare import Format, Params, param
from webquarry.endpoints.params import ParamSpec, specs, split_format

DEFAULT_TOKENS: Final = 2000
"""Maximum tokens of a response to `query` without `max_tokens`."""


class Portion(Params):
    """The part of a response that a caller wants. Without parameters, it is the whole response."""

    query: str | None = param(
        "Question or keywords. The response then contains only the parts of the markdown that answer it, as "
        "`excerpts` and in `markdown`.",
        default=None,
        max_length=512,
        example="opening hours",
    )
    max_tokens: int | None = param(
        f"Maximum size of the markdown in estimated tokens. Default with `query`: {DEFAULT_TOKENS:,}. Without "
        "`query`, the markdown contains all headings and the beginning of each section.",
        default=None,
        min_value=200,
        max_value=100_000,
        example="1000",
    )
    fields: str | None = param(
        "Fields of `data` to return, separated by commas, such as `organic_results[].title,link`. The response then "
        "contains them as `fields` instead of `data`. A name without a path is a field of `data`, or of the same "
        "object as the previous field.",
        default=None,
        max_length=1000,
        example="title",
    )
    chunks: int | None = param(
        "Also return the whole markdown as `chunks` of about this many tokens, to index or embed them.",
        default=None,
        min_value=100,
        max_value=8000,
        example="400",
    )
    pages: bool = param(
        "Set to `true` to mark where the pages of a document begin: the markdown then has `<!-- page 2 -->` before "
        "page 2, and `pages` shows where each page is. Slides and scans have pages, too.",
        default=False,
    )
    footer: bool = param("Set to `false` to leave out the line *Fetched …* at the end of the markdown.", default=True)

    @property
    def is_whole(self) -> bool:
        return self is WHOLE or self == WHOLE

    @property
    def shortens_markdown(self) -> bool:
        return self.query is not None or self.max_tokens is not None


class BlockParams(Params):
    """The parameter of a stored conversion."""

    block: int | None = param(
        "Return only this block of the markdown, as `excerpts`, to verify an excerpt by its `sha256`.",
        default=None,
        min_value=0,
    )


WHOLE: Final = Portion()
PORTION: Final[tuple[ParamSpec, ...]] = specs(Portion)
"""The parameters, as every interface shows them."""
NAMES: Final = tuple(spec.name for spec in PORTION)


class Surface(NamedTuple):
    """A query split into the endpoint's parameters, the format, and the parameters of a portion as pairs of text."""

    rest: list[tuple[str, str]]
    format: Format
    portion: list[tuple[str, str]]


def split_surface(given: Sequence[tuple[str, str]]) -> Surface:
    """Separate the interface's parameters from the endpoint's parameters. Raises InvalidParams for a wrong format."""
    rest, form = split_format(given)
    portion = [pair for pair in rest if pair[0] in NAMES]
    return Surface([pair for pair in rest if pair[0] not in NAMES] if portion else rest, form, portion)
