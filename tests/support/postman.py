"""An SMTP server for tests that keeps the emails it receives."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult


class Postman:
    """Receives emails. refusing: SMTP replies that refuse the next ones."""

    def __init__(self) -> None:
        self.emails: list[EmailMessage] = []
        self.refusing: list[str] = []
        self.logins: list[tuple[bytes, bytes]] = []
        self.port = 0

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802  # as aiosmtpd calls it
        if self.refusing:
            return self.refusing.pop(0)
        letter = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(letter, EmailMessage)
        self.emails.append(letter)
        return "250 OK"

    def check(self, _server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any) -> AuthResult:
        self.logins.append((data.login, data.password))
        return AuthResult(success=data.password == b"secret")

    def path(self, number: int = -1) -> str:
        """Return the path of the link in an email."""
        found = re.search(r"https?://[^/\s]+(/(?:confirm|reset)\S+)", self.emails[number].get_content())
        assert found is not None
        return found[1]


@asynccontextmanager
async def running_postman(*, asks_login: bool = False) -> AsyncIterator[Postman]:
    postman = Postman()
    options: dict[str, Any] = (
        {"authenticator": postman.check, "auth_required": True, "auth_require_tls": False} if asks_login else {}
    )
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(postman, loop=loop, hostname="postman", **options), "127.0.0.1", 0)
    try:
        postman.port = server.sockets[0].getsockname()[1]
        yield postman
    finally:
        server.close()
