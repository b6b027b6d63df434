"""The post: what `People` asks of whatever sends letters."""

from typing import Protocol


class Post(Protocol):
    """What sends letters. Nothing is sent, written or looked up before it returns, so it takes the same time for
    addresses with an account and without."""

    def confirm(self, email: str) -> None:
        """Have the account of the address confirmed, if there is one that is not yet."""
        ...

    def tell_taken(self, email: str) -> None:
        """Tell the address that somebody tried to sign up with it, and that it has an account."""
        ...

    def reset(self, email: str) -> None:
        """Send a way to set a new password, if the address has an account."""
        ...

    def move(self, account_id: str, email: str) -> None:
        """Have it confirmed that the account's new address is read."""
        ...

    def tell_change(self, email: str, what: str) -> None:
        """Tell the address what was changed about its account: a key of `letters.CHANGES`."""
        ...
