"""The text of the emails sent to accounts."""

from webquarry.accounts.mail import Email


def write_confirmation(email: str, code: str, base_url: str) -> Email:
    text = (
        f"Confirm your email address to finish setting up your Webquarry account at {base_url}.\n\n"
        "Open this link and enter your password. The link expires in two days:\n\n"
        f"{base_url}/confirm?code={code}\n\n"
        "If you didn't sign up, you can ignore this email. The account can't be used until the address is confirmed.\n"
    )
    return Email(email, "Confirm your email address", text)


def write_taken(email: str, base_url: str) -> Email:
    text = (
        f"Someone tried to sign up for Webquarry at {base_url} with this email address, but you already have an "
        "account.\n\n"
        f"To sign in, go to {base_url}/login. If you forgot your password, reset it at {base_url}/forgot.\n\n"
        "If this wasn't you, you can ignore this email. Your account has not changed.\n"
    )
    return Email(email, "You already have a Webquarry account", text)


def write_reset(email: str, code: str, base_url: str) -> Email:
    text = (
        f"We received a request to reset the password of your Webquarry account at {base_url}.\n\n"
        "Open this link to set a new password. The link expires in one hour:\n\n"
        f"{make_sign_in_link(base_url, code)}\n\n"
        "If you didn't request this, you can ignore this email. Your password has not changed.\n"
    )
    return Email(email, "Reset your Webquarry password", text)


def make_sign_in_link(base_url: str, code: str) -> str:
    """Return the link that contains a code; whoever opens it can set a password and sign in."""
    return f"{base_url}/reset?code={code}"


CHANGES = {
    "password": ("Your password was changed", "The password of your Webquarry account at {at} was changed."),
    "address": (
        "Your email address was changed",
        "The email address of your Webquarry account at {at} was changed.",
    ),
    "two-factor on": (
        "Two-factor authentication is on",
        "Two-factor authentication was turned on for your Webquarry account at {at}. You now need your password and a "
        "code from your authenticator app to sign in.",
    ),
    "two-factor off": (
        "Two-factor authentication is off",
        "Two-factor authentication was turned off for your Webquarry account at {at}. You now need only your password "
        "to sign in.",
    ),
    "passkey added": (
        "A passkey was added",
        "A passkey was added to your account at {at}. You can now sign in with this passkey, without your password.",
    ),
    "passkey removed": (
        "A passkey was removed",
        "A passkey was removed from your account at {at}. You can no longer use this passkey to sign in.",
    ),
    "recovery code": (
        "A recovery code was used",
        "A recovery code for your Webquarry account at {at} was used. Each code works only once. To see how "
        "many codes are left, or to generate new codes, go to {at}/account/security.",
    ),
    "recovery codes": (
        "You have new recovery codes",
        "New recovery codes were generated for your Webquarry account at {at}. Your previous codes no longer work.",
    ),
}
"""Subject and first paragraph of the email about each change."""


def write_change(email: str, what: str, base_url: str) -> Email:
    """Return the email about a change to an account. `what` is a key of `CHANGES`."""
    subject, paragraph = CHANGES[what]
    text = (
        f"{paragraph.format(at=base_url)}\n\n"
        f"If you didn't do this, reset your password at {base_url}/forgot and contact your administrator.\n"
    )
    return Email(email, subject, text)


def write_low_balance(email: str, balance: int, threshold: int, base_url: str) -> Email:
    """Return the email about a balance that has fallen below its threshold, both in credits."""
    left = f"{balance:,} credit{'' if balance == 1 else 's'}"
    text = (
        f"Your Webquarry account at {base_url} has {left} left. You asked for an email when it has fewer than "
        f"{threshold:,}.\n\n"
        "Without credits, you get only cached responses. Ask your administrator for more credits.\n\n"
        f"See what your credits were used for at {base_url}/account/usage. Change or stop these emails at "
        f"{base_url}/account#low-balance.\n"
    )
    return Email(email, f"Your Webquarry account has {left} left", text)


def write_webhook_off(email: str, host: str, reason: str, base_url: str) -> Email:
    """Return the email about a webhook that was switched off. `reason` is a sentence."""
    text = (
        f"A webhook of your Webquarry account at {base_url} was switched off. It sent events to {host}. {reason}\n\n"
        "No more events are sent to this address. When the receiver works again, enable the webhook and send the "
        f"failed deliveries again. For instructions, see {base_url}/docs/webhooks.\n"
    )
    return Email(email, f"Your webhook for {host} was switched off", text)
