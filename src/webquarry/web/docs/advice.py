"""Error advice: explanations for each code and reason, and the errors that each endpoint can return."""

from collections.abc import Collection, Iterator, Mapping
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
    "invalid_params": "Correct the parameter named in the message. The same request will fail again.",
    "unsafe_target": "Use a public address on port 80, 443, 8080 or 8443. Other addresses are never fetched.",
    "unauthorized": "Send an active API key as `Authorization: Bearer <API_KEY>` or `x-api-key`.",
    "insufficient_credits": "Add credits or use a cheaper endpoint. Cached responses are still free.",
    "not_found": "Don't retry. Check the name, URL or ID.",
    "not_cached": "Send the request without `Cache-Control: only-if-cached` to fetch a new response.",
    "method_not_allowed": "Use a method listed in the `Allow` header.",
    "file_too_large": "Send a smaller file or split it.",
    "unsupported_type": "Send a supported type. The message names the detected type.",
    "rate_limited": "Wait `Retry-After` seconds. Use `RateLimit` to pace your requests.",
    "idempotency_conflict": "Send a new `Idempotency-Key` with each new job.",
    "empty_result": "Treat this response as a result: nothing was found. A later request may find something.",
    "provider_error": "Check `X-Error-Reason`. Retry only if `X-Retryable` is `true`.",
    "conversion_failed": "Check `X-Error-Reason`. The same document will fail again.",
    "overloaded": "Wait `Retry-After` seconds and retry. Nothing was charged.",
    "internal_error": "Retry once. If it fails again, report the `X-Request-Id`.",
}
"""Advice by code. A test requires advice for each code."""

WHY: Mapping[tuple[str, str], tuple[str, str]] = {
    ("insufficient_credits", "monthly_cap"): (
        "The key has reached its monthly cap.",
        "Use another key, raise the cap in your account, or wait until the first of next month (UTC).",
    ),
    ("provider_error", "timeout"): (
        "No provider responded before the endpoint's deadline.",
        "Retry. The request may have completed in the background, so its response may be cached.",
    ),
    ("provider_error", "blocked"): (
        "A provider returned a captcha, a login form or another block page instead of the data.",
        "Don't retry soon. The operator can configure a provider that uses a key.",
    ),
    ("provider_error", "changed"): (
        "A provider returned data in an unknown format.",
        "Don't retry. The endpoint needs an update: report the `X-Request-Id`.",
    ),
    ("provider_error", "refused"): (
        "A provider rejected the request, for example because of a rate limit.",
        "Retry after `Retry-After` seconds, or after one minute if the header is missing.",
    ),
    ("provider_error", "robots"): (
        "The site's robots.txt disallows the page, and this request respects robots.txt.",
        "Don't retry. Use another page of the site.",
    ),
    ("provider_error", "down"): ("A provider could not be reached.", "Retry after one minute."),
    ("provider_error", "unavailable"): (
        "No configured provider supports this request.",
        "The message and the status page list the settings that the operator can add.",
    ),
    ("conversion_failed", "encrypted"): (
        "The document is password-protected.",
        "Remove the password and send the document again.",
    ),
    ("conversion_failed", "corrupt"): (
        "The document is damaged.",
        "Save the document again in the program that created it.",
    ),
    ("conversion_failed", "limits"): (
        "The document is too large or too deeply nested.",
        "Send a part of the document.",
    ),
    ("conversion_failed", "timeout"): ("The conversion took too long.", "Send a part of the document."),
    ("conversion_failed", "unsupported_type"): (
        "The document type is not supported.",
        "Convert the document to a supported type. See the guide on files.",
    ),
}
"""Cause and advice by code and reason. A test requires an entry for each reason."""

COMMON = ("unauthorized", "insufficient_credits", "rate_limited", "method_not_allowed", "overloaded", "internal_error")
"""Errors that every endpoint can return."""


@dataclass(frozen=True, slots=True)
class Ending:
    """An error that a request can end with. `name` is the code or `code/reason`; `retry` is `yes` or `no`."""

    name: str
    status: int
    when: str
    do: str
    retry: str


def list_endings(extractor: Extractor) -> list[Ending]:
    """Return an endpoint's specific errors, in the order in which the documentation lists them."""
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
            found[:0] = _by_reason(error, () if _takes_addresses(extractor) else ("robots",))
    return found


def describe(error: type[ServiceError]) -> str:
    """Return the meaning of an error: the first paragraph of its class's docstring."""
    return " ".join((error.__doc__ or "").partition("\n\n")[0].split())


def explain(code: str, reason: str) -> tuple[str, str]:
    """Return the cause of an error with this reason, and advice."""
    return WHY.get((code, reason), ("", DO[code]))


def _by_reason(error: type[ServiceError], without: Collection[str]) -> Iterator[Ending]:
    for reason in (each for each in REASONS[error.code] if each not in without):
        when, do = explain(error.code, reason)
        yield Ending(f"{error.code}/{reason}", error.status, when, do, _retry(error, reason))


def _retry(error: type[ServiceError], reason: str | None) -> str:
    return "yes" if (reason in error.passing if error.passing else error.retryable) else "no"


def _refuse_when(extractor: Extractor) -> str:
    needed = " or ".join(f"`{spec.name}`" for spec in specs(extractor.params) if spec.required)
    groups = [" and ".join(f"`{name}`" for name in group) for group in extractor.params.one_of]
    missing = [f"{needed} is missing"] if needed else []
    missing += [f"not exactly one of {group} is set" for group in groups]
    return ", or ".join(["A parameter is unknown, repeated or invalid", *missing]) + "."


def _takes_addresses(extractor: Extractor) -> bool:
    return any(provider.callers_choose for provider in extractor.all_providers)
