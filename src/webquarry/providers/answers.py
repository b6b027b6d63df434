"""What answers of sources have in common: how much of one is read, and how a refusal is told."""

from webquarry.errors import ProviderError
from webquarry.net import retry_after_s
from webquarry.types import Wire

MAX_ANSWER_BYTES = 2 * 1024 * 1024
"""Four times what the largest known page of results has; it is read where other calls would have to wait."""
WALL_WAIT_S = 600.0
"""For which a source is left alone once it has asked whether a person is there."""


def answer_by_key(wire: Wire, source: str) -> Wire:
    """The answer to a question asked by the operator's key. ProviderError "refused" for any status but 200."""
    match wire.status:
        case 200:
            return wire
        case 401 | 403 as status:
            said = f"{source} does not accept the key that is set, or not for this (status {status})."
        case 402 | 429 as status:
            said = f"{source} takes no more requests with the key that is set for now (status {status})."
        case status:
            said = f"{source} refused the request (status {status})."
    raise ProviderError(said, reason="refused", retry_after_s=retry_after_s(wire))
