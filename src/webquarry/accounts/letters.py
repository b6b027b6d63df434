"""The letters that accounts get, as text."""

from webquarry.mail import Letter


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


def write_change(email: str, what: str, base_url: str) -> Letter:
    """what: password or address."""
    text = (
        f"The {what} of your account at {base_url} was changed just now.\n\n"
        f"If it was not you, set a new password at {base_url}/forgot, and tell whoever runs the service.\n"
    )
    return Letter(email, f"Your {what} was changed", text)
