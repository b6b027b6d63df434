"""Amounts of credits."""

from typing import Final

MAX_CREDITS: Final = 10**12
"""Maximum balance after a grant, and maximum of a cap, far below the integers that both databases count exactly."""
