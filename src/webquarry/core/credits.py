"""Amounts of credits."""

from typing import Final

MAX_CREDITS: Final = 10**12
"""Maximum balance after a grant, and maximum cap. Both databases store much larger integers exactly."""
