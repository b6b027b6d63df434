"""Plain-text emails, sent through the operator's SMTP server."""

import asyncio
import smtplib
import ssl
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import formatdate, make_msgid

from webquarry.core.settings import Settings

WITHIN_S = 20.0


class MailError(Exception):
    """Raised when the mail server does not accept an email. The message is for the log and contains no addresses.

    `is_final` means that a retry would fail too.
    """

    def __init__(self, message: str, *, is_final: bool) -> None:
        super().__init__(message)
        self.is_final = is_final


@dataclass(frozen=True, slots=True)
class Email:
    to: str
    subject: str
    text: str


class Mailer:
    """Sends emails through the SMTP server in the settings."""

    def __init__(self, settings: Settings) -> None:
        if settings.smtp_host is None:
            raise ValueError("no SMTP server is configured")
        self._host = settings.smtp_host
        self._port = settings.smtp_port_in_use
        self._security = settings.smtp_security
        self._user, self._password = settings.smtp_user, settings.smtp_password
        self._sender = settings.mail_from

    async def send(self, mail: Email) -> None:
        """Send the email in a thread. Raises MailError if it is not accepted."""
        try:
            await asyncio.to_thread(self._send, mail)
        except (OSError, smtplib.SMTPException, ValueError) as exc:
            raise MailError(type(exc).__name__, is_final=_is_final(exc)) from exc

    def _send(self, mail: Email) -> None:
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self._sender, mail.to, mail.subject
        message["Date"] = formatdate(localtime=False)
        message["Message-ID"] = make_msgid(domain=self._sender.rpartition("@")[2].rstrip(">") or "localhost")
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(mail.text)
        with self._connect() as server:
            if self._user is not None:
                server.login(self._user, self._password or "")
            server.send_message(message)

    def _connect(self) -> smtplib.SMTP:
        if self._security == "tls":
            return smtplib.SMTP_SSL(self._host, self._port, timeout=WITHIN_S, context=ssl.create_default_context())
        server = smtplib.SMTP(self._host, self._port, timeout=WITHIN_S)
        if self._security == "starttls":
            try:
                server.starttls(context=ssl.create_default_context())
            except BaseException:
                server.close()
                raise
        return server


def _is_final(error: Exception) -> bool:
    """Return whether the server refused permanently (a code of 500 or above, RFC 5321), or the email is invalid."""
    match error:
        case smtplib.SMTPRecipientsRefused():
            return all(code >= 500 for code, _ in error.recipients.values())
        case smtplib.SMTPResponseException():
            return error.smtp_code >= 500
        case _:
            return isinstance(error, ValueError | smtplib.SMTPNotSupportedError)
