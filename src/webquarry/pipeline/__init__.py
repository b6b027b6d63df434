"""The pipeline that every request takes, from every interface.

    validate  query and file become a validated `Call` (400, 413, 415)   prepare, _validate_file
    recall    an entry in memory serves it ─▶ hit                        Entries.recall
    fly       start or join the request's flight                         _fly
                join ─▶ joined: its outcome, or its error
                lead ─ in a task that outlives the caller                _lead_detached, _lead
    look up   an entry in storage serves it ─▶ hit                       Entries.look_up
    plan      what a run may cost; a dossier's parts, hits pinned        _plan
    hold      reserve that price (402)                                   Billing.hold
    fetch     sources in turn, or the endpoint's own run                 Run._ask_sources, Run._run_own
    read      wire ─▶ result, in a child process if it is large          Run._fetch_and_read, Net.read
    render    result ─▶ data and markdown                                Run._write
    store     the conversion and its wire, in one transaction with       Entries.conversion_of
    settle    charge the price, return the rest ─▶ miss: charged         Charge.settle

Hits and joins are free. After the hold, any error causes a refund and a receipt (`Charge.refund`), even if an interface
fails after the settle (`Bill.give_back`). Interfaces read what was charged from the request's `Bill`. A dossier's parts
fly under its single hold (`_fly_part`). One deadline limits everything; an `Order` is a request in progress.
"""

from webquarry.pipeline.answer import Answer, CacheState, Quote
from webquarry.pipeline.bill import Bill, tell_charge
from webquarry.pipeline.call import ANY_FRESH, Call, Freshness
from webquarry.pipeline.claim import Claim
from webquarry.pipeline.entries import is_conversion_id, new_conversion_id
from webquarry.pipeline.path import Pipeline

__all__ = [
    "ANY_FRESH",
    "Answer",
    "Bill",
    "CacheState",
    "Call",
    "Claim",
    "Freshness",
    "Pipeline",
    "Quote",
    "is_conversion_id",
    "new_conversion_id",
    "tell_charge",
]
