"""The caller of a request, identified by a key, a session or a token."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller of a request.

    Requests are counted by `key_id`, which is a key's id, `session:<id>` or `grant:<id>`. `internal` marks the
    operator's command line, which is neither charged nor limited.
    """

    account_id: str
    key_id: str
    internal: bool = False
