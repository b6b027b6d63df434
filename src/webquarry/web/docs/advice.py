"""What can go wrong, and what to do: words for each code and reason, and which of them an endpoint can end in."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from webquarry.core.errors import (
    ANSWERED,
    REASONS,
    ConversionFailed,
    FileTooLarge,
    ProviderError,
    ServiceError,
    UnsafeTarget,
    UnsupportedType,
)
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.params import specs

DO: Mapping[str, str] = {
    "invalid_params": "Correct the parameter that the message names; the same call fails again.",
    "unsafe_target": "Ask for a public address on port 80, 443, 8080 or 8443; others are never fetched.",
    "unauthorized": "Send a live key as `Authorization: Bearer <API_KEY>` or `x-api-key`; your account makes another.",
    "insufficient_credits": "Add credits, or ask for something cheaper; what is cached for you stays free.",
    "not_found": "Do not repeat it: check the name, address or id.",
    "method_not_allowed": "Use the method that `Allow` names.",
    "file_too_large": "Send a smaller file, or split it.",
    "unsupported_type": "Send a type that is read; the message says what the file was taken for.",
    "rate_limited": "Wait `Retry-After` seconds; spread calls by what `RateLimit` says is left.",
    "empty_result": "Take it as an answer: there is nothing. A later call may find something.",
    "provider_error": "Look at `X-Error-Reason`; repeat only when `X-Retryable` is `true`.",
    "conversion_failed": "Look at `X-Error-Reason`; the same document fails again.",
    "overloaded": "Wait `Retry-After` seconds and repeat; nothing was charged.",
    "internal_error": "Repeat once; then report it with its `X-Request-Id`.",
}
"""By code; a test asks for each."""

WHY: Mapping[tuple[str, str], tuple[str, str]] = {
    ("insufficient_credits", "monthly_cap"): (
        "The key has spent what it may spend in this month.",
        "Use another key, raise the cap in your account, or wait for the first of the month, UTC.",
    ),
    ("provider_error", "timeout"): (
        "No source answered within the endpoint's time.",
        "Repeat: a run that goes on may have filled the cache.",
    ),
    ("provider_error", "blocked"): (
        "A source showed a captcha, a log-in or another wall in place of the data.",
        "Do not repeat soon; the operator can configure a source with a key.",
    ),
    ("provider_error", "changed"): (
        "A source answered in a form that is not known.",
        "Do not repeat: the reader has to be brought up to date; report the `X-Request-Id`.",
    ),
    ("provider_error", "refused"): (
        "A source refused: too many calls, or a status that is no success.",
        "Repeat after `Retry-After` where it is given, else after a minute.",
    ),
    ("provider_error", "down"): ("A source could not be reached.", "Repeat after a minute."),
    ("provider_error", "unavailable"): (
        "No source is configured that can answer this.",
        "The message says what the operator can set; the status page shows it too.",
    ),
    ("conversion_failed", "encrypted"): ("The document asks for a password.", "Remove the password and send it again."),
    ("conversion_failed", "corrupt"): ("The document is damaged.", "Save it again from the program that made it."),
    ("conversion_failed", "limits"): ("The document is larger or deeper than is read.", "Send a part of it."),
    ("conversion_failed", "timeout"): ("The conversion took too long.", "Send a part of it."),
    ("conversion_failed", "unsupported_type"): (
        "The document is of a type that is not read.",
        "Convert it to a type that is listed under files.",
    ),
}
"""By code and reason: when it happens, and what to do; a test asks for each."""

COMMON = ("unauthorized", "insufficient_credits", "rate_limited", "method_not_allowed", "overloaded", "internal_error")
"""What every operation can end in, whatever it does."""


@dataclass(frozen=True, slots=True)
class Ending:
    """One way in which a call can end. name: code, or `code/reason`; retry: `yes` or `no`."""

    name: str
    status: int
    when: str
    do: str
    retry: str


def list_endings(extractor: Extractor) -> list[Ending]:
    """The errors that are an endpoint's own, in the order of the documents."""
    whens = {"invalid_params": _refuse_when(extractor)}
    if _takes_addresses(extractor):
        whens["unsafe_target"] = describe(UnsafeTarget)
    if extractor.upload is not None:
        whens |= {error.code: describe(error) for error in (FileTooLarge, UnsupportedType)}
    for code, when in extractor.ends.items():
        whens[code] = f"{whens[code]} {when}" if code in whens else when
    reasoned = {ProviderError.code} if extractor.all_providers or extractor.parts else set()
    if extractor.upload is not None or extractor.also:
        reasoned.add(ConversionFailed.code)
    found: list[Ending] = []
    for error in {error.code: error for error in reversed(ANSWERED)}.values():
        if error.code in whens:
            found.insert(0, Ending(error.code, error.status, whens[error.code], DO[error.code], _retry(error, None)))
        elif error.code in reasoned:
            found[:0] = _by_reason(error)
    return found


def describe(error: type[ServiceError]) -> str:
    """What an error means: the first paragraph of what stands by its class."""
    return " ".join((error.__doc__ or "").partition("\n\n")[0].split())


def explain(code: str, reason: str) -> tuple[str, str]:
    """When a reason is given, and what to do."""
    return WHY.get((code, reason), ("", DO[code]))


def _by_reason(error: type[ServiceError]) -> Iterator[Ending]:
    for reason in REASONS[error.code]:
        when, do = explain(error.code, reason)
        yield Ending(f"{error.code}/{reason}", error.status, when, do, _retry(error, reason))


def _retry(error: type[ServiceError], reason: str | None) -> str:
    return "yes" if (reason in error.passing if error.passing else error.retryable) else "no"


def _refuse_when(extractor: Extractor) -> str:
    needed = " or ".join(f"`{spec.name}`" for spec in specs(extractor.params) if spec.required)
    groups = [" and ".join(f"`{name}`" for name in group) for group in extractor.params.one_of]
    missing = [f"{needed} is missing"] if needed else []
    missing += [f"not exactly one of {group} is given" for group in groups]
    return ", or ".join(["A parameter is unknown, repeated or breaks a rule", *missing]) + "."


def _takes_addresses(extractor: Extractor) -> bool:
    return any(provider.callers_choose for provider in extractor.all_providers)
