"""A site on loopback with every kind of trap for a crawl.

Its pages are the home page, `sections` sections, `pages` pages in each, and one page that only a sitemap names. All
pages have the same menu and footer. All other URLs lead back to these pages, or nowhere:

- links with fragments, dot segments, session ids and campaign parameters
- a calendar without end, filters without end, and paths that repeat
- redirects to a page, and a redirect to itself
- soft 404s, copies for printing, and pages that robots.txt disallows
- a page that refuses the first request with 429
- sitemaps in an index of indexes, compressed, and with entities
"""

import asyncio
import gzip
import random
import re
import time
from collections import Counter
from hashlib import sha256
from urllib.parse import urlsplit

from support.origin import Asked, Origin, answer

WORDS = (
    *("bread", "flour", "water", "salt", "oven", "crust", "crumb", "rye", "wheat", "yeast", "dough", "loaf", "bake"),
    *("slice", "butter", "knife", "table", "morning", "winter", "mill", "stone", "sieve", "grain", "field", "harvest"),
)
REPEATED = "The letter of the mill"
"""Words of a section that all pages have within their content."""
_HTML = {"Content-Type": "text/html; charset=utf-8"}
_XML = {"Content-Type": "application/xml"}
_PAGE = re.compile(r"/s(\d+)/(?:p(\d+))?$")
_BOMB = b'<!DOCTYPE x [<!ENTITY a "%s"><!ENTITY b "%s">]><urlset><url><loc>&b;</loc></url></urlset>' % (
    b"x" * 1000,
    b"&a;" * 1000,
)


