"""Attempts to get a response from a provider. A run records its attempts, and the receipt of a refund stores them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt with one provider. `reason` is None if the attempt succeeded; `ms` is its duration in milliseconds."""

    provider: str
    reason: str | None
    ms: int
