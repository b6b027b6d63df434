"""Jobs of a compromised child: they return whatever the body specifies."""

import base64
import os
import sys
import time
from typing import Any

import orjson

from support.jobs import PREFIX, _sink
from webquarry.workers.parcel import Parcel

MARK = b"crafted:"


def craft(facts: Any, *pieces: bytes) -> bytes:
    """Return a body that makes a job below return this."""
    return MARK + orjson.dumps({"facts": facts, "pieces": [base64.b64encode(piece).decode() for piece in pieces]})


def craft_head(head: bytes, *pieces: bytes) -> bytes:
    """Return a body that makes a job below return this head, which need not be JSON."""
    told = {"head": base64.b64encode(head).decode(), "pieces": [base64.b64encode(piece).decode() for piece in pieces]}
    return MARK + orjson.dumps(told)


def convert_page(body: bytes, **options: Any) -> Parcel[Any]:
    """Return what the body specifies, or for any other body the real job's result."""
    if body.startswith(MARK):
        return _answer(body)
    from webquarry.extractors.web.child.page_job import convert

    return convert(body, **options)


def convert_file(body: bytes, **options: Any) -> Parcel[Any]:
    """Return what the body specifies, or for any other body the real job's result."""
    if body.startswith(MARK):
        return _answer(body)
    from webquarry.extractors.web.child.document_job import convert

    return convert(body, **options)


def read(body: bytes, **options: Any) -> Parcel[Any]:
    """Return what the body specifies, or for any other body the real job's result."""
    if body.startswith(MARK):
        return _answer(body.rstrip())
    from webquarry.endpoints.reading import read

    return read(body, **options)


def _answer(body: bytes) -> Parcel[Any]:
    told = orjson.loads(body.removeprefix(MARK))
    pieces = tuple(base64.b64decode(piece) for piece in told["pieces"])
    if "facts" in told:
        return Parcel(told["facts"], pieces)
    head = base64.b64decode(told["head"])
    os.write(_sink(), PREFIX.pack(_number(), len(head), sum(map(len, pieces))) + head + b"".join(pieces))
    time.sleep(3600)  # the response is written: this child must not add anything
    raise AssertionError


def _number() -> int:
    """Return the number of the current job, which is found in the way hostile code would find it."""
    frame = sys._getframe()
    while frame is not None:
        if isinstance(number := frame.f_locals.get("number"), int):
            return number
        frame = frame.f_back  # type: ignore[assignment]  # the last one has none
    raise AssertionError("no question")
