"""Texts, names, dates, prices and labels of one page in its language, drawn from a seed."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

LANGUAGES = ("en", "de", "fr")
_SUBJECTS: Mapping[str, Sequence[str]] = {
    "en": ("The old pump", "A wooden gate", "My neighbour", "Our workshop", "This kind of clay", "The second valve",
           "Nobody in the village", "The north wall", "A small boiler", "The new bearing", "Every spring the river"),
    "de": ("Die alte Pumpe", "Ein Holztor", "Mein Nachbar", "Unsere Werkstatt", "Dieser Ton", "Das zweite Ventil",
           "Niemand im Dorf", "Die Nordwand", "Ein kleiner Kessel", "Das neue Lager", "Jedes Frühjahr der Fluss"),
    "fr": ("La vieille pompe", "Un portail en bois", "Mon voisin", "Notre atelier", "Cette argile", "La seconde vanne",
           "Personne au village", "Le mur nord", "Une petite chaudière", "Le nouveau palier", "La rivière"),
}  # fmt: skip
_VERBS: Mapping[str, Sequence[str]] = {
    "en": ("holds", "needs", "loses", "carries", "has replaced", "survived", "never wanted", "will outlast", "feeds"),
    "de": ("hält", "braucht", "verliert", "trägt", "ersetzt", "übersteht", "mag", "überdauert", "speist"),
    "fr": ("tient", "demande", "perd", "porte", "remplace", "supporte", "garde", "dépasse", "nourrit"),
}
_OBJECTS: Mapping[str, Sequence[str]] = {
    "en": ("a litre of oil", "the copper pipe", "three winters", "more sand than lime", "the weight of the roof",
           "an honest day of work", "twelve bar of pressure", "the seed beds", "two coats of paint", "every storm"),
    "de": ("einen Liter Öl", "das Kupferrohr", "drei Winter", "mehr Sand als Kalk", "das Gewicht des Dachs",
           "einen ganzen Tag", "zwölf Bar Druck", "die Saatbeete", "zwei Anstriche", "jeden Sturm"),
    "fr": ("un litre d’huile", "le tuyau en cuivre", "trois hivers", "plus de sable que de chaux", "le poids du toit",
           "une journée entière", "douze bars de pression", "les semis", "deux couches de peinture", "chaque orage"),
}  # fmt: skip
_ENDS: Mapping[str, Sequence[str]] = {
    "en": ("since the frost came early", "when the tank runs dry", "without any help from us", "near the mill",
           "although the manual says otherwise", "before the guests arrive", "for about forty years", "at low speed"),
    "de": ("seit dem frühen Frost", "wenn der Tank leer ist", "ohne unsere Hilfe", "bei der Mühle",
           "obwohl das Handbuch anderes sagt", "bevor die Gäste kommen", "seit vierzig Jahren", "bei kleiner Drehzahl"),
    "fr": ("depuis le gel précoce", "quand la cuve est vide", "sans notre aide", "près du moulin",
           "bien que le manuel dise le contraire", "avant l’arrivée des invités", "depuis quarante ans", "à bas régime"),
}  # fmt: skip
_THINGS = ("pump", "lathe", "kiln", "loom", "hive", "boiler", "stove", "cask", "anvil", "plough", "mill", "press")
_TRAITS = ("Harlan", "Moor", "Tarn", "Ebner", "Quill", "Solway", "Brandt", "Vesper", "Lorne", "Pike", "Corvin", "Ysel")
_USERS = ("ruth_k", "old_dairy", "tove", "GrainMiller", "h.petersen", "kilnfan42", "ane", "Wet Boots", "jmoreau",
          "nils-o", "QuietLathe", "bee_keeper", "Ottoline", "M3ason", "sawdust", "perrine")  # fmt: skip
_NAMES = ("Ada Birkett", "Tomas Lindqvist", "Mairead Dunne", "Ilse Hartmann", "Pedro Silva", "Agnès Moreau",
          "Oskar Petersen", "Nadia Okafor", "Luca Novák", "Freya Ångström")  # fmt: skip
_MONTHS: Mapping[str, Sequence[str]] = {
    "en": ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December"),
    "de": ("Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
           "Dezember"),
    "fr": ("janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre",
           "novembre", "décembre"),
}  # fmt: skip
_LABELS: Mapping[str, Sequence[str]] = {
    "reply": ("Reply", "Antworten", "Répondre"), "report": ("Report", "Melden", "Signaler"),
    "like": ("Like", "Gefällt mir", "J’aime"), "share": ("Share", "Teilen", "Partager"),
    "quote": ("Quote", "Zitieren", "Citer"), "login": ("Log in", "Anmelden", "Se connecter"),
    "register": ("Register", "Registrieren", "S’inscrire"), "search": ("Search", "Suche", "Rechercher"),
    "member": ("Member", "Mitglied", "Membre"), "posts": ("Posts", "Beiträge", "Messages"),
    "joined": ("Joined", "Registriert", "Inscription"), "by": ("by", "von", "par"),
    "cart": ("Add to cart", "In den Warenkorb", "Ajouter au panier"), "price": ("Price", "Preis", "Prix"),
    "quantity": ("Quantity", "Menge", "Quantité"), "reviews": ("Reviews", "Bewertungen", "Avis"),
    "description": ("Description", "Beschreibung", "Description"), "details": ("Details", "Details", "Détails"),
    "related": ("You may also like", "Das könnte Ihnen gefallen", "Vous aimerez aussi"),
    "related_posts": ("Related articles", "Ähnliche Beiträge", "Articles similaires"),
    "weight": ("Weight", "Gewicht", "Poids"), "material": ("Material", "Material", "Matière"),
    "height": ("Height", "Höhe", "Hauteur"), "colour": ("Colour", "Farbe", "Couleur"),
    "sku": ("SKU", "Artikelnummer", "Référence"), "brand": ("Brand", "Marke", "Marque"),
    "stock": ("In stock", "Auf Lager", "En stock"), "shipping": ("Shipping", "Versand", "Livraison"),
    "comments": ("Comments", "Kommentare", "Commentaires"), "views": ("Views", "Aufrufe", "Vues"),
    "ingredients": ("Ingredients", "Zutaten", "Ingrédients"), "method": ("Method", "Zubereitung", "Préparation"),
    "next": ("Next", "Weiter", "Suivant"), "previous": ("Previous", "Zurück", "Précédent"),
    "cookies": ("We use cookies to improve your visit", "Wir verwenden Cookies für Ihren Besuch",
                "Nous utilisons des cookies pour votre visite"),
    "accept": ("Accept all", "Alle akzeptieren", "Tout accepter"),
    "reject": ("Reject", "Ablehnen", "Refuser"),
    "newsletter": ("Subscribe to our newsletter", "Newsletter abonnieren", "Abonnez-vous à la newsletter"),
    "privacy": ("Privacy policy", "Datenschutz", "Confidentialité"), "imprint": ("Imprint", "Impressum", "Mentions"),
    "home": ("Home", "Startseite", "Accueil"), "read_more": ("Read more", "Weiterlesen", "Lire la suite"),
    "popular": ("Popular", "Beliebt", "Populaire"), "hours": ("Opening hours", "Öffnungszeiten", "Horaires"),
    "phone": ("Phone", "Telefon", "Téléphone"), "address": ("Address", "Adresse", "Adresse"),
    "closed": ("Closed", "Geschlossen", "Fermé"), "answers": ("Answers", "Antworten", "Réponses"),
    "salary": ("Salary", "Gehalt", "Salaire"), "place": ("Location", "Ort", "Lieu"),
}  # fmt: skip
DAYS: Mapping[str, Sequence[str]] = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "de": ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"),
    "fr": ("Lundi", "Mardi", "Mercredi", "Jeudi", "Vendredi", "Samedi", "Dimanche"),
}


class Day(NamedTuple):
    iso: str
    text: str


class Words:
    """Random texts in unlimited number.

    Titles, users and sentences may repeat on a page, but titles and sentences often contain a unique mark, so that
    repeated texts are rarely a coincidence.
    """

    def __init__(self, draw: Random) -> None:
        self.draw = draw
        self.language = draw.choice(LANGUAGES)
        self._count = 0

    def label(self, key: str) -> str:
        return _LABELS[key][LANGUAGES.index(self.language)]

    def sentence(self) -> str:
        pick, language = self.draw.choice, self.language
        parts = [pick(_SUBJECTS[language]), pick(_VERBS[language]), pick(_OBJECTS[language])]
        if self.draw.random() < 0.7:
            parts.append(pick(_ENDS[language]))
        if self.draw.random() < 0.4:
            parts.append(f"({self.draw.randint(2, 99)} × {pick(_TRAITS)})")
        return " ".join(parts) + "."

    def paragraph(self, least: int = 2, most: int = 5) -> str:
        return " ".join(self.sentence() for _ in range(self.draw.randint(least, most)))

    def title(self) -> str:
        """Return a title that is unique on the page."""
        self._count += 1
        return f"{self.draw.choice(_TRAITS)} {self.draw.choice(_THINGS)} {self._count}{self.draw.randint(0, 9)}"

    def heading(self) -> str:
        start, end = self.draw.choice(_SUBJECTS[self.language]), self.draw.choice(_ENDS[self.language])
        self._count += 1
        return f"{start} {end}, {self._count}"

    def user(self) -> str:
        return self.draw.choice(_USERS)

    def users(self, count: int) -> list[str]:
        return self.draw.sample(_USERS, count)

    def name(self) -> str:
        return self.draw.choice(_NAMES)

    def day(self, *, hour: bool = False, month_first: bool = False) -> Day:
        year, month, day = self.draw.randint(2016, 2026), self.draw.randint(1, 12), self.draw.randint(1, 28)
        clock = f"{self.draw.randint(0, 23):02}:{self.draw.randint(0, 59):02}"
        named = _MONTHS[self.language][month - 1]
        if self.language == "de":
            text = self.draw.choice((f"{day}. {named} {year}", f"{day:02}.{month:02}.{year}"))
        elif self.language == "fr":
            text = self.draw.choice((f"{day} {named} {year}", f"{day:02}/{month:02}/{year}"))
        else:
            text = f"{named} {day}, {year}" if month_first or self.draw.random() < 0.5 else f"{day} {named[:3]} {year}"
        return Day(f"{year}-{month:02}-{day:02}T{clock}:00+00:00", f"{text}, {clock}" if hour else text)

    def price(self) -> str:
        whole, cents = self.draw.randint(3, 1999), self.draw.choice(("00", "50", "90", "95", "99"))
        if self.language == "en":
            return f"{self.draw.choice('$£')}{whole:,}.{cents}"
        grouped = f"{whole:,}".replace(",", "." if self.language == "de" else " ")
        return f"{grouped},{cents} €"
