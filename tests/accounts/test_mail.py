"""Emails in the form in which an SMTP server receives them."""

import socket
from collections.abc import AsyncIterator

import pytest

from support.postman import Postman, running_postman
from webquarry.accounts import mail
from webquarry.accounts.mail import Email, Mailer, MailError
from webquarry.core.settings import Settings

LETTER = Email("ada@example.com", "Grüße", "A line.\n\nAnd https://data.example/reset?code=" + "a" * 64 + "\n")


@pytest.fixture
async def postman() -> AsyncIterator[Postman]:
    async with running_postman() as postman:
        yield postman


def settings(port: int, **others: object) -> Settings:
    return Settings.model_validate({"smtp_host": "127.0.0.1", "smtp_port": port, "smtp_security": "none", **others})


async def test_an_email_arrives_unchanged(postman: Postman) -> None:
    await Mailer(settings(postman.port, mail_from="Data <data@data.example>")).send(LETTER)
    (mail,) = postman.emails
    assert (mail["To"], mail["From"], mail["Subject"]) == (LETTER.to, "Data <data@data.example>", "Grüße")
    assert mail.get_content().splitlines() == LETTER.text.splitlines()
    assert mail["Message-ID"].endswith("@data.example>")
    assert mail["Auto-Submitted"] == "auto-generated"


async def test_login_is_sent_to_a_server_that_requires_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail, "WITHIN_S", 2.0)  # after a wrong password the server of these tests does not respond
    async with running_postman(asks_login=True) as postman:
        await Mailer(settings(postman.port, smtp_user="ada", smtp_password="secret")).send(LETTER)
        assert (len(postman.emails), postman.logins) == (1, [(b"ada", b"secret")])
        with pytest.raises(MailError):
            await Mailer(settings(postman.port, smtp_user="ada", smtp_password="wrong")).send(LETTER)


async def test_email_is_sent_unencrypted_only_if_the_operator_allows_it(postman: Postman) -> None:
    for security in ("starttls", "tls"):
        with pytest.raises(MailError):
            await Mailer(settings(postman.port, smtp_security=security)).send(LETTER)
    assert postman.emails == []


@pytest.mark.parametrize("to", ["ada@example.com\r\nBcc: eve@example.com", "ada@example.com\nx: y"])
async def test_an_address_cannot_inject_a_header(postman: Postman, to: str) -> None:
    with pytest.raises(MailError):
        await Mailer(settings(postman.port)).send(Email(to, "s", "t"))
    assert postman.emails == []


async def test_an_error_names_neither_people_nor_servers(postman: Postman) -> None:
    postman.refusing.append("550 ada@example.com is unknown")
    with pytest.raises(MailError) as refused:
        await Mailer(settings(postman.port)).send(LETTER)
    assert "ada" not in str(refused.value)
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        with pytest.raises(MailError):
            await Mailer(settings(nobody.getsockname()[1])).send(LETTER)


@pytest.mark.parametrize(
    ("answer", "is_final"), [("451 later", False), ("552 too long", True), ("554 never", True), ("421 closing", False)]
)
async def test_an_error_states_whether_a_retry_can_succeed(postman: Postman, answer: str, is_final: bool) -> None:
    postman.refusing.append(answer)
    with pytest.raises(MailError) as refused:
        await Mailer(settings(postman.port)).send(LETTER)
    assert refused.value.is_final is is_final
