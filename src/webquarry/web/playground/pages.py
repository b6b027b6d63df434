"""Routes of the playground.

    GET  /playground                        all endpoints, and the user's latest requests
    GET  /playground/<endpoint>?<question>  its form, filled in, with price and cache state; nothing is run
         …&answer=<conversion id>           an earlier result, free of charge
    POST /playground/<endpoint>             `do`: run, anew (bypass the cache), check (price and cache state only)
    GET  /playground/history                the user's requests;  POST deletes them
    GET  /playground/answers/<conversion id>/<data.json or answer.md>      a complete artifact
    GET  /playground/<endpoint>/sandbox/<data.json or answer.md>?<question>

A successful run redirects to the URL of its result, so that reloading the page costs nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.accounts import PastCall, Share, Visitor
from webquarry.accounts.history import KEPT
from webquarry.api.addresses import Addresses
from webquarry.api.upload import TEXTS, Announced, Uploads
from webquarry.core.errors import InvalidParams, NotFound, ServiceError
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.portion import NAMES
from webquarry.endpoints.registry import API_PREFIX, Registry
from webquarry.endpoints.snippets import write_snippets
from webquarry.endpoints.wording import freshness, price
from webquarry.pipeline import Answer, tell_charge
from webquarry.web.gate import LOGIN, Gate, go_to, read_next
from webquarry.web.playground.artifacts import send_artifact
from webquarry.web.playground.fields import CODES
from webquarry.web.playground.form import SANDBOX, build, check, read_filled
from webquarry.web.playground.form_request import ROOT, FormRequest, describe_question, past_address, read_address
from webquarry.web.playground.labels import write_line
from webquarry.web.playground.runner import Outcome, RequestRunner
from webquarry.web.playground.sharing import LINKS, SHARED
from webquarry.web.playground.view import PERMITS, View, Viewer
from webquarry.web.session import TOKEN_FIELD, Fields

SHOWN_CALLS: Final = 5
PAGE_OF_CALLS: Final = 50
MAX_ADDRESS: Final = 7 * 1024
"""Maximum length of a URL to redirect to, because the server accepts at most 8 KB.