class MadeSite(Origin):
    """The site described in the module. `changed` are the paths of pages with another text, and `gone` are the paths of
    pages that are 404.

    One of `trapped_every` pages leads to traps. `delay_s` is the Crawl-delay of robots.txt. `visits` are the paths and
    times of all requests. Pages have an ETag, and `unchanged` are the paths that were answered with 304. A `careless`
    site says so whatever the request names. `moved` are other targets of old addresses, by path.
    """

    def __init__(
        self,
        sections: int = 4,
        pages: int = 10,
        *,
        delay_s: float = 0.0,
        trapped_every: int = 1,
        host: str = "127.0.0.1",
    ) -> None:
        super().__init__(host)
        self.trapped_every = trapped_every
        self.sections = sections
        self.pages = pages
        self.delay_s = delay_s
        self.changed: set[str] = set()
        self.gone: set[str] = set()
        self.unchanged: list[str] = []
        self.careless = False
        self.moved: dict[str, str] = {}
        self.visits: list[tuple[float, str]] = []
        self.latency_s = 0.0

    @property
    def addresses(self) -> set[str]:
        """All pages that a crawl has to find."""
        paths = ["/", "/orphan", *(f"/s{s}/" for s in range(self.sections))]
        paths += [f"/s{s}/p{p}" for s in range(self.sections) for p in range(self.pages)]
        return {self.url(path) for path in paths}

    def path(self, url: str) -> str:
        return url.removeprefix(self.url(""))

    @property
    def counts(self) -> Counter[str]:
        """Number of requests by path and query."""
        return Counter(target for _, target in self.visits)

    async def _tell(self, asked: Asked, writer: asyncio.StreamWriter) -> None:
        self.visits.append((time.monotonic(), asked.target))
        if self.latency_s:
            await asyncio.sleep(self.latency_s)
        writer.write(self._answer(asked))
        await writer.drain()

    def _answer(self, asked: Asked) -> bytes:
        path = urlsplit(asked.target).path
        if path in self.gone:
            return answer(404)
        special = self._answer_file(path) or self._answer_trap(path, asked.target)
        if special is not None:
            return special
        if path in ("/", "/orphan") or self._is_page(path):
            if path == "/s1/p1" and self.counts[asked.target] == 1:
                return answer(429, headers={"Retry-After": "1"})
            return self._answer_page(path, asked.headers.get("if-none-match"))
        return answer(404)

    def _answer_page(self, path: str, known: str | None) -> bytes:
        body = self._write_page(path).encode()
        tag = f'"{sha256(body).hexdigest()[:16]}"'
        if known == tag or (known and self.careless):
            self.unchanged.append(path)
            return answer(304, headers={"ETag": tag}, length=len(body))
        return answer(200, body, {**_HTML, "ETag": tag})

    def _is_page(self, path: str) -> bool:
        found = _PAGE.match(path)
        return found is not None and int(found[1]) < self.sections and int(found[2] or 0) < self.pages

    def _answer_file(self, path: str) -> bytes | None:
        """Answer robots.txt and sitemaps."""
        if path == "/robots.txt":
            delay = f"Crawl-delay: {self.delay_s}\n" if self.delay_s else ""
            text = f"Sitemap: {self.url('/sitemap.xml')}\nUser-agent: *\n{delay}Disallow: /private/\n"
            return answer(200, text.encode(), {"Content-Type": "text/plain"})
        indexes = {"/sitemap.xml": ("a.xml.gz", "more.xml", "bomb.xml"), "/maps/more.xml": ("orphan.xml", "more.xml")}
        if path in indexes:
            return answer(200, _write_index([self.url(f"/maps/{name}") for name in indexes[path]]), _XML)
        if path == "/maps/a.xml.gz":
            listed = sorted(self.addresses)[::2]
            return answer(200, gzip.compress(_write_sitemap(listed)), {"Content-Type": "application/octet-stream"})
        if path == "/maps/orphan.xml":
            return answer(200, _write_sitemap([self.url("/orphan"), "https://elsewhere.example/a"]), _XML)
        return answer(200, _BOMB, _XML) if path == "/maps/bomb.xml" else None

    def _answer_trap(self, path: str, target: str) -> bytes | None:
        first = path.split("/")[1]
        if first == "calendar":
            year, month = (int(part) for part in path.split("/")[2:4])
            later = f"/calendar/{year + month // 12}/{month % 12 + 1:02}"
            return answer(200, f"<p>Events of {year}-{month:02}.</p><a href='{later}'>Next</a>".encode(), _HTML)
        if first == "list":
            number = int(target.rpartition("=")[2])
            links = "".join(f"<a href='/list?filter={number * 3 + n}'>{n}</a>" for n in range(1, 4))
            return answer(200, f"<p>List number {number}.</p>{links}".encode(), _HTML)
        if first == "deeper":
            return answer(200, f"<p>Depth {path.count('/')}.</p><a href='deeper/'>Deeper</a>".encode(), _HTML)
        if first == "loop":
            return answer(302, headers={"Location": "/loop"})
        if first == "old":
            target = path.removeprefix("/old")
            return answer(301, headers={"Location": self.moved.get(target, target)})
        if first == "missing":
            return answer(200, b"<h1>Not found</h1><p>Sorry, the page that you wanted is not here any more.</p>", _HTML)
        if first == "print":
            return answer(200, self._write_page(path.removeprefix("/print")).encode(), _HTML)
        return answer(200, b"<p>This is private.</p>", _HTML) if first == "private" else None

    def _write_page(self, path: str) -> str:
        chance = random.Random(f"{path} {path in self.changed}")
        paragraphs = "".join(f"<p>{' '.join(chance.choices(WORDS, k=40))}.</p>" for _ in range(4))
        menu = "".join(f"<a href='/s{s}/'>Section {s}</a> " for s in range(self.sections))
        return (
            f"<!doctype html><html lang=en><title>Page {path}</title><nav><a href='/'>Home</a> {menu}</nav>"
            f"<main><h1>Page {path}</h1>{paragraphs}<ul>{self._write_links(path)}</ul>"
            f"<section><h2>{REPEATED}</h2><p>{REPEATED} is written once a month by two bakers.</p></section></main>"
            "<footer>© 2026 The made site. All rights reserved.</footer></html>"
        )

    def _write_links(self, path: str) -> str:
        found = _PAGE.match(path)
        links = []
        if found and not found[2]:
            links += [f"/s{found[1]}/p{p}" for p in range(self.pages)]
        elif found:
            s, p = int(found[1]), int(found[2])
            following = f"p{(p + 1) % self.pages}"
            links += [f"{following}#top", f"../s{s}/./{following}", f"{following}?utm_source=made"]
            links += [f"{following};jsessionid=AB12CD34", f"{following}?PHPSESSID=0123456789abcdef0123"]
            if p % self.trapped_every == 0:
                links += [f"/old{path}", f"/print{path}", f"/missing/{s}/{p}", f"/private/{p}"]
        else:
            links += [
                "/calendar/2026/11",
                "/list?filter=0",
                "/deeper/",
                "/loop",
                "/files/a.zip",
                "mailto:a@example.com",
            ]
        return "".join(f"<li><a href='{link}'>{link}</a></li>" for link in links)


def _write_sitemap(addresses: list[str]) -> bytes:
    entries = "".join(f"<url><loc>{address}</loc></url>" for address in addresses)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'.encode()


def _write_index(addresses: list[str]) -> bytes:
    entries = "".join(f"<sitemap><loc>{address}</loc></sitemap>" for address in addresses)
    return f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</sitemapindex>'.encode()
