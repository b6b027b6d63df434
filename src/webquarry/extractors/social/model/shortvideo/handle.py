"""Account names of the short-video network."""

import re
from typing import Final

from webquarry.core.parsed_text import ParsedText
from webquarry.extractors.social.model.pasted import find_address, read_bare_handle

DOMAIN: Final = "tiktok.com"
HOME_URL: Final = f"https://www.{DOMAIN}"
_HANDLE: Final = re.compile(r"(?!\.+$)[a-z0-9_.]{1,24}", re.ASCII)


def _spell(text: str) -> str:
    address = find_address(text, DOMAIN)
    named = text if address is None else next((part for part in address.segments[:2] if part.startswith("@")), "")
    handle = read_bare_handle(named).lower()
    if not _HANDLE.fullmatch(handle):
        raise ValueError
    return handle


class ShortvideoHandle(
    ParsedText,
    spell=_spell,
    called=f"a user name (1 to 24 letters, digits, _ and .) or the URL of a profile, {HOME_URL}/@name",
    example="@example",
    max_length=2048,
):
    """The name of an account, lower case, without @.

    Accepts `@Name`, or an address such as `https://m.tiktok.com/@Name/video/1?lang=en`.
    """

    __slots__ = ()

    @property
    def url(self) -> str:
        return f"{HOME_URL}/@{self}"
