"""Email addresses that scripts would decode are written in decoded form."""

from codecs import encode

import pytest

from webquarry_convert.page import to_markdown

ADDRESS = "ann@desk.example"
LINK = f"[{ADDRESS}](mailto:{ADDRESS})"


def convert(html: str) -> str:
    text = "The desk reads all letters on the day they come and answers them in the order of their dates."
    return to_markdown(f"<title>Desk</title><main><h1>Desk</h1><p>{text}</p><p>Write to {html} today.</p></main>")


def protect(text: str, key: int = 0x7A) -> str:
    return bytes([key, *(byte ^ key for byte in text.encode())]).hex()


def shift(text: str, places: int) -> str:
    """Return a text in the form in which TYPO3 obfuscates it.

    places: number of places by which letters are shifted.
    """
    return "".join("+" if char == ":" else chr(ord(char) + places) for char in text)


@pytest.mark.parametrize(
    ("html", "shown"),
    {
        "Cloudflare": (
            f"<a href=/cdn-cgi/l/email-protection data-cfemail={protect(ADDRESS)}>[email protected]</a>",
            LINK,
        ),
        "Cloudflare, not a link": (f"<span data-cfemail={protect(ADDRESS)}>[email protected]</span>", ADDRESS),
        "Cloudflare, not an address": (
            f"<a data-cfemail={protect('pkg@1')} href=/cdn-cgi/l/email-protection>x</a>",
            "pkg@1",
        ),
        "Cloudflare, with a label": (
            f"<a href='/cdn-cgi/l/email-protection#{protect(ADDRESS)}'>Ann</a>",
            f"[Ann](mailto:{ADDRESS})",
        ),
        "TYPO3": (
            f"<a href=# data-mailto-token='{shift('mailto:' + ADDRESS, 1)}' data-mailto-vector=1>Ann</a>",
            f"[Ann](mailto:{ADDRESS})",
        ),
        "TYPO3, as a program": (
            f"<a href=\"javascript:linkTo_UnCryptMailto('{shift('mailto:' + ADDRESS, 1)}');\">Ann</a>",
            f"[Ann](mailto:{ADDRESS})",
        ),
        "WordPress": (
            f"<a href=javascript:; data-enc-email='{encode('ann[at]desk.example', 'rot13')}'>Ann</a>",
            f"[Ann](mailto:{ADDRESS})",
        ),
        "parts in attributes": ("<a href=# data-user=ann data-domain=desk.example></a>", LINK),
        "reversed": ("<span style='unicode-bidi: bidi-override; direction: rtl'>elpmaxe.ksed@nna</span>", ADDRESS),
        "invalid": ("<a href=/a data-cfemail=zz>Ann</a>", "[Ann](/a)"),
        "other data": ("<a href=/a data-name=Ann data-domain=Desk>Ann</a>", "[Ann](/a)"),
    }.values(),
)
def test_obfuscated_address_is_decoded(html: str, shown: str) -> None:
    assert f"Write to {shown} today." in convert(html)
