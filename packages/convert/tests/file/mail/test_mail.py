import base64
import random
from email.message import EmailMessage

import pytest

from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.mail.headers import Headers, decode_words, unpack_base64
from webquarry_convert.file.mail.message import read
from webquarry_convert.file.mail.plain import read_plain
from webquarry_convert.file.text.output import write_document
from webquarry_convert.tree import Node


def mail(text: str = "Hello.\n", **fields: str) -> EmailMessage:
    made = EmailMessage()
    for name, value in {"From": "Ada <ada@example.org>", "Subject": "Figures", **fields}.items():
        made[name.replace("_", "-")] = value
    made.set_content(text)
    return made


def raw(head: str, body: str | bytes = "a\n") -> bytes:
    return f"From: a@b.example\nSubject: s\n{head}\n\n".encode() + (body.encode() if isinstance(body, str) else body)


def body_of(markdown: str) -> str:
    """Return the text after the heading and the fields."""
    return markdown.split("\n\n", 2)[2]


def plain(text: str, **parameters: str) -> str:
    page = Node("body", {}, -1)
    page.children = read_plain(text, parameters)
    return write_document(page)


def test_mail_is_written_with_subject_fields_text_and_attachments() -> None:
    made = mail("Hello Grace.\n", To="Grace <grace@example.org>", Date="Thu, 01 Jan 2026 10:00:00 +0000")
    made.add_attachment(b"x" * 1234, maintype="application", subtype="pdf", filename="Bericht für März.pdf")
    document = read(made.as_bytes())
    assert document.markdown == (
        "# Figures\n\n- From: Ada \\<ada@example.org>\n- To: Grace \\<grace@example.org>\n"
        "- Date: Thu, 01 Jan 2026 10:00:00 +0000\n\nHello Grace.\n\n## Attachments\n\n"
        "- Bericht für März.pdf (application/pdf, 1,234 bytes)\n"
    )
    assert (document.title, document.author) == ("Figures", "Ada")


def test_html_is_preferred_among_alternatives() -> None:
    made = mail("plain")
    made.add_alternative("<h2>Rich</h2><p>See <a href='https://a.example/'>this</a>.</p>", subtype="html")
    assert body_of(read(made.as_bytes()).markdown) == "## Rich\n\nSee [this](https://a.example/).\n"


def test_plain_text_is_read_if_there_is_no_html() -> None:
    made = mail("plain")
    made.add_alternative(b"BEGIN:VCALENDAR", maintype="text", subtype="calendar")
    assert body_of(read(made.as_bytes()).markdown).startswith(
        "plain\n\n## Attachments\n\n- without a name (text/calendar"
    )


EVENT = """BEGIN:VCALENDAR
METHOD:REQUEST
BEGIN:VEVENT
SUMMARY:Review\\, part 2
DTSTART;TZID=Europe/Berlin:20260915T083000
DTEND;TZID=Europe/Berlin:20260915T093000
LOCATION:Room 7
ORGANIZER;CN="Ada Byron":mailto:ada@example.org
ATTENDEE;ROLE=REQ-PARTICIPANT;CN=Grace:MAILTO:grace@example.org
ATTENDEE:mailto:alan@ex
 ample.org
DESCRIPTION:First line\\nsecond\\n\\nNew
BEGIN:VALARM
DESCRIPTION:Reminder
END:VALARM
END:VEVENT
END:VCALENDAR
"""


def test_repeated_invitation_is_read_once_and_its_file_is_listed() -> None:
    made = mail("Please come.\n")
    made.add_alternative(EVENT, subtype="calendar", params={"method": "REQUEST"})
    made.add_attachment(EVENT, subtype="calendar", filename="invite.ics")
    found = body_of(read(made.as_bytes()).markdown)
    assert found.startswith(
        "Please come.\n\n## Invitation: Review, part 2\n\n"
        "- When: 2026-09-15 08:30 (Europe/Berlin) to 2026-09-15 09:30 (Europe/Berlin)\n- Where: Room 7\n"
        "- Organizer: Ada Byron \\<ada@example.org>\n- Attendees: Grace \\<grace@example.org>, alan@example.org\n\n"
        "First line  \nsecond\n\nNew\n\n## Attachments\n\n- invite.ics (text/calendar, "
    )
    assert "Reminder" not in found


