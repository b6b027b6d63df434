import gzip
import zlib
from collections.abc import Callable
from contextlib import suppress

import pytest

from convert_support.effort import assert_linear, effort
from webquarry.extractors.web.child.sitemap import MAX_ENTRIES, MAX_INFLATED, Entry, NoListing, read_listing

URL = "https://example.com/sitemap.xml"
SITEMAPS = "http://www.sitemaps.org/schemas/sitemap/0.9"
HEAD = f'<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="{SITEMAPS}">'


def urlset(*entries: str) -> bytes:
    return (HEAD + "".join(f"<url>{entry}</url>" for entry in entries) + "</urlset>").encode()


def pages(count: int) -> bytes:
    return urlset(*(f"<loc>https://example.com/{n}</loc>" for n in range(count)))


def addresses(body: bytes) -> list[str]:
    return [entry.url for entry in read_listing(body, URL).entries]


def test_sitemap_with_dates_priorities_and_news_is_read() -> None:
    listing = read_listing(
        urlset(
            "<loc> https://example.com/a?x=1&amp;y=2 </loc><lastmod>2026-01-31T13:00:00+01:00</lastmod>"
            "<priority>0.8</priority>",
            "<loc>/b</loc><lastmod>2026-02-01</lastmod><changefreq>daily</changefreq><priority>high</priority>",
            '<loc>https://example.com/c</loc><n:news xmlns:n="http://www.google.com/schemas/sitemap-news/0.9">'
            "<n:publication><n:name>The Example</n:name></n:publication><n:title>A  rich\nharvest</n:title></n:news>"
            '<i:image xmlns:i="http://www.google.com/schemas/sitemap-image/1.1"><i:loc>https://example.com/i.png</i:loc>'
            '</i:image><x:link xmlns:x="http://www.w3.org/1999/xhtml" rel="alternate" href="https://example.com/de/c"/>',
            "<lastmod>2026-02-01</lastmod>",
        ),
        URL,
    )
    assert listing.form == "sitemap"
    assert listing.entries == [
        Entry("https://example.com/a?x=1&y=2", "2026-01-31T12:00:00Z", None, 0.8),
        Entry("https://example.com/b", "2026-02-01", None, 0.5),
        Entry("https://example.com/c", None, "A rich harvest", 0.5),
    ]
    assert (listing.is_cut, listing.fault) == (False, None)


def test_index_lists_files() -> None:
    body = f'<sitemapindex xmlns="{SITEMAPS}"><sitemap><loc>/a.xml.gz</loc></sitemap></sitemapindex>'
    listing = read_listing(body.encode(), URL)
    assert (listing.form, listing.entries) == ("index", [Entry("https://example.com/a.xml.gz")])


RSS = """<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">
<channel><title>A blog</title><link>https://example.com/</link><atom:link href="https://example.com/feed" rel="self"/>
<item><title>First &amp; best</title><atom:link href="https://example.com/other" rel="self"/>
<link><![CDATA[https://example.com/1?a=1&b=2]]></link><pubDate>Sat, 31 Jan 2026 12:00:00 GMT</pubDate>
<media:title>Not this</media:title></item><item><title>Without a link</title></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>A blog</title><link href="https://example.com/"/>
<entry><title>First</title><link rel="edit" href="https://example.com/edit/1"/><link href="/1"/>
<updated>2026-01-31T12:00:00Z</updated></entry></feed>"""
RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><link>https://example.com/</link></channel>
<item><title>First</title><link>https://example.com/1</link><dc:date>2026-01-31</dc:date></item></rdf:RDF>"""


@pytest.mark.parametrize(
    ("body", "entry"),
    [
        (RSS, Entry("https://example.com/1?a=1&b=2", "2026-01-31T12:00:00Z", "First & best")),
        (ATOM, Entry("https://example.com/1", "2026-01-31T12:00:00Z", "First")),
        (RDF, Entry("https://example.com/1", "2026-01-31", "First")),
    ],
)
def test_feed_is_read(body: str, entry: Entry) -> None:
    listing = read_listing(body.encode(), URL)
    assert (listing.form, listing.entries) == ("feed", [entry])


def test_text_has_one_address_per_line() -> None:
    text = "\nhttps://example.com/ä\r\n# a comment\nftp://example.com/x\n  https://example.com/b \n"
    listing = read_listing(text.encode("utf-8-sig"), URL)
    assert listing.form == "text"
    assert [entry.url for entry in listing.entries] == ["https://example.com/ä", "https://example.com/b"]


def test_other_encodings_are_read() -> None:
    text = f"{HEAD.replace('UTF-8', 'UTF-16')}<url><loc>https://example.com/ä</loc></url></urlset>"
    assert addresses(text.encode("utf-16")) == ["https://example.com/ä"]