For longer URLs, the result is shown without a redirect.
"""
_FILE_TEXTS: Final = TEXTS | {*NAMES, TOKEN_FIELD, SANDBOX, "do"}


@dataclass(frozen=True, slots=True)
class Shown:
    """The parts of a page other than the form.

    `past` is the request's entry in the history, and `share` the account's link to the response.
    """

    answer: Answer | None = None
    error: ServiceError | None = None
    outcome: Outcome | None = None
    past: PastCall | None = None
    share: Share | None = None

    @property
    def can_share(self) -> bool:
        """Whether the response is public and in the history."""
        return self.answer is not None and self.answer.conversion.owner is None and self.past is not None

    @property
    def charged(self) -> int:
        """Credits charged for the request; 0 if it is no longer in the history."""
        return self.past.charged if self.past else self.outcome.charged if self.outcome else 0

    @property
    def is_cached(self) -> bool:
        """Whether the response came from the cache or from an identical request."""
        cache = self.past.cache if self.past else self.answer.cache if self.answer else "miss"
        return cache != "miss"


class Playground:
    """Routes of the playground.

    `remedy` returns the settings that an operator must set before the endpoint has a source, or None. `known_questions`
    returns the requests that the sandbox can answer. `keep_days` is how long a result can be reopened.
    """

    def __init__(
        self,
        gate: Gate,
        registry: Registry,
        runner: RequestRunner,
        viewer: Viewer,
        uploads: Uploads,
        addresses: Addresses,
        remedy: Callable[[Extractor], str | None],
        known_questions: Callable[[str], Sequence[str]],
        *,
        keep_days: int,
    ) -> None:
        self._gate = gate
        self._registry = registry
        self._runner = runner
        self._viewer = viewer
        self._uploads = uploads
        self._addresses = addresses
        self._remedies = {extractor.name: remedy(extractor) for extractor in registry}
        self._known_questions = known_questions
        self._keep_days = keep_days
        self._words: dict[str, Any] = {
            "in_order": list(registry.groups.items()),
            "groups": {name: registry.describe_group(name) for name in registry.groups},
            "price": price,
            "freshness": freshness,
            "write_line": write_line,
            "describe_age": describe_age,
            "tell_charge": tell_charge,
            "describe_question": describe_question,
            "past_address": past_address,
            "root": ROOT,
            "prefix": API_PREFIX,
            "permits": PERMITS,
            "codes": CODES,
            "shared": SHARED,
            "links": LINKS,
        }

    def routes(self) -> Sequence[BaseRoute]:
        gate = self._gate
        return (
            Route(ROOT, gate.open_page(self.index)),
            Route(f"{ROOT}/history", gate.page(self.history)),
            Route(f"{ROOT}/history", gate.form(self.forget), methods=["POST"]),
            Route(f"{ROOT}/answers/{{id}}/{{artifact}}", gate.page(self.artifact)),
            Route(f"{ROOT}/{{name}}", gate.open_page(self.form)),
            Route(f"{ROOT}/{{name}}", gate.open_page(self.submit), methods=["POST"]),
            Route(f"{ROOT}/{{name}}/sandbox/{{artifact}}", gate.open_page(self.sandbox_artifact)),
        )

    async def index(self, request: Request) -> Response:
        visitor = await self._gate.visitors.find(request)
        calls = await self._runner.history.newest(visitor.account_id, SHOWN_CALLS) if visitor else []
        return await self._page(request, "playground/index.html", calls=calls, remedies=self._remedies)

    async def form(self, request: Request) -> Response:
        form_request = read_address(request, self._find(request), has_sandbox=self._runner.has_sandbox)
        visitor = await self._gate.visitors.find(request)
        wrong = check(form_request.extractor, form_request.question) if form_request.question else None
        shown = Shown()
        if form_request.answer_id is not None and visitor is not None:
            shown = await self._reopen(visitor, form_request, form_request.answer_id)
        return await self._show(request, visitor, form_request, shown, wrong)

    async def submit(self, request: Request) -> Response:
        form_request = FormRequest(self._find(request))
        visitor = await self._gate.visitors.find(request)
        if visitor is None and "multipart" in request.headers.get("content-type", ""):
            return go_to(sign_in_address(form_request))
        try:
            form_request = await self._read_form(request, visitor, form_request.extractor)
            if form_request.do == "check" and len(form_request.address) <= MAX_ADDRESS:
                return go_to(form_request.address)
            if form_request.do == "check":
                return await self._show(
                    request, visitor, form_request, Shown(), check(form_request.extractor, form_request.question)
                )
            if wrong := check(form_request.extractor, form_request.question):
                raise wrong
            if form_request.sandbox:
                return await self._run_sandboxed(request, visitor, form_request)
            if visitor is None:
                return go_to(sign_in_address(form_request))
            return await self._run(request, visitor, form_request)
        except InvalidParams as wrong:
            return await self._show(request, visitor, form_request, Shown(), wrong)
        except ServiceError as error:
            return await self._show(request, visitor, form_request, Shown(error=error))

    async def history(self, request: Request, visitor: Visitor) -> Response:
        before = request.query_params.get("before")
        calls = await self._runner.history.newest(visitor.account_id, PAGE_OF_CALLS + 1, before)
        older = f"{ROOT}/history?before={quote(calls[PAGE_OF_CALLS - 1].id)}" if len(calls) > PAGE_OF_CALLS else ""
        calls = calls[:PAGE_OF_CALLS]
        template = "playground/history.html"
        return await self._page(request, template, calls=calls, older=older, kept=KEPT, keep_days=self._keep_days)

    async def forget(self, _request: Request, visitor: Visitor, _fields: Fields) -> Response:
        await self._runner.history.forget(visitor.account_id)
        return go_to(f"{ROOT}/history")

    async def artifact(self, request: Request, visitor: Visitor) -> Response:
        """Return a complete artifact of an earlier result as a file."""
        conversion_id = request.path_params["id"]
        await self._runner.take(visitor.caller)
        answer = await self._runner.reopen(visitor.caller, conversion_id)
        return send_artifact(answer, request.path_params["artifact"], answer.conversion_id)

    async def sandbox_artifact(self, request: Request) -> Response:
        """Return a complete artifact of the sandbox's result as a file."""
        form_request = read_address(request, self._find(request), has_sandbox=self._runner.has_sandbox)
        if not self._runner.has_sandbox:
            raise NotFound("This service is already a sandbox.")
        outcome = await self._ask_sandbox(request, await self._gate.visitors.find(request), form_request)
        if outcome.answer is None:
            raise outcome.error or NotFound("The sandbox has no sample data for this request.")
        return send_artifact(outcome.answer, request.path_params["artifact"], form_request.extractor.name)

    # parse requests

    def _find(self, request: Request) -> Extractor:
        extractor = self._registry.by_name.get(request.path_params["name"])
        if extractor is None:
            raise NotFound(f"Unknown endpoint. All endpoints are listed at {ROOT}.")
        return extractor

    async def _read_form(self, request: Request, visitor: Visitor | None, extractor: Extractor) -> FormRequest:
        """Parse a form of this site. Only signed-in users may upload files."""
        file = None
        if extractor.upload is None or visitor is None:
            fields = await self._gate.visitors.read_form(request)
        else:
            self._gate.visitors.check_origin(request)
            announced = Announced(request.scope["headers"], extractor.upload.max_bytes)
            received = await self._uploads.receive(announced, request.receive, visitor.account_id, _FILE_TEXTS)
            fields = dict(received.texts)
            await self._gate.visitors.check_token(request, fields.pop(TOKEN_FIELD, ""))
            file = received.file if received.file.body else None
        is_sandboxed = fields.get(SANDBOX) == "true" and self._runner.has_sandbox
        return FormRequest(
            extractor, read_filled(extractor, fields), is_sandboxed, do=fields.get("do", "run"), file=file
        )

    # actions

    async def _run(self, request: Request, visitor: Visitor, form_request: FormRequest) -> Response:
        if form_request.extractor.upload is not None and form_request.file is None:
            raise InvalidParams("Choose a file or drop one here.", parameter="file")
        await self._runner.take(visitor.caller)
        outcome = await self._runner.run(
            visitor.caller,
            form_request.extractor,
            form_request.question,
            form_request.file,
            anew=form_request.do == "anew",
        )
        if outcome.answer is not None:
            address = form_request.answer_address(outcome.answer.conversion_id)
            bare = FormRequest(form_request.extractor).answer_address(outcome.answer.conversion_id)
            return go_to(address if len(address) <= MAX_ADDRESS else bare)
        return await self._show(request, visitor, form_request, Shown(error=outcome.error, outcome=outcome))

    async def _run_sandboxed(self, request: Request, visitor: Visitor | None, form_request: FormRequest) -> Response:
        outcome = await self._ask_sandbox(request, visitor, form_request)
        return await self._show(request, visitor, form_request, Shown(outcome.answer, outcome.error, outcome))

    async def _ask_sandbox(self, request: Request, visitor: Visitor | None, form_request: FormRequest) -> Outcome:
        if visitor is not None:
            await self._runner.take(visitor.caller)
        else:
            await self._runner.take_guest(self._addresses.network_of(request.scope))
        return await self._runner.run_sandboxed(
            visitor.caller if visitor else None, form_request.extractor, form_request.question
        )

    async def _reopen(self, visitor: Visitor, form_request: FormRequest, conversion_id: str) -> Shown:
        try:
            await self._runner.take(visitor.caller)
            answer = await self._runner.reopen(visitor.caller, conversion_id)
            if answer.conversion.endpoint != form_request.extractor.name:
                raise NotFound("This response belongs to another endpoint.")
        except ServiceError as error:
            return Shown(error=error)
        past = await self._runner.history.of_conversion(visitor.account_id, conversion_id)
        return Shown(answer, past=past, share=await self._runner.find_share(visitor.caller, conversion_id))

    # rendering

    async def _show(
        self,
        request: Request,
        visitor: Visitor | None,
        form_request: FormRequest,
        shown: Shown,
        wrong: InvalidParams | None = None,
    ) -> Response:
        extractor, caller = form_request.extractor, visitor.caller if visitor else None
        # only a valid request has a price; guests get no quote, because it reveals whether the response is cached
        is_whole = wrong is None and check(extractor, form_request.question) is None
        is_quoted = is_whole and caller is not None and not form_request.sandbox
        quoted = await self._runner.quote(extractor, form_request.question) if is_quoted else None
        view = await self._view(shown, caller.account_id if caller else "")
        failed = shown.error or (wrong if request.method == "POST" else None)
        example = "&".join(f"{name}={text}" for name, text in extractor.example.items())
        known = self._known_questions(extractor.name) if form_request.sandbox or self._gate.site.sandbox else ()
        base_url = self._gate.site.base_url
        response = await self._page(
            request,
            "playground/endpoint.html",
            status=failed.status if failed else 200,
            extractor=extractor,
            form_request=form_request,
            form=build(extractor, form_request.question, wrong),
            wrong=wrong,
            shown=shown,
            view=view,
            quoted=quoted,
            is_whole=is_whole,
            balance=await self._runner.balance(caller) if caller else None,
            snippets=write_snippets(extractor, base_url, dict(form_request.question), _file_name(form_request, shown)),
            has_sandbox=self._runner.has_sandbox,
            known_questions=[each for each in known if each != example],
            remedy=self._remedies[extractor.name],
            sign_in=sign_in_address(form_request),
        )
        if failed:
            response.headers.update(failed.headers())
        return response

    async def _view(self, shown: Shown, account: str) -> View | None:
        if shown.answer is None:
            return None
        return await self._viewer.show(shown.answer, account, charged=shown.charged, is_cached=shown.is_cached)

    async def _page(self, request: Request, template: str, *, status: int = 200, **values: Any) -> Response:
        return await self._gate.show(request, template, status=status, **{**self._words, **values})


def describe_age(seconds: int) -> str:
    """Return an age in its largest unit: `40 seconds`, `12 minutes`, `3 hours`."""
    for unit, length in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= length:
            count = seconds // length
            return f"{count} {unit}{'' if count == 1 else 's'}"
    return f"{seconds} second{'' if seconds == 1 else 's'}"


def sign_in_address(form_request: FormRequest) -> str:
    """Return the URL for signing in and then continuing with the request. A request that is too long is omitted."""
    then = (
        form_request.address
        if read_next(form_request.address) == form_request.address
        else FormRequest(form_request.extractor).address
    )
    return f"{LOGIN}?{urlencode({'next': then})}"


def _file_name(form_request: FormRequest, shown: Shown) -> str | None:
    """Return the name of the file in snippets: the user's file, if known."""
    if form_request.file is not None:
        return form_request.file.name or "file"
    return shown.past.file_name if shown.past else None