def test_status_of_an_event_is_included() -> None:
    event = "BEGIN:VCALENDAR\nMETHOD:CANCEL\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20260915\nEND:VEVENT\nEND:VCALENDAR"
    found = body_of(read(raw("Date: x\nContent-Type: text/calendar", event)).markdown)
    assert found == "## Cancelled\n\n- When: 2026-09-15\n"


def test_events_beyond_the_limit_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webquarry_convert.file.mail.invitation.MAX_EVENTS", 1)
    event = "BEGIN:VCALENDAR\n" + "BEGIN:VEVENT\nSUMMARY:a\nEND:VEVENT\n" * 3
    found = body_of(read(raw("Date: x\nContent-Type: text/calendar", event)).markdown)
    assert found == "## Invitation: a\n\nOnly the first 1 events are included.\n"


def test_hidden_html_is_removed_and_counted() -> None:
    made = EmailMessage()
    made["From"], made["Date"] = "a@b.example", "x"
    made.set_content("<div style='display:none'>preheader</div><p>Text</p>", subtype="html")
    document = read(made.as_bytes())
    assert "preheader" not in document.markdown
    assert document.warnings == ("Hidden text in the mail is omitted: 9 characters.",)


@pytest.mark.parametrize("named", ["cid:image001.png@01D", "https://a.example/x.png"])
def test_file_name_of_a_picture_is_not_its_description(named: str) -> None:
    made = mail()
    made.set_content(f'<p>a<img src="https://a.example/x.png" alt="{named}"></p>', subtype="html")
    assert body_of(read(made.as_bytes()).markdown) == "a\n"


def test_inline_pictures_are_counted() -> None:
    made = mail()
    made.add_alternative("<p>a<img src='cid:1' alt='A map'></p>", subtype="html")
    (_, rich) = made.iter_parts()
    assert isinstance(rich, EmailMessage)
    rich.add_related(b"x", maintype="image", subtype="png", cid="<1>")
    document = read(made.as_bytes())
    assert body_of(document.markdown) == "a ![A map](1)\n"
    assert document.warnings == ("Inline images are omitted: 1.",)


def test_attached_mails_are_read_up_to_a_depth() -> None:
    inner = mail("deepest", Subject="5")
    for depth in ("4", "3", "2", "1"):
        outer = mail(f"text {depth}", Subject=depth)
        outer.add_attachment(inner)
        inner = outer
    markdown = read(inner.as_bytes()).markdown
    assert [line for line in markdown.splitlines() if line.startswith("#")] == [
        "# 1", "## Attached mail: 2", "### Attached mail: 3", "#### Attached mail: 4", "##### Attachments",
    ]  # fmt: skip
    assert "deepest" not in markdown


@pytest.mark.parametrize(
    "head",
    [
        "Content-Type: application/pkcs7-mime; smime-type=enveloped-data",
        "Content-Type: multipart/encrypted; boundary=b",
    ],
)
def test_encrypted_mail_is_rejected(head: str) -> None:
    with pytest.raises(ConversionFailed) as caught:
        read(raw(head))
    assert caught.value.reason == "encrypted"


def test_text_parts_are_decoded() -> None:
    packed = raw(
        "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable", "K=F6ln=\n!\n"
    )
    assert body_of(read(packed).markdown) == "Köln!\n"
    packed = raw("Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: BASE64", "S8O2bG4\n")
    assert body_of(read(packed).markdown) == "Köln\n"


def test_text_in_dos_code_pages_is_read() -> None:
    head = "Date: x\nContent-Type: text/plain; charset=cp-850\nContent-Transfer-Encoding: 8bit"
    assert body_of(read(raw(head, "Größe".encode("cp850"))).markdown) == "Größe\n"


def test_truncated_mail_gives_the_available_content() -> None:
    body = raw(
        'Content-Type: multipart/mixed; boundary="b"', "preamble\n--b\n\nfirst\n--b\nContent-Type: text/html\n\n<p>sec"
    )
    assert body_of(read(body).markdown) == "first\n\nsec\n"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_all_kinds_of_line_ends_are_read(end: str) -> None:
    body = raw("Content-Type: multipart/mixed; boundary=b", "--b\n\nfirst\n\nsecond\n--b--\n")
    markdown = read(body.replace(b"\n", end.encode())).markdown
    assert markdown == "# s\n\n- From: a@b.example\n\nfirst\n\nsecond\n"


