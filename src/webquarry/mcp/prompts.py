"""Prompts of the tool protocol: tasks that need several calls, which people start by name."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from webquarry.core.errors import InvalidParams
from webquarry.mcp.catalog import CALL_TOOL

MOST_CHARACTERS: Final = 2000
"""Maximum length of an argument."""


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a prompt. `example` is a possible value."""

    name: str
    description: str
    example: str
    is_required: bool = True


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt. `text` contains the arguments' names in braces.

    The prompt is listed if all of its `tools` can be called.
    """

    name: str
    title: str
    description: str
    arguments: tuple[Argument, ...]
    tools: tuple[str, ...]
    text: str

    def write(self, given: Mapping[str, str], *, has_short_list: bool) -> str:
        """Return the text for these arguments. Raises InvalidParams if an argument is missing, unknown or too long.

        `has_short_list` is True for a client whose only way to call a tool is `call_tool`.
        """
        for name in given.keys() - {argument.name for argument in self.arguments}:
            raise InvalidParams(f"The prompt {self.name} has no argument '{name[:64]}'.")
        values = {argument.name: given.get(argument.name, "").strip() for argument in self.arguments}
        for argument in self.arguments:
            if argument.is_required and not values[argument.name]:
                raise InvalidParams(f"Argument '{argument.name}' is required: {argument.description}")
            if len(values[argument.name]) > MOST_CHARACTERS:
                raise InvalidParams(f"Argument '{argument.name}' must be at most {MOST_CHARACTERS} characters.")
        values = {argument.name: values[argument.name] or argument.example for argument in self.arguments}
        note = f"\n\nCall the tools by their names with {CALL_TOOL}." if has_short_list else ""
        return self.text.format(**values) + note


_CITE: Final = "Name the URL of the page for each statement, and say what you could not find or confirm."
PROMPTS: Final = (
    Prompt(
        name="research",
        title="Research a question",
        description="Search the web, read the best pages and answer with sources.",
        arguments=(Argument("question", "What you want to know.", "How hot should the oven be for sourdough bread?"),),
        tools=("search", "markdown_url"),
        text=(
            "Answer this question with current sources from the web:\n\n{question}\n\n"
            "1. Call search with the words of the question, num: 5 and with: excerpts, which reads the pages.\n"
            "2. If the excerpts don't answer it, search once more in other words, or call markdown_url for the most "
            "promising page with query and max_tokens: 2000.\n"
            "3. Compare at least two independent pages. If they disagree, show both.\n"
            f"4. Answer in a few paragraphs. {_CITE}"
        ),
    ),
    Prompt(
        name="read_document",
        title="Read a document",
        description="Answer a question from a long page or PDF, with page numbers.",
        arguments=(
            Argument("url", "URL of the page or document.", "https://example.com/reports/brewing.pdf"),
            Argument("question", "What you want to know. Without it, you get a summary.", "a summary", False),
        ),
        tools=("markdown_url", "get_result"),
        text=(
            "Read {url} and give me this: {question}\n\n"
            "1. Call markdown_url with pages: true and max_tokens: 2000 for an outline.\n"
            "2. Call it again with query, in the language of the document, for each part that matters. Repeated calls "
            "are cached and free. get_result returns whole sections.\n"
            "3. Quote the decisive sentences exactly. Cite the page from the markers <!-- page N --> if there are any, "
            "otherwise the heading.\n"
            "4. If the document does not answer the question, say so."
        ),
    ),
    Prompt(
        name="compare_products",
        title="Compare products",
        description="Compare products by the facts on their pages.",
        arguments=(
            Argument("products", "Names or URLs of the products, separated by commas.", "two espresso machines"),
            Argument("criteria", "What matters to you.", "price, features, ratings and limits", False),
        ),
        tools=("search", "markdown_url"),
        text=(
            "Compare these products: {products}\n\nCriteria: {criteria}\n\n"
            "1. Find the maker's page of each product with search, unless you have its URL.\n"
            "2. Call markdown_url for each page with a query for the criteria. With format: json, `entities` has the "
            "prices and ratings that the page states.\n"
            "3. Search for one independent review of each product.\n"
            "4. Show a table with one row per criterion and one column per product. Leave a cell empty rather than "
            f"guess. Then recommend one for whom, in two sentences. {_CITE}"
        ),
    ),
    Prompt(
        name="company_profile",
        title="Profile a company",
        description="Summarize a company by its domain: brand, site, traffic and registration.",
        arguments=(Argument("domain", "Domain of the company.", "example.com"),),
        tools=("brand_dossier", "search"),
        text=(
            "Write a profile of the company behind {domain}.\n\n"
            "1. Call brand_dossier with parts: logo, traffic, authority, homepage, registration.\n"
            "2. Search for the company's name and news about it.\n"
            "3. Write: what it offers and to whom, size and reach in numbers with their dates, recent events, open "
            f"questions. {_CITE}"
        ),
    ),
)


def list_prompts(tools: Collection[str]) -> Sequence[Prompt]:
    """Return the prompts for a client that can call these tools. `call_tool` calls any tool."""
    return [prompt for prompt in PROMPTS if CALL_TOOL in tools or set(prompt.tools) <= set(tools)]