def test_compressed_file_is_read_whatever_it_is_called() -> None:
    assert addresses(gzip.compress(pages(3))) == addresses(pages(3))


@pytest.mark.parametrize(
    "body", [b"", b"Not found", b"<!doctype html><html><body>No</body></html>", b"<a/>", b"\0\1\2"]
)
def test_other_files_are_not_sitemaps(body: bytes) -> None:
    with pytest.raises(NoListing):
        read_listing(body, URL)


def test_truncated_file_keeps_its_earlier_entries() -> None:
    listing = read_listing(pages(10)[:-60], URL)
    assert len(listing.entries) in range(7, 10)
    assert listing.fault is not None
    packed = gzip.compress(pages(5000))
    for damaged in (packed[: len(packed) // 2], packed[:-30] + bytes(30)):
        listing = read_listing(damaged, URL)
        assert len(listing.entries) > 1000
        assert listing.fault is not None


def test_bare_ampersands_are_repaired() -> None:
    body = urlset("<loc>https://example.com/?a=1&b=2</loc>", "<loc>https://example.com/?c=1&amp;d=2</loc>")
    assert addresses(body) == ["https://example.com/?a=1&b=2", "https://example.com/?c=1&d=2"]


def test_at_most_the_wanted_number_of_entries_is_read() -> None:
    assert not read_listing(pages(5), URL, 5).is_cut
    listing = read_listing(pages(6), URL, 5)
    assert (len(listing.entries), listing.is_cut) == (5, True)
    text = "\n".join(f"https://example.com/{n}" for n in range(MAX_ENTRIES + 1)).encode()
    for body in (pages(MAX_ENTRIES + 1), text):
        listing = read_listing(body, URL, 10**9)
        assert (len(listing.entries), listing.is_cut) == (MAX_ENTRIES, True)


BOMB = b"<!DOCTYPE urlset [" + b"".join(
    b'<!ENTITY e%d "%s">' % (n, b"&e%d;" % (n - 1) * 10 if n else b"https://example.com/") for n in range(12)
)
HOSTILE: dict[str, bytes] = {
    "entities": BOMB + b"]><urlset><url><loc>&e11;</loc></url></urlset>",
    "external entity": b'<!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/passwd">]><urlset><url><loc>&x;</loc></url></urlset>',
    "deep": b"<urlset>" + b"<url>" * 100_000,
    "one long name": b"<urlset><" + b"a" * 20_000_000,
    "one long text": HEAD.encode() + b"<url><loc>https://example.com/" + b"a" * 20_000_000,
    "one long attribute": b'<urlset x="' + b"a" * 20_000_000,
    "many attributes": b"<urlset " + b" ".join(b'a%d="1"' % n for n in range(200_000)) + b">",
    "many namespaces": b"<urlset " + b" ".join(b'xmlns:a%d="u:%d"' % (n, n) for n in range(100_000)) + b">",
    "bare ampersands": HEAD.encode() + b"&" * 5_000_000,
    "comments": HEAD.encode() + b"<!-- -->" * 500_000,
    "empty lines": b"https://example.com/\n" + b"\n" * 20_000_000,
    "zip bomb": gzip.compress(HEAD.encode() + b"<url>" + bytes(200_000_000).replace(b"\0", b" ")),
    "nested zip": gzip.compress(gzip.compress(pages(3))),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_file_takes_little_time_and_lists_no_page(name: str) -> None:
    found: list[Entry] = []

    def work() -> None:
        with suppress(NoListing):
            found.extend(read_listing(HOSTILE[name], URL).entries)

    assert effort(work) < 5
    assert [entry.url for entry in found] in ([], ["https://example.com/"])


def test_bomb_is_inflated_only_to_the_limit() -> None:
    packer = zlib.compressobj(9, wbits=31)
    packed = packer.compress(pages(10).removesuffix(b"</urlset>"))
    for _ in range(100):
        packed += packer.compress(b" " * 1_000_000)
    listing = read_listing(packed + packer.flush(), URL)
    assert (len(listing.entries), listing.is_cut) == (10, True)
    assert MAX_INFLATED < 100_000_000


GROWN: dict[str, Callable[[int], bytes]] = {
    "entries": pages,
    "damaged entries": lambda count: pages(count).replace(b"/5", b"/5?a&b"),
    "empty elements": lambda count: HEAD.encode() + b"<url/>" * (10 * count),
    "texts in pieces": lambda count: HEAD.encode() + b"<url><loc>" + b"a&amp;" * (10 * count),
    "lines": lambda count: b"https://example.com/\n" * (5 * count),
}


@pytest.mark.parametrize("name", GROWN)
def test_reading_takes_linear_time(name: str) -> None:
    def prepare(size: int) -> Callable[[], object]:
        body = GROWN[name](size)
        return lambda: read_listing(body, URL)

    assert_linear(prepare, 4000)
