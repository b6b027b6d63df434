"""Interface through which `People` sends emails."""

from typing import Protocol


class Post(Protocol):
    """Sends emails.

    All methods return before they look anything up or send anything, so that they take the same time whether or not an
    address has an account.
    """

    def confirm(self, email: str) -> None:
        """Send an email to confirm the address, unless it is already confirmed."""
        ...

    def tell_taken(self, email: str) -> None:
        """Send an email which reports that somebody tried to sign up with the address, which already has an account."""
        ...

    def reset(self, email: str) -> None:
        """Send a password reset email if the address has an account."""
        ...

    def move(self, account_id: str, email: str) -> None:
        """Send an email to confirm the account's new address."""
        ...

    def tell_change(self, email: str, what: str) -> None:
        """Send an email about a change to the account. `what` is a key of `emails.CHANGES`."""
        ...

    def tell_low_balance(self, email: str, balance: int, threshold: int) -> None:
        """Send an email which reports that the account's balance has fallen below the threshold."""
        ...

    def tell_webhook_off(self, account_id: str, host: str, reason: str) -> None:
        """Notify the account's owner that a webhook was switched off. `reason` is a sentence."""
        ...
