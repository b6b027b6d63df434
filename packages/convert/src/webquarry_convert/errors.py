"""Why there is no markdown. Every reader raises these and nothing else."""

from typing import Literal

ConversionReason = Literal["encrypted", "corrupt", "limits", "timeout", "unsupported_type"]


class ConversionError(Exception):
    """Base of both; never raised itself. message: one sentence for whoever gave the content."""

    def __init__(self, message: str, *, reason: ConversionReason | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.reason = reason


class UnsupportedType(ConversionError):
    """The content is of no type that is read; the message says what it is."""


class ConversionFailed(ConversionError):
    """The content is of a type that is read, and could not be: encrypted, damaged, or beyond the limits."""

    def __init__(self, message: str, *, reason: ConversionReason) -> None:
        super().__init__(message, reason=reason)
