"""Validated requests, and requests in progress."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import orjson

from webquarry.core.caller import Caller
from webquarry.core.errors import InvalidParams
from webquarry.core.shares import in_background
from webquarry.core.types import Deadline, File, Known
from webquarry.endpoints.declare import Extractor, Format, Params
from webquarry.endpoints.params import parse
from webquarry.endpoints.picking import Tree, read_fields
from webquarry.endpoints.portion import NAMES, WHOLE, Portion, split_surface
from webquarry.endpoints.variants import choose_variant
from webquarry.pipeline.bill import Bill
from webquarry.pipeline.claim import Claim

HURRIED_BELOW = 0.9
"""Share of an endpoint's deadline below which a timeout is not attributed to the endpoint."""


@dataclass(frozen=True, slots=True)
class Call:
    """A validated request.

    `key` identifies equal requests for the cache and flights; `format` and `portion` are not part of it. `file` is the
    upload, if the endpoint takes one; a request with a file is never equal to another. `tree` contains the picked
    fields of `data`; an empty tree means all fields.
    """

    extractor: Extractor
    params: Params
    format: Format
    key: str
    file: File | None = None
    portion: Portion = WHOLE
    tree: Tree = field(default_factory=dict)

    @classmethod
    def of(cls, extractor: Extractor, query: Sequence[tuple[str, str]], file: File | None = None) -> Self:
        """Validate a query, and a file if the endpoint takes one.

        Raises InvalidParams if they are invalid. The file's content is not checked yet.
        """
        rest, form, asked = split_surface(query)
        variant, extractor, given = choose_variant(extractor, rest)
        params = parse(extractor.params, given, NAMES)
        portion, tree = read_portion(extractor, form, asked)
        if extractor.upload is not None and file is None:
            raise InvalidParams(f"A file is required: {extractor.upload.describe()}")
        return cls(extractor, params, form, _key(extractor, params, variant), file, portion, tree)


def read_portion(extractor: Extractor, form: Format, asked: Sequence[tuple[str, str]]) -> tuple[Portion, Tree]:
    """Return the portion that a request asks for, with its picked fields.

    Raises InvalidParams if the portion is invalid, or if the format cannot contain it.
    """
    if not asked:
        return WHOLE, {}
    portion = parse(Portion, asked)
    if portion.fields is not None and form == "markdown":
        raise InvalidParams("Parameter 'fields' selects from `data`: set `format` to json or both.", parameter="fields")
    if portion.max_tokens is not None and portion.query is None and form == "json":
        raise InvalidParams(
            "Parameter 'max_tokens' shortens the markdown: set `format` to markdown or both, or use `query` or "
            "`fields`.",
            parameter="max_tokens",
        )
    if portion.chunks is not None and portion.shortens_markdown:
        raise InvalidParams(
            "Parameter 'chunks' divides the whole markdown. Remove 'chunks', or remove 'query' and 'max_tokens'.",
            parameter="chunks",
        )
    return portion, {} if portion.fields is None else read_fields(extractor, portion.fields)


@dataclass(frozen=True, slots=True)
class Freshness:
    """The caller's requirement for a cached result: no cached result, or a maximum age in seconds (None means the
    declared age).

    `only_if_cached` refuses a request that would need a run. `known` is a stored result of any age that serves, without
    a charge, if the run finds that its source has not changed.
    """

    no_cache: bool = False
    max_age_s: float | None = None
    only_if_cached: bool = False
    known: Known | None = None


ANY_FRESH = Freshness()


@dataclass(frozen=True, slots=True)
class Order:
    """A request in progress: its caller, request id, freshness and deadline.

    `bill` records what the caller is charged. `claim` is set for an item of a job.
    """

    caller: Caller
    call: Call
    freshness: Freshness
    deadline: Deadline
    request_id: str
    bill: Bill
    claim: Claim | None = None

    @property
    def account(self) -> str:
        """The name under which this request takes turns and slots, which accounts share.

        Requests of jobs come after single requests.
        """
        return self.caller.account_id if self.claim is None else in_background(self.caller.account_id)

    @property
    def is_hurried(self) -> bool:
        """Whether much of the endpoint's time is used up, for example, for a joiner whose leader has left, or for a
        late part.
        """
        return self.deadline.remaining_s < HURRIED_BELOW * self.call.extractor.deadline_s

    def of_part(self, call: Call) -> "Order":
        """Return the order for a part of this dossier, within both deadlines."""
        return replace(self, call=call, deadline=self.deadline.within(call.extractor.deadline_s))


def _key(extractor: Extractor, params: Params, variant: str) -> str:
    identity = extractor.identity(params) if extractor.identity else params.model_dump(mode="json")
    named = [extractor.name, extractor.version, identity, *([variant] if variant else [])]
    text = orjson.dumps(named, option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(text).hexdigest()
