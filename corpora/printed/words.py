"""Words, names, amounts and sentences drawn from a seed."""

from random import Random

NOUNS = [
    "river",
    "bridge",
    "garden",
    "market",
    "station",
    "engine",
    "harbour",
    "winter",
    "letter",
    "valley",
    "machine",
    "teacher",
    "window",
    "village",
    "forest",
    "library",
    "factory",
    "orchard",
    "railway",
    "council",
    "museum",
    "meadow",
    "kitchen",
    "island",
    "ladder",
    "cottage",
    "bakery",
    "theatre",
    "journal",
    "compass",
    "lantern",
    "basket",
    "quarry",
    "pasture",
    "turbine",
    "cellar",
    "archive",
    "canal",
]
VERBS = [
    "carries",
    "reaches",
    "follows",
    "supports",
    "replaces",
    "measures",
    "protects",
    "describes",
    "improves",
    "covers",
    "opens",
    "joins",
]
ADJECTIVES = [
    "old",
    "narrow",
    "quiet",
    "northern",
    "wooden",
    "early",
    "careful",
    "green",
    "public",
    "heavy",
    "bright",
    "steady",
    "modern",
    "local",
    "annual",
    "broad",
    "shallow",
    "distant",
    "regional",
    "simple",
]
FIRST = [
    "Ada",
    "Tomas",
    "Mairead",
    "Jonas",
    "Ilse",
    "Pedro",
    "Nadia",
    "Oskar",
    "Freya",
    "Luca",
    "Zoë",
    "Björn",
    "Agnès",
    "Mihály",
]
LAST = [
    "Birkett",
    "Lindqvist",
    "Dunne",
    "Hartmann",
    "Okafor",
    "Silva",
    "Novák",
    "Petersen",
    "Moreau",
    "Fischer",
    "Kowalski",
    "Ångström",
]
STREETS = ("Mill Lane", "Rose Walk", "Quay Street", "Castle Road", "Station Approach", "Weir Close", "Church Hill")
TOWNS = ("Leeds LS1 4AP", "York YO1 7HH", "Galway H91 KF30", "Bath BA1 5EL", "Derby DE1 2QY", "Truro TR1 3AB")
FIRMS = ("Halvorsen & Pratt Ltd", "Brightwater Tools", "Northgate Supplies", "Meadow Mills", "Quarry Lane Books")
GOODS = (
    "Desk lamp, oak foot", "Filing cabinet, 3 drawers", "Office chair", "Paper, A4, 500 sheets", "Cable drum 25 m",
    "Steel shelf", "Whiteboard 90 x 120", "Label printer", "Cordless drill", "Garden hose", "Ladder, 8 steps",
    "Work gloves, size 9", "Extension lead", "Toolbox with lock", "Paint, white, 5 l", "Sanding belt",
)  # fmt: skip
COUNTRIES = [
    "Norway",
    "Portugal",
    "Austria",
    "Ireland",
    "Poland",
    "Greece",
    "Denmark",
    "Hungary",
    "Estonia",
    "Croatia",
    "Belgium",
    "Finland",
]
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
ARABIC = [
    "النهر",
    "الجسر",
    "الحديقة",
    "السوق",
    "المحطة",
    "المدينة",
    "الكتاب",
    "المدرسة",
    "القرية",
    "الشتاء",
    "قديم",
    "جديد",
    "كبير",
    "يصل",
    "بين",
]
HEBREW = ["הנהר", "הגשר", "הגן", "השוק", "התחנה", "העיר", "הספר", "הכפר", "החורף", "ישן", "חדש", "גדול", "מגיע", "בין"]


def phrase(draw: Random, least: int = 1, most: int = 3) -> str:
    """Return a few words without a verb, the first one capitalized."""
    words = [draw.choice(ADJECTIVES) for _ in range(draw.randint(least, most) - 1)] + [draw.choice(NOUNS)]
    return " ".join(words).capitalize()


def sentence(draw: Random, least: int = 2, most: int = 5) -> str:
    parts = [
        f"the {draw.choice(ADJECTIVES)} {draw.choice(NOUNS)} {draw.choice(VERBS)} the {draw.choice(NOUNS)}"
        for _ in range(draw.randint(least, most) - 1)
    ]
    text = ", and ".join(parts) + "."
    return text[0].upper() + text[1:]


def paragraph(draw: Random, least: int = 2, most: int = 5) -> str:
    return " ".join(sentence(draw) for _ in range(draw.randint(least, most)))


def name(draw: Random) -> str:
    return f"{draw.choice(FIRST)} {draw.choice(LAST)}"


def address(draw: Random) -> list[str]:
    return [name(draw), f"{draw.randint(1, 99)} {draw.choice(STREETS)}", draw.choice(TOWNS)]


def date(draw: Random) -> str:
    return f"{draw.randint(1, 28)} {draw.choice(MONTHS)} {draw.randint(2018, 2026)}"


def amount(draw: Random, most: int = 9_999) -> str:
    return f"{draw.randint(1, most) + draw.randint(0, 99) / 100:,.2f}"


def whole(draw: Random, most: int = 99_999) -> str:
    """Return a count, sometimes negative in the notation of accountants."""
    value = f"{draw.randint(1, most):,}"
    return f"({value})" if draw.random() < 0.15 else value
