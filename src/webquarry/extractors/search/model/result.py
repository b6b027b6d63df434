"""The result of a search, and the content of one page of a source."""

import datetime as dt
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field

from webquarry.core.locale import Country, Language
from webquarry.endpoints.declare import Result, field
from webquarry.excerpts.job import Excerpt
from webquarry.read.published import published, split_date


class Sitelink(Result):
    title: str = field("Title of another page on the same site.")
    link: str = field("URL of the page.")


class Organic(Result):
    position: int = field("Position among all results, starting at 1.")
    title: str = field("Title as plain text.")
    link: str = field("URL of the page.")
    displayed_link: str | None = field("URL as displayed by the provider.", default=None)
    snippet: str | None = field("Snippet of the page as plain text.", default=None)
    date: str | None = field("Publication date as shown by the provider.", default=None)
    published_at: dt.datetime | dt.date | None = field(
        "Publication time or day, resolved relative to the fetch time; null if unclear.",
        default=None,
    )
    source: str | None = field("Name of the site.", default=None)
    thumbnail: str | None = field("URL of an image.", default=None)
    sitelinks: list[Sitelink] = field(
        "Additional pages of the same site listed with this result.", default_factory=list
    )
    excerpts: list[Excerpt] | None = field(
        "Parts of the page that answer the query. Only with the parameter `with`, and if the page was read.",
        default=None,
        left_out=True,
    )
    conversion_id: str | None = field(
        "ID of the page's conversion, which returns the whole page and verifies excerpts. Only with `excerpts`.",
        default=None,
        left_out=True,
    )

    def dated(self, now: dt.datetime) -> "Organic":
        """Return the row with its date as an instant or a day.

        now: the time at which the response was fetched. Engines write a date before the snippet; it becomes the row's
        date and is removed from the snippet.
        """
        head, rest = split_date(self.snippet)
        date = self.date or head
        return self.model_copy(update={"date": date, "snippet": rest, "published_at": published(date, now)})


class AnswerBox(Result):
    title: str | None = field("Topic of the answer.", default=None)
    answer: str | None = field("Short answer.", default=None)
    snippet: str | None = field("Text that the answer is taken from.", default=None)
    link: str | None = field("URL of the source page.", default=None)


class Origin(Result):
    name: str = field("Name of the source.")
    link: str | None = field("URL of the source.", default=None)


class KnowledgeGraph(Result):
    title: str = field("Name of the entity.")
    type: str | None = field("Type of the entity.", default=None)
    description: str | None = field("Description of the entity.", default=None)
    website: str | None = field("URL of the entity's website.", default=None)
    image: str | None = field("URL of an image.", default=None)
    source: Origin | None = field("Source of the description.", default=None)
    attributes: dict[str, str] = field("Additional facts, by name.", default_factory=dict)


class Video(Result):
    position: int = field("Position among the videos, starting at 1.")
    title: str = field("Title of the video.")
    link: str = field("URL of its page.")
    source: str | None = field("Site that hosts the video.", default=None)
    channel: str | None = field("Name of the channel.", default=None)
    duration: str | None = field("Length as shown by the provider.", default=None)
    date: str | None = field("Publication date as shown by the provider.", default=None)
    published_at: dt.datetime | dt.date | None = field(
        "Publication time or day, resolved relative to the fetch time; null if unclear.",
        default=None,
    )
    thumbnail: str | None = field("URL of an image.", default=None)


class RelatedQuestion(Result):
    question: str = field("Related question.")
    snippet: str | None = field("Answer to the question.", default=None)
    title: str | None = field("Title of the page with the answer.", default=None)
    link: str | None = field("URL of the page with the answer.", default=None)


class RelatedSearch(Result):
    query: str = field("Related search query.")
    link: str | None = field("URL of this search at the provider.", default=None)


class Search(Result):
    query: str = field("The query.")
    gl: Country = field("Country of the search.")
    hl: Language = field("Language of the search.")
    page: int = field("Page number, starting at 1.")
    num: int = field("Requested results per page.")
    provider: str = field("Name of the provider.")
    organic_results: list[Organic] = field("Results, best first. Can be empty.")
    answer_box: AnswerBox | None = field("Answer box, if available.")
    knowledge_graph: KnowledgeGraph | None = field("Knowledge graph, if available.")
    videos: list[Video] = field("Videos among the results.")
    related_questions: list[RelatedQuestion] = field("Related questions.")
    related_searches: list[RelatedSearch] = field("Related searches.")
    total_results: int | None = field("Total number of results according to the provider.")
    has_more: bool = field("Whether there is a next page.")
    warnings: list[str] = field("Parts of the request that could not be fulfilled, one sentence each.")


@dataclass(frozen=True)
class Page:
    """One page of a source, as returned by its reader.

    organic: positions count within the page. has_more: whether the source shows a further page, or None if unknown.
    says_empty: whether the source itself reports that nothing was found. All other pages have rows.
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
        """Return the page with the dates of its rows and videos as instants or days.

        now: the time at which the response was fetched.
        """
        return replace(
            self,
            organic=[row.dated(now) for row in self.organic],
            videos=[video.model_copy(update={"published_at": published(video.date, now)}) for video in self.videos],
        )
