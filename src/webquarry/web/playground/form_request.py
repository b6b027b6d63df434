"""Playground requests: an endpoint, its parameters and an action, and their URLs."""

from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import Request

from webquarry.accounts import PastCall
from webquarry.core.errors import InvalidParams
from webquarry.core.types import File
from webquarry.endpoints.declare import Extractor
from webquarry.web.playground.form import SANDBOX, Pairs, encode

ROOT: Final = "/playground"
ANSWER: Final = "answer"
_MAX_PARAMETERS: Final = 64


@dataclass(frozen=True, slots=True)
class FormRequest:
    """A request to the playground.

    `sandbox` selects sample data. `answer_id` is the id of an earlier result to show next to the form. `do` is `run`,
    `anew` (bypass the cache), or `check` (price and cache state only). `file` was sent with the form.
    """

    extractor: Extractor
    question: Pairs = field(default=())
    sandbox: bool = False
    answer_id: str | None = None
    do: str = "run"
    file: File | None = None

    @property
    def address(self) -> str:
        """Shareable URL of the request."""
        return _join(self.extractor.name, encode(self.question, sandbox=self.sandbox))

    def move(self, *, sandbox: bool) -> "FormRequest":
        """Return the same request, addressed to the sandbox or to the sources."""
        return FormRequest(self.extractor, self.question, sandbox)

    def of_example(self, *, sandbox: bool) -> "FormRequest":
        """Return a request with the parameters of the declared example."""
        return FormRequest(self.extractor, tuple(self.extractor.example.items()), sandbox)

    def answer_address(self, conversion_id: str) -> str:
        """Return the URL of the request with its result."""
        return _join(self.extractor.name, encode([*self.question, (ANSWER, conversion_id)]))


def read_address(request: Request, extractor: Extractor, *, has_sandbox: bool) -> FormRequest:
    """Parse the request in a URL. Raises InvalidParams if its query cannot be parsed."""
    try:
        raw = request.scope["query_string"].decode("ascii")
        pairs = parse_qsl(raw, keep_blank_values=True, errors="strict", max_num_fields=_MAX_PARAMETERS)
    except ValueError as exc:
        raise InvalidParams("The query string can't be parsed: it must be short, percent-encoded UTF-8.") from exc
    own = dict(pairs)
    question = tuple((name, text) for name, text in pairs if name not in (SANDBOX, ANSWER))
    return FormRequest(extractor, question, own.get(SANDBOX) == "true" and has_sandbox, own.get(ANSWER))


def past_address(call: PastCall) -> str:
    """Return the URL that reopens a past request, with its result if there was one."""
    answer = f"{ANSWER}={call.conversion_id}" if call.conversion_id else ""
    return _join(call.endpoint, "&".join(filter(None, (call.question, answer))))


def describe_question(question: str) -> str:
    """Return a description of a request from a URL's query."""
    return "; ".join(f"{name} = {text}" for name, text in parse_qsl(question, keep_blank_values=True))


def _join(name: str, query: str) -> str:
    return f"{ROOT}/{name}" + (f"?{query}" if query else "")
