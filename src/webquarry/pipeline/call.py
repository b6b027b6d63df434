"""Calls: what is asked, and the order to answer it."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import orjson

from webquarry.accounts import Caller
from webquarry.core.errors import InvalidParams
from webquarry.core.types import Deadline, File
from webquarry.endpoints.declare import Extractor, Format, Params
from webquarry.endpoints.params import parse, split_format
from webquarry.pipeline.bill import Bill

HURRIED_BELOW = 0.9
"""Share of its declared time below which an order is no measure of what the endpoint can do."""


@dataclass(frozen=True, slots=True)
class Call:
    """A checked question. key: what tells it apart from others, in cache and flight; `format` is no part of it.

    file: the upload of an endpoint that takes one; such a call has no equal.
    """

    extractor: Extractor
    params: Params
    format: Format
    key: str
    file: File | None = None

    @classmethod
    def of(cls, extractor: Extractor, query: Sequence[tuple[str, str]], file: File | None = None) -> Self:
        """The checked call of a query, and of a file where the endpoint takes one.

        InvalidParams says what is wrong with them. Nobody has looked into the file yet.
        """
        given, form = split_format(query)
        params = parse(extractor.params, given)
        if extractor.upload is not None and file is None:
            raise InvalidParams(f"A file is required: {extractor.upload.description}")
        return cls(extractor, params, form, _key(extractor, params), file)


@dataclass(frozen=True, slots=True)
class Freshness:
    """What the caller asks of a cached answer: none at all, or one of at most this age (None: as declared)."""

    no_cache: bool = False
    max_age_s: float | None = None


ANY_FRESH = Freshness()


@dataclass(frozen=True, slots=True)
class Order:
    """A call under way: who asks and pays, under which request id, for how fresh an answer, and until when.

    bill: where it is noted what the caller was charged.
    """

    caller: Caller
    call: Call
    freshness: Freshness
    deadline: Deadline
    request_id: str
    bill: Bill

    @property
    def is_hurried(self) -> bool:
        """Whether much of the endpoint's time is gone: a joiner whose leader was lost, a part late in its dossier."""
        return self.deadline.remaining_s < HURRIED_BELOW * self.call.extractor.deadline_s

    def of_part(self, call: Call) -> "Order":
        """The order of a part of this dossier: within the dossier's deadline and its own."""
        return replace(self, call=call, deadline=self.deadline.within(call.extractor.deadline_s))


def _key(extractor: Extractor, params: Params) -> str:
    identity = extractor.identity(params) if extractor.identity else params.model_dump(mode="json")
    text = orjson.dumps([extractor.name, extractor.version, identity], option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(text).hexdigest()
