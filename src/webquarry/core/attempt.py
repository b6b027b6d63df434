"""An attempt to get a response from a provider: recorded by a run, and stored in the receipt of a refund."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt with one provider. `reason` is None if it succeeded; `ms` is its duration in milliseconds."""

    provider: str
    reason: str | None
    ms: int