def test_lines_beyond_the_limit_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webquarry_convert.file.mail.plain.MAX_LINES", 10)
    with pytest.raises(ConversionFailed) as caught:
        read(raw("To: b", "a\n" * 20))
    assert caught.value.reason == "limits"


def test_prefix_of_a_boundary_does_not_end_a_part() -> None:
    body = raw("Content-Type: multipart/mixed; boundary=b", "--b\n\nfirst\n--bb\nsame\n--b--\nafter\n")
    assert body_of(read(body).markdown) == "first  \n--bb  \nsame\n"


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("=?utf-8?q?K=C3=B6ln?= am Rhein", "Köln am Rhein"),
        ("=?utf-8?B?S8M=?= =?utf-8?B?tmxu?=", "Köln"),
        ("=?iso-8859-1?Q?K=F6?=\n =?utf-8?q?ln?=", "Köln"),
        ("=?nonsense?q?a_b?=", "a b"),
        ("=?utf-8?q?unended", "=?utf-8?q?unended"),
        ("a =?utf-8?q?b?= c", "a b c"),
    ],
)
def test_encoded_words_are_decoded(written: str, read_as: str) -> None:
    assert decode_words(written) == read_as


def test_split_and_encoded_parameters_are_read() -> None:
    headers = Headers(
        b"Content-Disposition: attachment; filename*0*=iso-8859-1'de'Bericht%20f; filename*1*=%FCr;\n"
        b' filename*2=".pdf"\n'
        b'Content-Type: TEXT/Plain; name="a \\"b\\" c"; charset = utf-8\n'
    )
    assert headers.read_structured("content-disposition") == ("attachment", {"filename": "Bericht für.pdf"})
    assert headers.read_structured("content-type") == ("text/plain", {"name": 'a "b" c', "charset": "utf-8"})


def test_base64_of_any_length_is_decoded() -> None:
    assert [unpack_base64(b"S8O2bG4="[:end]) for end in range(5)] == [b"", b"", b"K", b"K\xc3", b"K\xc3\xb6"]
    assert unpack_base64(b"S8\n O2-b_G4=") == "Köln".encode()


def test_only_lines_wrapped_at_a_width_are_joined() -> None:
    text = (
        "This line was broken by a program at a width of about sixty\ncharacters, and goes on.\nAnn\nTel: 12\n\nNext\n"
    )
    assert plain(text) == (
        "This line was broken by a program at a width of about sixty characters, and goes on.  \n"
        "Ann  \nTel: 12\n\nNext\n"
    )


def test_aligned_columns_of_plain_text_are_kept() -> None:
    table = "Item      Qty   Price\nChair       4   99.00\nDesk        1  199.00"
    assert plain(f"Dear Ada,\n\n{table}\n") == f"Dear Ada,\n\n```\n{table}\n```\n"
    quoted = "> " + table.replace("\n", "\n> ")
    assert plain(quoted) == "> ```\n" + quoted + "\n> ```\n"


@pytest.mark.parametrize("text", ["One sentence.  Two.\nThree words.  Four.\n", "a   b\nc d\n", "abc  d\ne   fgh\n"])
def test_wide_gaps_without_alignment_do_not_form_columns(text: str) -> None:
    assert "```" not in plain(text)


def test_lines_with_bullets_or_consecutive_numbers_become_lists() -> None:
    assert plain("Bring:\n- one\n  more of it\n  - inner\n- two\n\n- three\n\nEnd\n") == (
        "Bring:\n\n- one more of it\n  - inner\n- two\n- three\n\nEnd\n"
    )
    assert plain("3) a\n4) b\n") == "3. a\n4. b\n"
    assert (
        plain("12. September\nat noon\n- - -\n-- \nAda\n") == "12\\. September  \nat noon  \n\\- - -  \n\\--  \nAda\n"
    )


def test_flowed_lines_are_joined_according_to_their_format() -> None:
    assert plain("a \nb\nc\n", format="flowed") == "a b  \nc\n"
    assert plain("a \nb\n", format="flowed", delsp="yes") == "ab\n"


def test_nested_quotes_are_kept() -> None:
    assert plain("a\n> b\n>> c\nd\n") == "a\n\n> b\n>\n> > c\n\nd\n"


