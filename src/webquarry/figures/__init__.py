"""Figures of each day, for administrators and the status page: how many requests, errors, credits and runs.

Each server counts in memory, and stores its totals of the day every minute.
"""

from webquarry.figures.daily import DailyFigures, Read
from webquarry.figures.records import KEPT_DAYS, Figure

__all__ = ["KEPT_DAYS", "DailyFigures", "Figure", "Read"]
