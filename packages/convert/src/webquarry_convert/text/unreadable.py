"""Characters that are not allowed in any document."""

import re

_UNREADABLE = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff\ufeff\ufffe\uffff]")


def strip_unreadable(text: str) -> str:
    """Remove control characters and byte order marks, and replace lone surrogates with U+FFFD."""
    return _UNREADABLE.sub(lambda match: "\ufffd" if "\ud800" <= match[0] <= "\udfff" else "", text)
