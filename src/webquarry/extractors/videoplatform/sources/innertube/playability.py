"""The playability of a video, as the player reports it."""

import re
from typing import Any, Final, Literal, get_args

from webquarry.core.errors import Absent, EmptyResult
from webquarry.extractors.videoplatform.sources.innertube.calls import TITLE
from webquarry.extractors.videoplatform.sources.innertube.texts import line
from webquarry.read import take
from webquarry.read.fields import to_line
from webquarry.read.values import reach

PlayerStatus = Literal["ok", "offline", "blocked", "age_restricted", "region_restricted", "paid", "refused", "unknown"]
STATUSES: Final[tuple[str, ...]] = get_args(PlayerStatus)

_ROBOT: Final = re.compile(r"\b(?:bot|robot|unusual traffic)\b", re.IGNORECASE)
_PRIVATE: Final = re.compile(r"\bprivate\b", re.IGNORECASE)
_AGE: Final = re.compile(r"\bage\b|\bage-restricted\b|inappropriate for some|mature audience", re.IGNORECASE)
_REGION: Final = re.compile(r"\b(?:country|countries|region|location)\b", re.IGNORECASE)
_PAID: Final = re.compile(
    r"\bmembers?\b|\bpremium\b|\bpurchase\b|\brent(?:al)?\b|\bpayment\b|\bpay\b|\bticket\b", re.IGNORECASE
)
_GONE: Final = re.compile(r"\bremoved\b|\bterminated\b|\bno longer available\b|\bdeleted\b", re.IGNORECASE)


def judge(answer: dict[str, Any]) -> tuple[PlayerStatus | None, str | None]:
    """Return a video's status and the player's message, or (None, None) if the response has no status.

    Raises Absent for a video that does not exist, and EmptyResult for a private one.
    """
    playability = reach(answer, "playabilityStatus")
    if not isinstance(playability, dict):
        return None, None
    status = take(playability, "status", to_line) or ""
    words = _read_words(playability)
    everything = " ".join(filter(None, (words, *_read_messages(playability))))
    if status == "OK":
        return "ok", None
    if status == "LIVE_STREAM_OFFLINE":
        return "offline", words
    if status == "ERROR" or (status == "UNPLAYABLE" and _GONE.search(everything)):
        raise Absent(f"{TITLE} reports for this video: {words or 'it is not available'}")
    if _PRIVATE.search(everything):
        raise EmptyResult("This video is private.")
    return _read_kind(status, playability, everything), words


def _read_kind(status: str, playability: dict[str, Any], words: str) -> PlayerStatus:
    if status.startswith(("AGE_VERIFICATION", "AGE_CHECK")) or "desktopLegacyAgeGateReason" in playability:
        return "age_restricted"
    if _ROBOT.search(words):
        return "blocked"
    if _AGE.search(words):
        return "age_restricted"
    if status == "LOGIN_REQUIRED":
        return "blocked"
    if _PAID.search(words):
        return "paid"
    if _REGION.search(words):
        return "region_restricted"
    return "refused"


def _read_words(playability: dict[str, Any]) -> str | None:
    return take(playability, "reason", to_line) or line(playability, "errorScreen.playerErrorMessageRenderer.reason")


def _read_messages(playability: dict[str, Any]) -> list[str]:
    found = playability.get("messages")
    messages = found[:5] if isinstance(found, list) else []
    below = line(playability, "errorScreen.playerErrorMessageRenderer.subreason")
    return [one[:500] for one in (*messages, below) if isinstance(one, str)]
