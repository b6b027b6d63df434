"""Who calls, whatever it was told by: a key, a session, a token."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Caller:
    """Who makes a call. internal: the operator's own command line, which pays nothing and has no limit.

    key_id: what the call was made with, by which calls are counted: a key's id, `session:<id>` or `grant:<id>`.
    """

    account_id: str
    key_id: str
    internal: bool = False