def test_parts_beyond_the_limit_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webquarry_convert.file.mail.parts.MAX_PARTS", 10)
    with pytest.raises(ConversionFailed) as caught:
        read(raw("Content-Type: multipart/mixed; boundary=b", "--b\n\na\n" * 20))
    assert caught.value.reason == "limits"


def test_damaged_mails_give_a_document_or_a_clear_error() -> None:
    made = mail("Hello.\n\n> quoted\n", To="=?utf-8?q?K=C3=B6ln?= <b@c.example>")
    made.add_alternative("<p>Hello</p>", subtype="html")
    made.add_attachment(b"x" * 50, maintype="application", subtype="pdf", filename="ä.pdf")
    made.add_attachment(mail("inner"))
    whole = made.as_bytes()
    chance = random.Random(9)
    for _ in range(400):
        damaged = bytearray(whole)
        at = chance.randrange(len(damaged))
        match chance.randrange(3):
            case 0:
                del damaged[at : at + chance.randint(1, 40)]
            case 1:
                damaged[at:at] = damaged[at : at + chance.randint(1, 80)]
            case _:
                damaged[at] = chance.randrange(256)
        try:
            read(bytes(damaged))
        except ConversionFailed as failed:
            assert failed.reason in ("limits", "encrypted")  # noqa: PT017


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_mails_stored_in_utf_16_keep_subject_and_text(codec: str, end: str) -> None:
    text = "From: a@b.example\nSubject: Grüße\nContent-Type: text/plain; charset=iso-8859-1\n\nKöln, 春\n"
    markdown = read(text.replace("\n", end).encode(codec)).markdown
    assert markdown == "# Grüße\n\n- From: a@b.example\n\nKöln, 春\n"


def test_encoded_parts_of_mails_stored_in_utf_16_use_their_declared_charset() -> None:
    head = "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable"
    assert body_of(read(raw(head, "K=F6ln\n").decode().encode("utf-16")).markdown) == "Köln\n"


@pytest.mark.parametrize("label", ["utf-16", '"UTF-16"', "unicode", "utf16", "UCS-2"])
@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("form", ["8bit", "base64", "quoted-printable"])
def test_utf_16_text_is_read_in_either_byte_order(label: str, codec: str, form: str) -> None:
    packed = "Grüße, мир\n".encode(codec)
    if form == "base64":
        packed = base64.encodebytes(packed)
    elif form == "quoted-printable":
        packed = "".join(f"={byte:02X}" for byte in packed).encode()
    head = f"Content-Type: text/plain; charset={label}\nContent-Transfer-Encoding: {form}"
    assert body_of(read(raw(head, packed)).markdown) == "Grüße, мир\n"


ENVELOPE = "From 1275@xxx Wed Jul 16 06:24:10 +0000 2008\n"


@pytest.mark.parametrize(
    "before",
    [ENVELOPE, "\n" + ENVELOPE, "\ufeff" + ENVELOPE, "From - Wed Jul 16 06:24:10 2008\n", ENVELOPE + ">" + ENVELOPE],
)
def test_from_line_of_a_mailbox_is_not_a_header_field(before: str) -> None:
    markdown = read(before.encode() + raw("To: b")).markdown
    assert markdown == "# s\n\n- From: a@b.example\n- To: b\n\na\n"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_mails_of_a_mailbox_are_written_one_after_the_other(end: str) -> None:
    first = f"{ENVELOPE}From: a@b.example\nSubject: one\n\n>From here on.\n\nFrom now on at 10:00\nTo: less.\n"
    second = "From b@c.example Thu Jul 17 06:24 2008\nSubject: two\n\nMore.\n"
    document = read(f"{first}\n{second}".replace("\n", end).encode())
    assert document.markdown == (
        "# one\n\n- From: a@b.example\n\nFrom here on.\n\nFrom now on at 10:00  \nTo: less.\n\n# two\n\nMore.\n"
    )
    assert (document.title, document.author) == (None, None)


def test_single_mail_is_not_split_at_from_lines() -> None:
    quoted = f"I got this:\n\n{ENVELOPE}Subject: s\n\n>From x\n"
    assert "From 1275@xxx" in read(raw("To: b", quoted)).markdown


def test_date_of_a_mail_saved_as_text_is_kept() -> None:
    assert "- Sent: Friday" in read(raw("Sent:\tFriday")).markdown
