"""Authors of a page."""

from typing import Final

from webquarry_convert.page.head import byline
from webquarry_convert.page.head.fields import Found, clean_text, read_text_at
from webquarry_convert.page.head.places import Places
from webquarry_convert.page.head.title import make_key

MAX_AUTHORS: Final = 20
MAX_REL_AUTHORS: Final = 3
_AUTHORS = (
    "author",
    "article:author",
    "citation_author",
    "parsely-author",
    "sailthru.author",
    "dc.creator",
    "dcterms.creator",
    "byl",
    "article:author_name",
    "og:author",
    "og:article:author",
    "article_author",
    "articleauthor",
    "cxenseparse:author",
)
# article:author usually contains a profile's URL rather than a name.
_ADDRESSES = ("http://", "https://", "@", "/")


def find_authors(places: Places, spoken: str | None) -> Found:
    """Return the names as written, separated by commas. spoken: the page's language tag."""
    author = clean_text(places.description.author)
    yield "json-ld", author and byline.clean_name(author, spoken)
    for name in _AUTHORS:
        if name in places.metas:
            yield name, _read_meta_author(places, name, spoken)
    if (place := places.properties.get("author")) is not None:
        yield "itemprop", _read_name(places, _find_name_within(places, place), spoken)
    for place in places.rel_authors[:MAX_REL_AUTHORS]:
        yield "rel=author", _read_name(places, place, spoken)
    yield "byline", _read_byline(places, spoken)


def _find_name_within(places: Places, author: int) -> int:
    tree = places.tree
    within = range(author + 1, tree[author].end)
    return next((at for at in within if tree[at].attributes.get("itemprop") == "name"), author)


def _read_meta_author(places: Places, name: str, spoken: str | None) -> str | None:
    names = []
    for value in places.metas[name][:MAX_AUTHORS]:
        author = clean_text(value)
        if author is not None and not author.startswith(_ADDRESSES):
            names.append(byline.clean_name(author, spoken))
    return ", ".join(dict.fromkeys(filter(None, names)))


def _read_name(places: Places, place: int, spoken: str | None) -> str | None:
    name = clean_text(places.tree[place].attributes.get("content") or read_text_at(places, place, byline.MAX_LINE))
    if name is None or len(name) > byline.MAX_NAME_TEXT or name.startswith(_ADDRESSES):
        return None
    return byline.clean_name(name, spoken)


def _read_byline(places: Places, spoken: str | None) -> str | None:
    """Return the name nearest to the heading, if only one name is equally near."""
    for lines in places.names:
        names: dict[str, str] = {}
        labelled: dict[str, str] = {}
        for place in lines:
            line = clean_text(read_text_at(places, place, 2 * byline.MAX_LINE))
            if line and (found := byline.find_name(line, spoken)):
                (labelled if found[1] else names)[make_key(found[0])] = found[0]
        for stated_names in (labelled, names):
            if stated_names:
                return next(iter(stated_names.values())) if len(stated_names) == 1 else None
    return None
