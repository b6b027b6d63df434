"""Daily figures for administrators and the status page: numbers of requests, errors, credits and runs.

Each server counts in memory and stores its totals for the day every minute.
"""

from webquarry.logs.figures.daily import DailyFigures, Read
from webquarry.logs.figures.records import KEPT_DAYS, Figure

__all__ = ["KEPT_DAYS", "DailyFigures", "Figure", "Read"]
