"""All errors that a caller can see. Each error has one class, one status and one code.

The body is exactly `{"error": message, "code": code}`. Other details (reason, wait, allowed methods) are sent in
headers, which each class returns from `headers()`. A message is one sentence that states what was expected, what was
found and what to do. It never contains internal addresses or stack traces.
"""

import math
from collections.abc import Mapping
from datetime import datetime
from typing import ClassVar, Literal, cast, get_args

ProviderReason = Literal["timeout", "blocked", "changed", "refused", "robots", "down", "unavailable"]
ConversionReason = Literal["encrypted", "corrupt", "limits", "timeout", "unsupported_type"]
MONTHLY_CAP = "monthly_cap"
"""Reason of InsufficientCredits if the key's monthly cap is used up, rather than the balance."""


JOB_BUDGET = "max_credits"
"""Reason of an item whose price its job's `max_credits` did not cover."""


class ServiceError(Exception):
    """Base class of all errors sent to callers. Never raised directly."""

    status: ClassVar[int]
    also: ClassVar[tuple[int, ...]] = ()  # other statuses that errors of this class can have
    code: ClassVar[str]
    retryable: ClassVar[bool] = False
    # reasons for which a retry helps; if there are none, see `retryable`
    passing: ClassVar[frozenset[str]] = frozenset()
    refunded: ClassVar[bool] = False

    def __init__(self, message: str, *, reason: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.reason = reason

    @property
    def retry_helps(self) -> bool:
        """Whether the same request may succeed later without any change."""
        return self.reason in self.passing if self.passing else self.retryable

    def headers(self) -> dict[str, str]:
        """Return header fields specific to this error."""
        reason = {"X-Error-Reason": self.reason} if self.reason else {}
        return {"X-Retryable": "true" if self.retry_helps else "false", **reason}


class RequestError(ServiceError):
    """Base class of errors after which the caller must change the request. Nothing was charged."""


class InvalidParams(RequestError):
    """A parameter, the query or the HTTP request is invalid. The message explains why.

    parameter: name of the parameter whose rule was broken, if there is exactly one.
    """

    status, code = 400, "invalid_params"
    also = (414, 431)

    def __init__(
        self, message: str, *, status: int = 400, reason: str | None = None, parameter: str | None = None
    ) -> None:
        super().__init__(message, reason=reason)
        self.parameter = parameter
        self.status = status  # type: ignore[misc]  # 414 and 431 share this code (DESIGN section 4)


class UnsafeTarget(RequestError):
    """The service may not connect to the requested address."""

    status, code = 400, "unsafe_target"

    def __init__(self) -> None:
        super().__init__("This address can't be fetched. Only public web addresses on allowed ports are supported.")


class Unauthorized(RequestError):
    """The API key is missing, invalid, revoked or expired, or the request has two different keys."""

    status, code = 401, "unauthorized"

    def headers(self) -> dict[str, str]:
        return {**super().headers(), "WWW-Authenticate": 'Bearer realm="webquarry"'}


class InsufficientCredits(RequestError):
    """The balance does not cover the price of the request."""

    status, code = 402, "insufficient_credits"

    def __init__(self, price: int, balance: int) -> None:
        super().__init__(
            f"This request costs {price} credit{'' if price == 1 else 's'} and your balance is {balance}. "
            f"Ask your administrator to add at least {price - balance}."
        )
        self.price = price
        self.balance = balance


class CapReached(RequestError):
    """The key's monthly cap does not cover the price of the request."""

    status, code = 402, "insufficient_credits"

    def __init__(self, price: int, *, name: str, cap: int, spent: int, renews_at: datetime) -> None:
        left = max(0, cap - spent)
        super().__init__(
            f"This request costs {price} credit{'' if price == 1 else 's'}, but the key '{name}' has {left} left of "
            f"its monthly cap of {cap}. The cap renews on {renews_at:%Y-%m-%d} at 00:00 UTC. To raise it, go to Keys "
            "in your account.",
            reason=MONTHLY_CAP,
        )


class BudgetReached(RequestError):
    """A job's budget does not cover the price of an item. The error is recorded in the item and never sent in a
    response.

    `may_pass` means that running items hold credits, some of which may be returned.
    """

    status, code = 402, "insufficient_credits"

    def __init__(self, price: int, *, budget: int, spent: int, may_pass: bool) -> None:
        super().__init__(
            f"This item costs {price} credit{'' if price == 1 else 's'}, but the job has {max(0, budget - spent)} left "
            f"of its `max_credits` of {budget}.",
            reason=JOB_BUDGET,
        )
        self.may_pass = may_pass


class JobHalted(RequestError):
    """The job of an item was paused, has ended, or has given the item to another worker.

    The error is never sent in a response.
    """

    status, code = 409, "job_halted"

    def __init__(self) -> None:
        super().__init__("The job was paused or canceled, or another worker took over this item.")


class NotFound(RequestError):
    """The path is unknown, or a conversion is unknown, expired or belongs to another account."""

    status, code = 404, "not_found"


class NotCached(RequestError):
    """The request only allows a cached response (`Cache-Control: only-if-cached`), and there is none."""

    status, code = 404, "not_cached"

    def __init__(self) -> None:
        super().__init__("There is no cached response. Send the request without `only-if-cached` to fetch a new one.")


class MethodNotAllowed(RequestError):
    """The path does not support this method. The `Allow` header lists the supported methods."""

    status, code = 405, "method_not_allowed"

    def __init__(self, message: str, allow: tuple[str, ...]) -> None:
        super().__init__(message)
        self.allow = allow

    def headers(self) -> dict[str, str]:
        return {**super().headers(), "Allow": ", ".join(self.allow)}


class FileTooLarge(RequestError):
    """The body or the uploaded file exceeds the size limit."""

    status, code = 413, "file_too_large"


class UnsupportedType(RequestError):
    """The type of the uploaded file is not supported."""

    status, code = 415, "unsupported_type"


class RateLimited(RequestError):
    """The rate limit of the key or the account is exceeded. `Retry-After` states the time to wait."""

    status, code = 429, "rate_limited"
    retryable = True

    def __init__(
        self, limit: int, window_s: float, retry_after_s: int, counted: Literal["key", "account"] = "key"
    ) -> None:
        whose = "with this key" if counted == "key" else "from all keys and apps of this account"
        super().__init__(
            f"More than {limit} requests in {window_s:.0f} seconds {whose}. "
            f"Try again in {retry_after_s} second{'' if retry_after_s == 1 else 's'}."
        )
        self.retry_after_s = retry_after_s

    def headers(self) -> dict[str, str]:
        return {**super().headers(), "Retry-After": str(self.retry_after_s)}


class TooManyJobs(RateLimited):
    """The account has reached its maximum number of open jobs, or of items in open jobs."""

    def __init__(self, message: str, *, retry_after_s: int = 60) -> None:
        RequestError.__init__(self, message)
        self.retry_after_s = retry_after_s


class KeyReused(RequestError):
    """Another request was sent with the same `Idempotency-Key` in the last 24 hours."""

    status, code = 409, "idempotency_conflict"

    def __init__(self) -> None:
        super().__init__(
            "Another request was sent with this Idempotency-Key in the last 24 hours. Use a new key for a new job."
        )


class ExtractionError(ServiceError):
    """Base class of failures after credits were held. The credits are refunded."""

    refunded = True


class Absent(ExtractionError):
    """The provider reports that the resource does not exist."""

    status, code = 404, "not_found"


class NotModified(ExtractionError):
    """The source has not changed since the stored result that the request named. No response has this error."""

    status, code = 304, "not_modified"

    def __init__(self) -> None:
        super().__init__("The source has not changed since the earlier result.")


class EmptyResult(ExtractionError):
    """The request was understood, but there is no data."""

    status, code = 422, "empty_result"
    retryable = True


class ProviderError(ExtractionError):
    """A provider failed. `reason` states the kind of failure."""

    status, code = 422, "provider_error"
    retryable = True
    passing = frozenset({"timeout", "refused", "down"})

    def __init__(self, message: str, *, reason: ProviderReason, retry_after_s: float | None = None) -> None:
        super().__init__(message, reason=reason)
        self.retry_after_s = retry_after_s

    def with_message(self, message: str) -> "ProviderError":
        """Return the same failure with another message."""
        return ProviderError(message, reason=cast("ProviderReason", self.reason), retry_after_s=self.retry_after_s)

    def headers(self) -> dict[str, str]:
        wait = {} if self.retry_after_s is None else {"Retry-After": str(max(1, math.ceil(self.retry_after_s)))}
        return {**super().headers(), **wait}


class ConversionFailed(ExtractionError):
    """The document could not be converted."""

    status, code = 422, "conversion_failed"

    def __init__(self, message: str, *, reason: ConversionReason) -> None:
        super().__init__(message, reason=reason)


class Overloaded(ServiceError):
    """The service is at capacity. Nothing was charged."""

    status, code = 503, "overloaded"
    retryable = True

    def __init__(self, message: str = "The service is busy. Try again shortly.", *, retry_after_s: int = 1) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s

    def headers(self) -> dict[str, str]:
        return {**super().headers(), "Retry-After": str(self.retry_after_s)}


class InternalError(ServiceError):
    """The service failed. Only its log contains the details."""

    status, code = 500, "internal_error"
    retryable = True
    refunded = True

    def __init__(self) -> None:
        super().__init__("Internal error. The request was not charged.")


ANSWERED: tuple[type[ServiceError], ...] = (
    InvalidParams,
    UnsafeTarget,
    Unauthorized,
    InsufficientCredits,
    CapReached,
    NotFound,
    NotCached,
    MethodNotAllowed,
    FileTooLarge,
    UnsupportedType,
    RateLimited,
    TooManyJobs,
    KeyReused,
    Absent,
    EmptyResult,
    ProviderError,
    ConversionFailed,
    Overloaded,
    InternalError,
)
"""Every error class that can be sent, in the order in which the documentation lists them."""

REASONS: Mapping[str, tuple[str, ...]] = {
    CapReached.code: (MONTHLY_CAP,),
    ProviderError.code: get_args(ProviderReason),
    ConversionFailed.code: get_args(ConversionReason),
}
"""Values of `X-Error-Reason`, by code."""
