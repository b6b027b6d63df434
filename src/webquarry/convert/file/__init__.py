"""Files as markdown: PDF, Word, Excel, CSV, OpenDocument, Apple Numbers, images."""

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from webquarry.convert.file.limits import MAX_FILE
from webquarry.errors import FileTooLarge

if TYPE_CHECKING:
    from webquarry.workers.blocking import BlockingWorkers

WITHIN_S = 60.0


def to_markdown(path: str) -> str:
    """The file's content as markdown, converted as the endpoint does it: in a worker, within its limits.

    Raises OSError when the file cannot be read, `FileTooLarge` beyond 10 MB, `UnsupportedType` for what is not read,
    `ConversionFailed` for what is encrypted, damaged, or takes too much. The first call starts the worker, which stays
    warm and ends with this process.
    """
    # only this function needs workers: who converts inside of one imports this package too
    from webquarry.convert.file.conversion import conversion

    with Path(path).open("rb") as file:
        body = file.read(MAX_FILE + 1)
    if len(body) > MAX_FILE:
        raise FileTooLarge(f"The file is larger than {MAX_FILE:,} bytes.")
    workers = _workers(os.getpid())
    given = workers.do(lambda isolated: conversion(isolated, body, Path(path).name), WITHIN_S)
    return given.pieces[-1].decode()


@cache
def _workers(_process: int) -> "BlockingWorkers":
    """The workers of this process; a process that was forked off has its own."""
    from webquarry.convert.file.readers import PRELOADED
    from webquarry.log import spare_output
    from webquarry.workers.blocking import BlockingWorkers

    spare_output()
    return BlockingWorkers(PRELOADED)
