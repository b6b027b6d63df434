"""Flights: one run for identical requests. The first request for a key leads; the others wait for its outcome.

`InProcessFlights` joins the requests of one process, `webquarry.pipeline.flights.redis` the requests of all processes
that share a Redis.
"""

from webquarry.pipeline.flights.flight import LONGEST_S, Flights, Join, Lead
from webquarry.pipeline.flights.in_process import InProcessFlights
from webquarry.pipeline.flights.outcome import Failed, Landed, Outcome

__all__ = ["LONGEST_S", "Failed", "Flights", "InProcessFlights", "Join", "Landed", "Lead", "Outcome"]
