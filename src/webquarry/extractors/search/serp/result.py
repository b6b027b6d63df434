"""The answer of a search, and what one page of a source gives of it."""

import datetime as dt
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field

from webquarry.core.locale import Country, Language
from webquarry.endpoints.declare import Result, field
from webquarry.read.published import published, split_date


class Sitelink(Result):
    title: str = field("Title of a page of the same site.")
    link: str = field("Its address.")


class Organic(Result):
    position: int = field("Place among all results of the query, from 1.")
    title: str = field("Title, as plain text.")
    link: str = field("Address of the page.")
    displayed_link: str | None = field("The address as the source shows it.", default=None)
    snippet: str | None = field("What the page says about the query, as plain text.", default=None)
    date: str | None = field("When it was published, in the source's words; ISO where it says so.", default=None)
    published_at: dt.datetime | dt.date | None = field(
        "The same as an instant or a day, by the instant of the fetch; null where the words leave it open.",
        default=None,
    )
    source: str | None = field("Name of the site.", default=None)
    thumbnail: str | None = field("Address of a picture.", default=None)
    sitelinks: list[Sitelink] = field("Further pages of the site that the source lists with it.", default_factory=list)

    def dated(self, now: dt.datetime) -> "Organic":
        """Return the row with its date as an instant or a day. now: the instant of the wire.

        Engines write a date before the snippet: it is the row's date, and no part of the snippet.
        """
        head, rest = split_date(self.snippet)
        date = self.date or head
        return self.model_copy(update={"date": date, "snippet": rest, "published_at": published(date, now)})


class AnswerBox(Result):
    title: str | None = field("What the answer is about.", default=None)
    answer: str | None = field("The answer in short.", default=None)
    snippet: str | None = field("The text that it is taken from.", default=None)
    link: str | None = field("Where it is from.", default=None)


class Origin(Result):
    name: str = field("Who says so.")
    link: str | None = field("Where.", default=None)


class KnowledgeGraph(Result):
    title: str = field("The thing that the query is about.")
    type: str | None = field("What kind of thing it is.", default=None)
    description: str | None = field("What it is.", default=None)
    website: str | None = field("Its own site.", default=None)
    image: str | None = field("Address of a picture.", default=None)
    source: Origin | None = field("Where the description is from.", default=None)
    attributes: dict[str, str] = field("Further facts, by name.", default_factory=dict)


class Video(Result):
    position: int = field("Place among the videos, from 1.")
    title: str = field("Title.")
    link: str = field("Address of its page.")
    source: str | None = field("Site that shows it.", default=None)
    channel: str | None = field("Who published it.", default=None)
    duration: str | None = field("How long it is, as the source writes it.", default=None)
    date: str | None = field("When it was published, in the source's words.", default=None)
    published_at: dt.datetime | dt.date | None = field(
        "The same as an instant or a day, by the instant of the fetch; null where the words leave it open.",
        default=None,
    )
    thumbnail: str | None = field("Address of a picture.", default=None)


class RelatedQuestion(Result):
    question: str = field("What people also ask.")
    snippet: str | None = field("An answer.", default=None)
    title: str | None = field("Title of the page that answers.", default=None)
    link: str | None = field("Its address.", default=None)


class RelatedSearch(Result):
    query: str = field("What people also search for.")
    link: str | None = field("Where the source would search for it.", default=None)


class Search(Result):
    query: str = field("The query, as asked.")
    gl: Country = field("Country searched from.")
    hl: Language = field("Language searched in.")
    page: int = field("Page of results, from 1.")
    num: int = field("Results asked for per page.")
    provider: str = field("The source that answered.")
    organic_results: list[Organic] = field("The results, best first; empty when there are none.")
    answer_box: AnswerBox | None = field("A direct answer, where the source has one.")
    knowledge_graph: KnowledgeGraph | None = field("Facts about the thing that the query names, where there are any.")
    videos: list[Video] = field("Videos among the results.")
    related_questions: list[RelatedQuestion] = field("Questions that people also ask.")
    related_searches: list[RelatedSearch] = field("Queries that people also search for.")
    total_results: int | None = field("How many results the source says that there are.")
    has_more: bool = field("Whether there is a next page.")
    warnings: list[str] = field("What this answer does not hold although it was asked for, in sentences.")


@dataclass(frozen=True)
class Page:
    """One page of a source, as its reader gives it.

    organic: positions count within the page. has_more: whether the source shows a further page; None where it does not
    say. says_empty: the source itself says that nothing was found; without that a page has rows.
    """

    organic: list[Organic]
    answer_box: AnswerBox | None = None
    knowledge_graph: KnowledgeGraph | None = None
    videos: list[Video] = dataclass_field(default_factory=list)
    related_questions: list[RelatedQuestion] = dataclass_field(default_factory=list)
    related_searches: list[RelatedSearch] = dataclass_field(default_factory=list)
    total_results: int | None = None
    has_more: bool | None = None
    says_empty: bool = False

    def dated(self, now: dt.datetime) -> "Page":
        """Return the page with the dates of its rows and videos as instants or days. now: the instant of the wire."""
        return replace(
            self,
            organic=[row.dated(now) for row in self.organic],
            videos=[video.model_copy(update={"published_at": published(video.date, now)}) for video in self.videos],
        )
