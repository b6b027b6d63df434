"""A generated page, whose truth is recorded while it is written."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from random import Random
from typing import NamedTuple

from corpora.sites.words import Words


class Fact(NamedTuple):
    """Texts that must occur together on one line or in one table row."""

    kind: str
    pieces: Sequence[str]


class Post(NamedTuple):
    user: str
    day: str
    text: str


@dataclass
class Truth:
    content: list[str] = field(default_factory=list)
    furniture: list[str] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    posts: list[Post] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)
    rows: list[tuple[Sequence[str], Sequence[str]]] = field(default_factory=list)
    """Headers and cells of each table row."""
    headings: list[str] = field(default_factory=list)
    items: list[tuple[int, str]] = field(default_factory=list)
    """Depth, counted from 0, and text of each list item."""
    formulas: list[str] = field(default_factory=list)
    """TeX sources."""


class Page:
    """A page. The methods return the markup of the content that they record. All texts are plain."""

    def __init__(self, kind: str, draw: Random) -> None:
        self.kind = kind
        self.draw = draw
        self.words = Words(draw)
        self.truth = Truth()
        self.html = ""
        self.host = draw.choice(("harbour", "fieldnotes", "oldmill", "workbench", "northshore")) + ".example"
        self.url = f"https://{self.host}/{draw.choice(('a', 'item', 'node', 'p'))}/{draw.randint(100, 99999)}"
        self._prefix = draw.choice(("", "", "x-", "site-", "css-1q", "Mui", "tw-"))

    def classed(self, name: str) -> str:
        """Return a class attribute with the name unchanged or in the style of this page."""
        return f' class="{self._prefix}{name}"'

    def says(self, text: str) -> str:
        self.truth.content.append(text)
        return escape(text)

    def around(self, text: str) -> str:
        """Record and return text that is not content."""
        self.truth.furniture.append(text)
        return escape(text)

    def paragraphs(self, least: int = 1, most: int = 3) -> str:
        texts = [self.words.paragraph() for _ in range(self.draw.randint(least, most))]
        return "".join(f"<p>{self.says(text)}</p>" for text in texts)

    def heading(self, level: int, text: str, attributes: str = "", inside: str = "{}") -> str:
        self.truth.headings.append(text)
        return f"<h{level}{attributes}>{inside.format(self.says(text))}</h{level}>"

    def fact(self, kind: str, *pieces: str) -> None:
        self.truth.facts.append(Fact(kind, pieces))
        self.truth.content.extend(pieces)

    def post(self, user: str, day: str, text: str) -> None:
        self.truth.posts.append(Post(user, day, text))
        self.truth.content.extend((user, day, text))

    def code(self, text: str) -> str:
        self.truth.codes.append(text)
        return escape(text, quote=False)

    def table(self, heads: Sequence[str], rows: Sequence[Sequence[str]], attributes: str = "") -> str:
        """Return a plain table whose first row is its header."""
        for row in rows:
            self.row(heads, row)
        head = "".join(f"<th>{escape(cell)}</th>" for cell in heads)
        body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
        return f"<table{attributes}><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def row(self, heads: Sequence[str], cells: Sequence[str]) -> None:
        self.truth.rows.append((heads, cells))
        self.truth.content.extend(cells)

    def item(self, depth: int, text: str) -> str:
        self.truth.items.append((depth, text))
        return self.says(text)

    def formula(self, tex: str) -> str:
        self.truth.formulas.append(tex)
        return escape(tex)
