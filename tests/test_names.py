"""Field names: a value has the same name in the results of every endpoint."""

from collections.abc import Iterator

import pytest

from webquarry.api.fields import list_result_fields
from webquarry.endpoints.registry import load

AGREED = {
    # maps each agreed name to names that are avoided
    "latitude": ("lat",),
    "longitude": ("lng", "lon", "long"),
    "provider": ("engine", "backend", "answered_by"),
    "query": ("q", "search_query", "search_term"),
    "website": ("site", "site_url", "website_url", "homepage_url", "web_site"),
    "phone": ("telephone", "phone_number", "tel"),
    "postal_code": ("postcode", "zip", "zipcode", "zip_code"),
    "rating": ("stars", "score_average", "rating_average", "average_rating", "mean_rating", "rating_mean"),
    "review_count": ("reviews_count", "number_of_reviews", "review_total", "num_reviews"),
    "review_histogram": ("stars_histogram",),
    "thumbnail": ("thumb", "thumbnail_image"),
    "image": ("picture", "img", "image_link"),
    "category": ("cat",),
    "categories": ("cats",),
    "snippet": ("excerpt", "teaser"),
    "description": ("desc", "descr"),
    "author": ("by", "byline", "writer"),
    "language": ("locale", "language_code"),
    "timezone": ("tz", "time_zone"),
    "published_at": ("published", "publish_date", "published_date", "date_published", "pub_date", "publication_date"),
    "registered_at": ("registered", "registration_date"),
    "expires_at": ("expires", "expiry", "expiry_date", "expiration_date"),
    "updated_at": ("updated", "last_updated", "update_date", "last_changed"),
    "started_at": ("started", "start_date", "start_time"),
    "ended_at": ("ended", "end_date", "end_time"),
    "weekday": ("day_of_week", "weekday_number", "dow"),
    "opening_hours": ("open_hours", "operating_hours", "working_hours", "work_hours"),
    "has_more": ("more", "has_next", "has_next_page", "more_results"),
    "total_results": ("results_total", "result_count", "total_hits"),
    "word_count": ("words", "wordcount", "number_of_words"),
    "content_type": ("mime", "mime_type", "media_type"),
    "final_url": ("redirected_url", "effective_url", "resolved_url"),
    "file_name": ("filename",),
    "file_size": ("size_bytes", "filesize"),
    "warnings": ("warning", "notices", "remarks", "caveats"),
}
"""Names required by the specification or by a wire's description are kept, and not listed here."""
USED_FOR = {avoided: used for used, names in AGREED.items() for avoided in names}


def fields() -> Iterator[tuple[str, str, str]]:
    """Yield endpoint, path and type of every field of every result."""
    for extractor in load():
        for result in extractor.results.values():
            yield from ((extractor.name, row.path, row.kind) for row in list_result_fields(result))


def name_of(path: str) -> str:
    return path.rpartition(".")[2].removesuffix("[]")


def test_every_field_has_its_agreed_name() -> None:
    named = [(endpoint, path, USED_FOR.get(name_of(path))) for endpoint, path, _ in fields()]
    assert [f"{endpoint}: {path} is called {used}" for endpoint, path, used in named if used] == []


def test_no_name_is_both_used_and_avoided() -> None:
    assert AGREED.keys().isdisjoint(USED_FOR)
    assert sum(map(len, AGREED.values())) == len(USED_FOR)


@pytest.mark.parametrize("name", sorted(AGREED))
def test_agreed_names_occur_in_results(name: str) -> None:
    assert name in {name_of(path) for _, path, _ in fields()}


def test_moment_is_an_instant_or_a_day_and_is_present_next_to_its_text() -> None:
    """`…_at` never contains the source's own text; an object with `date` also has `published_at`."""
    known = {(endpoint, path): kind for endpoint, path, kind in fields()}
    assert known
    for (endpoint, path), kind in known.items():
        if name_of(path).endswith("_at") and not endpoint.startswith("markdown_"):  # there: RFC 3339 or a day, as text
            assert set(kind.split(" or ")) <= {"instant", "date", "null"}, path
        if name_of(path) == "date" and "string" in kind:
            assert (endpoint, path.removesuffix("date") + "published_at") in known, path
