"""Errors of the conversion. Readers raise only these errors."""

from typing import Literal

ConversionReason = Literal["encrypted", "corrupt", "limits", "timeout", "unsupported_type"]


class ConversionError(Exception):
    """Base class of conversion errors, never raised itself.

    message: one sentence for the person who supplied the content.
    """

    def __init__(self, message: str, *, reason: ConversionReason | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.reason = reason


class UnsupportedType(ConversionError):
    """The type of the content is not supported. The message names the type."""


class ConversionFailed(ConversionError):
    """Content of a supported type could not be read: it is encrypted, damaged or too large."""

    def __init__(self, message: str, *, reason: ConversionReason) -> None:
        super().__init__(message, reason=reason)
