"""The one path every call takes, from every surface.

    ready in memory ─▶ hit
    else board the flight of this question:
        join  ─▶ wait for its outcome (free; its error is ours)
        lead  ─▶ stored and fresh ─▶ hit
                 else hold ─▶ run under one deadline ─▶ store + settle in one transaction
                              └─ any error: refund + receipt

`path` walks it; a `Call` is what is asked, an `Order` a call under way, a `Charge` the money of one run, `Entries` what
memory and storage hold, a `Dossier` the parts of a call below its one hold.
"""

from webquarry.pipeline.answer import Answer, CacheState
from webquarry.pipeline.call import ANY_FRESH, Call, Freshness
from webquarry.pipeline.entries import new_conversion_id
from webquarry.pipeline.path import Pipeline

__all__ = ["ANY_FRESH", "Answer", "CacheState", "Call", "Freshness", "Pipeline", "new_conversion_id"]
