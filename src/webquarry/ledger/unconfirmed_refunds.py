"""Unconfirmed refunds, stored until the database confirms them.

When a caller gets an error and the database does not respond, the caller's hold may be open, closed, or settled by a
transaction whose confirmation was lost. Each such refund is written to a file before the caller is answered, so that it
survives this process. Any process that finds the file can safely repeat the refund.
"""

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from webquarry.core.attempt import Attempt
from webquarry.core.clock import epoch_ms, from_epoch_ms
from webquarry.core.log import log
from webquarry.core.process.leftovers import has_age
from webquarry.ledger.booking import Hold
from webquarry.ledger.receipts import Receipt

_SUFFIX = ".json"
_UNFINISHED = ".new"
"""Suffix of a file that is being written."""
_WRITTEN_AFTER_S = 60.0
"""Maximum time in seconds that a live server takes to write a file."""


@dataclass(frozen=True, slots=True)
class UnconfirmedRefund:
    """A refund to be made, with the receipt for the error that the caller received."""

    hold: Hold
    receipt: Receipt


class UnconfirmedRefunds:
    """Unconfirmed refunds in `folder`, or in memory if it is None.

    Methods block while they read or write a small file.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._open: dict[str, UnconfirmedRefund] = {}

    def __len__(self) -> int:
        return len(self._open)

    def __iter__(self) -> Iterator[UnconfirmedRefund]:
        return iter(list(self._open.values()))

    def load(self) -> None:
        """Load the refunds that earlier processes left, and delete files that they did not finish.

        The callers of unfinished files got no response, so their holds are refunded like any other abandoned hold.
        """
        if self._folder is None or not self._folder.is_dir():
            return
        for unfinished in self._folder.glob(f"*{_UNFINISHED}"):
            if has_age(unfinished, _WRITTEN_AFTER_S):
                unfinished.unlink(missing_ok=True)
        for file in sorted(self._folder.glob(f"*{_SUFFIX}")):
            try:
                unconfirmed = _from_json(file.read_text())
            except (OSError, ValueError, TypeError, KeyError) as exc:
                log.error("ledger.doubt_unreadable", file=file.name, fault=type(exc).__name__)
            else:
                self._open.setdefault(unconfirmed.hold.id, unconfirmed)

    def keep(self, unconfirmed: UnconfirmedRefund) -> None:
        """Store the refund. It is durable on return, unless writing fails, which is logged."""
        self._open[unconfirmed.hold.id] = unconfirmed
        if self._folder is None:
            return
        file = self._folder / f"{unconfirmed.hold.id}{_SUFFIX}"
        fresh = file.with_suffix(_UNFINISHED)
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with fresh.open("w") as out:
                out.write(_to_json(unconfirmed))
                out.flush()
                os.fsync(out.fileno())
            fresh.replace(file)
        except OSError as exc:
            log.error("ledger.doubt_in_memory_only", hold_id=unconfirmed.hold.id, fault=exc.strerror)
            with suppress(OSError):  # if the folder is not writable, there is no file to remove
                fresh.unlink(missing_ok=True)

    def drop(self, unconfirmed: UnconfirmedRefund) -> None:
        """Delete a refund that was confirmed."""
        self._open.pop(unconfirmed.hold.id, None)
        if self._folder is not None:
            (self._folder / f"{unconfirmed.hold.id}{_SUFFIX}").unlink(missing_ok=True)


def _to_json(unconfirmed: UnconfirmedRefund) -> str:
    return json.dumps(asdict(unconfirmed), default=epoch_ms)


def _from_json(text: str) -> UnconfirmedRefund:
    value: dict[str, Any] = json.loads(text)
    hold, receipt = value["hold"], value["receipt"]
    attempts = tuple(Attempt(**attempt) for attempt in receipt["attempts"])
    return UnconfirmedRefund(
        Hold(**{**hold, "created_at": from_epoch_ms(hold["created_at"])}),
        Receipt(**{**receipt, "attempts": attempts, "created_at": from_epoch_ms(receipt["created_at"])}),
    )
