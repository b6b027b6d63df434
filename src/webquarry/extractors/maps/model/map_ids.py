"""The two IDs of a place on the map: `cid`, and `fid`, whose second half is the cid in hexadecimal.

Both are unsigned 64-bit numbers. A cid is a string in JSON, because parsers that only have floats would round it.
"""

import re

from webquarry.core.parsed_text import ParsedText

_MAX = 2**64 - 1
_FID_IN_TEXT = re.compile(rb"0x([0-9a-f]{1,16})(?::|%3A|\\u003[aA])0x([0-9a-f]{1,16})(?![0-9a-f])", re.IGNORECASE)


def _spell_cid(text: str) -> str:
    number = int(text)
    if not 0 < number <= _MAX:
        raise ValueError
    return str(number)


def _spell_fid(text: str) -> str:
    first, second = text.lower().split(":")
    if not int(second, 16):
        raise ValueError
    return _write_fid(first, second)


class Cid(ParsedText, pattern="[0-9]{1,20}", spell=_spell_cid, called=f"a number from 1 to {_MAX}, digits only"):
    """A place's decimal ID without leading zeros: `16519582940102929223`."""

    @property
    def alone(self) -> "Fid":
        """A fid with this cid and an unknown first half."""
        return Fid(f"0x0:{int(self):#x}")


class Fid(
    ParsedText,
    pattern="0[xX][0-9a-fA-F]{1,16}:0[xX][0-9a-fA-F]{1,16}",
    spell=_spell_fid,
    called="of the form 0x<hex>:0x<hex>, with at most 16 digits in each half",
):
    """A place's ID of two hexadecimal numbers in lower case without leading zeros.

    Example: `0x14e732fd76f0d90d:0xe5415928d6702b47`. A fid whose second half is 0 is invalid.
    """

    @property
    def cid(self) -> Cid:
        return Cid(int(self.partition(":")[2], 16))


def fid_among(text: bytes, cid: Cid) -> Fid | None:
    """Return the first fid in a page or a URL that belongs to `cid`.

    The colon may be percent-encoded or escaped.
    """
    for first, second in _FID_IN_TEXT.findall(text):
        if int(second, 16) == int(cid):
            return Fid(_write_fid(first.decode(), second.decode()))
    return None


def _write_fid(first: str, second: str) -> str:
    return f"{int(first, 16):#x}:{int(second, 16):#x}"
