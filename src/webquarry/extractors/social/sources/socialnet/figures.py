"""Counts in a page's description, in any language: "1,2 Mio. Follower · 25 waren hier"."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from webquarry.read.fields import to_counted

Kind = Literal["were_here", "talking_about", "followers", "likes"]
_SPELLED: Final[Mapping[Kind, str]] = {
    "were_here": """were here
        |was here|waren hier|estuvieron aquí|estado aquí|étaient ici|été ici|stati qui|state qui
        |estiveram aqui|были здесь|было здесь|побывал|były tutaj|było tutaj|było tu|tu by|buradaydı
        |var här|var her|di sini
        |ở đây|เคยมาที่นี่|チェックイン|방문|来过|來過|كانوا هنا|היו כאן""",
    "talking_about": """talking about|sprechen dar|hablan de esto|hablando de esto|en parlent|parlano|falando sobre
        |falam sobre|falam disto|praten hierover|praten over|обсужда|говорят об|mówi o tym|mówią o tym|konuşuyor
        |pratar om|taler om|snakker om|membicarakan|nói về|พูดถึง|話題|이야기|谈论|談論|يتحدث|מדברים""",
    "followers": """follower|people follow|seguidor|siguen|abonné|suivent|seguono|folgen|abonnent|подписчик|підписник
        |читач|obserwuj|takipçi|volger|följare|følger|seuraaj|pengikut|theo dõi|ผู้ติดตาม|フォロワー|フォロー|팔로
        |粉丝|粉絲|追蹤|追踪|关注者|متابع|עוקב|sledujíc|követő|urmăritor|ακόλουθ|फ़ॉलोअर""",
    "likes": """like|gefällt|me gusta|les gusta|j'aime|mention|piace|curtida|curtiram|gosto
        |vind-ik-leuk|vinden dit leuk|нравится|вподоба|lubi|polubi|beğen|gilla|synes godt om|liker|tykkä|suka|thích
        |ถูกใจ|いいね|좋아|次赞|个赞|讚|إعجاب|לייק|líbí|kedvel|apreci|αρέσει|पसंद""",
}
WORDS: Final[Mapping[Kind, tuple[str, ...]]] = {
    kind: tuple(word.strip() for word in words.split("|")) for kind, words in _SPELLED.items()
}
_NUMBER: Final = re.compile(r"\d{1,20}(?:[.,'\u2019\u00a0\u2009\u202f ]\d{1,20}){0,8}")
_PART: Final = re.compile(r"\s[·•]\s")
_DIGIT: Final = re.compile(r"\d")
_QUOTE: Final = re.compile('["„“”«»「」]')
"""Quotation mark before a word that names what is counted.

Such a word is never a unit, even if it begins like a unit ("Mi piace").
"""
MAX_BEFORE: Final = 100
"""Maximum number of characters between the name and the first count. This text is the page's location."""
_NEAR: Final = 45
_BEHIND: Final = 30
MAX_PARTS: Final = 6


@dataclass(frozen=True, slots=True)
class Figure:
    """A count as displayed. rounded: whether it was written with a word for thousands or millions."""

    count: int
    rounded: bool


def find_figures(description: str, name: str) -> dict[Kind, Figure]:
    """Return the counts in a page's description.

    They follow the name and location, and are separated by middle dots. The page's own text comes after them and is not
    read. The result has followers or likes, not both, because the network shows only one.
    """
    found: dict[Kind, Figure] = {}
    for index, part in enumerate(_PART.split(description.removeprefix(name)[:2000])[:MAX_PARTS]):
        read = _read_figure(part, MAX_BEFORE if index == 0 else _BEHIND)
        if read is None:
            if index:
                break
            continue
        kind, figure = read
        if kind in found or (kind == "likes" and "followers" in found) or (kind == "followers" and "likes" in found):
            break
        found[kind] = figure
    return found


def _read_figure(part: str, reach: int) -> tuple[Kind, Figure] | None:
    """Return the first number in a part that is next to a known word, with no other number between them.

    reach: the last position at which the number may begin.
    """
    before_from = 0
    for match in _NUMBER.finditer(part[: reach + _BEHIND]):
        if match.start() > reach:
            return None
        after = _DIGIT.split(part[match.end() : match.end() + _NEAR], maxsplit=1)[0]
        before = part[max(before_from, match.start() - _BEHIND) : match.start()]
        before_from = match.end()
        after_kind = _read_kind(after)
        kind, unit = (after_kind[0], after[: after_kind[1]]) if after_kind else (None, after)
        if kind is None and (named := _read_kind(before)):
            kind = named[0]
        count = to_counted(f"{match[0]}{_QUOTE.split(unit, maxsplit=1)[0]}")
        if kind is not None and count is not None:
            digits = "".join(sign for sign in match[0] if sign.isdecimal())
            return kind, Figure(count, rounded=int(digits) != count)
    return None


def _read_kind(text: str) -> tuple[Kind, int] | None:
    """Return the kind of the first known word in a text, and its position."""
    folded = text.casefold().replace("\u2019", "'")
    places = [(place, kind) for kind, words in WORDS.items() for word in words if (place := folded.find(word)) >= 0]
    return (min(places)[1], min(places)[0]) if places else None
