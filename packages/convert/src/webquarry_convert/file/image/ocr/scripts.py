"""Chooses a Tesseract language by a page's script, and for Latin script by the most common words."""

import re
from collections.abc import Mapping

ENGLISH = "eng"
BY_SCRIPT: Mapping[str, tuple[str, ...]] = {
    "Latin": (ENGLISH,),
    "Korean": ("kor",),
    "Hangul": ("kor",),
    "Arabic": ("ara", "fas", "urd"),
    "Hebrew": ("heb",),
    "Cyrillic": ("rus", "ukr", "bul"),
    "Greek": ("ell",),
    "Devanagari": ("hin",),
    "Thai": ("tha",),
    "Bengali": ("ben",),
    "Tamil": ("tam",),
    "Telugu": ("tel",),
    "Han": ("chi_sim", "chi_tra"),
    "Japanese": ("jpn",),
}
"""Tesseract's names of scripts, each with the languages written in it, most common first."""
IDEOGRAPHIC = frozenset({"Han", "Japanese"})

# Words that occur on every page of prose. They have no accented letters, so OCR with the English model reads them
# correctly.
_COMMON: Mapping[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        ENGLISH: "the of and to in is that for it with as on be by this are was from",
        "deu": "der die und das ist nicht mit den von ein eine zu auf dem im des werden sich auch",
        "fra": "le la les des et est une dans pour que qui sur par du au pas avec sont ce",
        "spa": "el la los las de que y en un una por con del se para es al como",
        "ita": "il di che la e della per un una con sono gli del non nel le dei",
        "por": "o os da do que em um uma para com dos das se na no por mais",
        "nld": "de het een van en in is op te dat voor met zijn aan niet er",
        "swe": "och att det som en av den till med inte om ett har jag var",
        "dan": "og at det som en af den til med er ikke de et har der",
        "nor": "og det som en av den til med er ikke et har jeg var fra",
        "fin": "ja on ei se oli ovat kun niin mutta joka sen tai myös",
        "pol": "w z na i nie do jest od po przez oraz jako dla o to",
        "ces": "a na v je se z do ale jako pro by to od za nebo",
        "hun": "a az egy hogy nem is meg van ezt volt csak de ha",
        "ron": "de la in si cu un o pe din nu este care sau prin mai",
        "tur": "ve bir bu ile da de olarak daha gibi ne olan",
        "vie": "trong theo cho khi hai anh ra qua hay cao ban ngay xin minh",
    }.items()
}
_FEWEST = 5  # minimum number of common words for recognizing a language
_MARGIN = 1.3  # minimum ratio between the numbers of common words in the language and in English


def guess_language(text: str) -> str:
    """Return the language of a text in Latin script that the English model read, or English if it is unclear."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    hits = {language: sum(word in common for word in words) for language, common in _COMMON.items()}
    best = max(hits, key=lambda language: hits[language])
    return best if hits[best] >= _FEWEST and hits[best] > _MARGIN * hits[ENGLISH] else ENGLISH
