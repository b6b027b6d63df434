"""The letters that accounts get, as text."""

from webquarry.accounts.mail import Letter


def write_confirmation(email: str, code: str, base_url: str) -> Letter:
    text = (
        f"Somebody, you we hope, gave this address to Webquarry at {base_url}.\n\n"
        f"To confirm it, open this link within two days and enter your password there:\n\n"
        f"{base_url}/confirm?code={code}\n\n"
        "If it was not you, do nothing: without your mailbox nobody can use this address.\n"
    )
    return Letter(email, "Confirm your address", text)


def write_taken(email: str, base_url: str) -> Letter:
    text = (
        f"Somebody tried to sign up with this address at {base_url}, where it has an account already.\n\n"
        f"If it was you, sign in at {base_url}/login, or set a new password at {base_url}/forgot.\n"
        "If it was not you, there is nothing to do.\n"
    )
    return Letter(email, "You have an account already", text)


def write_reset(email: str, code: str, base_url: str) -> Letter:
    text = (
        f"Somebody asked for a new password for this address at {base_url}.\n\n"
        f"To set one, open this link within an hour:\n\n{base_url}/reset?code={code}\n\n"
        "If it was not you, do nothing: your password stays as it is.\n"
    )
    return Letter(email, "Set a new password", text)


CHANGES = {
    "password": ("Your password was changed", "The password of your account at {at} was changed just now."),
    "address": ("Your address was changed", "The address of your account at {at} was changed just now."),
    "two-factor on": (
        "Two-factor authentication is on",
        "Two-factor authentication was turned on for your account at {at}. From now on, signing in asks for your "
        "password and a code from your authenticator app.",
    ),
    "two-factor off": (
        "Two-factor authentication is off",
        "Two-factor authentication was turned off for your account at {at}. From now on, your password alone signs in.",
    ),
    "passkey added": (
        "A passkey was added",
        "A passkey was added to your account at {at}. It signs in without your password.",
    ),
    "passkey removed": (
        "A passkey was removed",
        "A passkey was removed from your account at {at}. It no longer signs in.",
    ),
    "recovery code": (
        "A recovery code was used",
        "One of the recovery codes of your account at {at} was used just now. It does not work again. See how many are "
        "left, or make new ones, at {at}/account/security.",
    ),
    "recovery codes": (
        "You have new recovery codes",
        "New recovery codes were made for your account at {at}. The earlier ones no longer work.",
    ),
}
"""Subject and first paragraph of the letter about each change."""


def write_change(email: str, what: str, base_url: str) -> Letter:
    """Return the letter about a change of an account. what: a key of `CHANGES`."""
    subject, paragraph = CHANGES[what]
    text = (
        f"{paragraph.format(at=base_url)}\n\n"
        f"If it was not you, set a new password at {base_url}/forgot, and tell whoever runs the service.\n"
    )
    return Letter(email, subject, text)
