"""The one path every call takes, from every surface.

    validate  query and file become a checked `Call` (400, 413, 415)     prepare, _validate_file
    recall    an entry in memory that serves it ─▶ hit                   Entries.recall
    fly       board the flight of this question                          _fly
                join ─▶ joined: its outcome, its error too
                lead ─ in a task that outlives the caller                _lead_detached, _lead
    look up   an entry in storage that serves it ─▶ hit                  Entries.look_up
    plan      what a run may cost; a dossier's parts, hits pinned        _plan
    hold      that price (402)                                           Till.hold
    fetch     sources in turn, or the endpoint's own run                 Run._ask_sources, Run._run_own
    read      wire ─▶ result, in a child where it is large               Run._fetch_and_read, Net.read
    render    result ─▶ data and markdown                                Run._render
    store     the conversion and its wire, in one transaction with       Entries.conversion_of
    settle    what is due, the rest goes back ─▶ miss: charged           Charge.settle

Hits and joins are free. From the hold on, any error refunds and leaves a receipt (`Charge.refund`), also one that a
surface meets after the settle (`Bill.give_back`). What a surface says of a charge, it reads from the call's `Bill`. A
dossier's parts fly below its one hold (`_fly_part`). One deadline bounds all; an `Order` is a call under way.
"""

from webquarry.pipeline.answer import Answer, CacheState, Quote
from webquarry.pipeline.bill import Bill, tell_charge
from webquarry.pipeline.call import ANY_FRESH, Call, Freshness
from webquarry.pipeline.entries import is_conversion_id, new_conversion_id
from webquarry.pipeline.path import Pipeline

__all__ = [
    "ANY_FRESH",
    "Answer",
    "Bill",
    "CacheState",
    "Call",
    "Freshness",
    "Pipeline",
    "Quote",
    "is_conversion_id",
    "new_conversion_id",
    "tell_charge",
]
