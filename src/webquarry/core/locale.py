"""Countries and languages in parameters."""

import re
from dataclasses import dataclass
from typing import Self

from webquarry.core.parsed_text import Codes, ParsedText

_COUNTRY_CODES = """
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC
    CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD
    GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH
    KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW
    MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC
    SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY
    UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
"""
COUNTRIES = frozenset(_COUNTRY_CODES.split())
"""ISO 3166-1 alpha-2 codes in upper case."""
_LANGUAGE_TAGS = """
    af am ar az be bg bn bs ca cs cy da de el en en-GB en-US es es-MX et eu fa fi fil fr fr-CA ga gl gu he hi hr hu hy
    id is it ja ka kk km kn ko ky lo lt lv mk ml mn mr ms my ne nl no pa pl pt pt-BR pt-PT ro ru si sk sl sq sr sv sw
    ta te th tr uk ur uz vi zh-Hans zh-Hant zu
"""
LANGUAGES = tuple(_LANGUAGE_TAGS.split())
"""Common BCP 47 tags, suggested in forms. Other tags are also accepted."""
_ALSO_CALLED = {"UK": "GB"}
_LANGUAGE = re.compile(r"([a-zA-Z]{2,3})(?:-([a-zA-Z]{4}))?(?:-([a-zA-Z]{2}|[0-9]{3}))?")


@dataclass(frozen=True, slots=True)
class CodesOf:
    """Annotation for a parameter whose text is a standard code, or begins with one."""

    codes: Codes


def _spell_country(text: str) -> str:
    code = _ALSO_CALLED.get(text.upper(), text.upper())
    if code not in COUNTRIES:
        raise ValueError
    return code.lower()


class Country(
    ParsedText,
    pattern="[A-Za-z]{2}",
    spell=_spell_country,
    called="a two-letter country code (ISO 3166-1) such as us",
):
    """A country by its ISO 3166-1 alpha-2 code in lower case. `uk` becomes `gb`."""

    codes = "country"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a country code, ignoring white space around it. Raises ValueError with a sentence if it is unknown."""
        return super().parse(text.strip())


class Language(ParsedText):
    """A language by its BCP 47 tag: `en`, `pt-BR`, `zh-Hans`. Script and region have standard capitalization."""

    __slots__ = ()
    traits = {"maxLength": 11}  # noqa: RUF012  # never modified
    codes = "language"

    @property
    def base(self) -> str:
        """The language without script and region: `pt` for `pt-BR`."""
        return self.partition("-")[0]

    @property
    def region(self) -> str | None:
        """The region in the tag, or None: `BR` for `pt-BR`."""
        match = _LANGUAGE.fullmatch(self)
        return match[3] if match else None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a language tag. Raises ValueError with a sentence if it is invalid."""
        match = _LANGUAGE.fullmatch(text.strip().replace("_", "-"))
        if match is None:
            raise ValueError("must be a language code such as en, pt-BR or zh-Hans")
        language, script, region = match.groups()
        parts = (language.lower(), script.title() if script else None, region.upper() if region else None)
        return cls("-".join(filter(None, parts)))
