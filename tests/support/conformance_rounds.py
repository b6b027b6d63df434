"""Fixtures of the conformance suite: tools and a prompt whose results ask for input, and which are called again."""

import hashlib
import hmac
from collections.abc import Callable, Mapping
from typing import Any

import mcp_types as types

from support.conformance_tools import Context, make_error, tell

Round = Callable[[Context, types.CallToolRequestParams], Any]
Json = dict[str, Any]
PROMPT = "test_input_required_result_prompt"
_SECRET = b"of the fixture"


def ask_form(message: str, name: str, kind: str = "string") -> Json:
    schema = {"type": "object", "properties": {name: {"type": kind}}, "required": [name]}
    return {"method": "elicitation/create", "params": {"mode": "form", "message": message, "requestedSchema": schema}}


def ask_model(text: str, tokens: int = 100) -> Json:
    message = {"role": "user", "content": {"type": "text", "text": text}}
    return {"method": "sampling/createMessage", "params": {"messages": [message], "maxTokens": tokens}}


ASK_ROOTS: Json = {"method": "roots/list", "params": {}}


def require(requests: Json, state: str | None = None) -> Json:
    signed = {} if state is None else {"requestState": sign(state)}
    return {"resultType": "input_required", "inputRequests": requests, **signed}


def sign(state: str) -> str:
    return f"{state}.{hmac.new(_SECRET, state.encode(), hashlib.sha256).hexdigest()}"


def read_state(context: Context) -> str | None:
    """Return the state of the previous round. Raises a protocol error if it was modified."""
    given = (context.params or {}).get("requestState")
    if given is None:
        return None
    state = str(given).rpartition(".")[0]
    if not hmac.compare_digest(sign(state), str(given)):
        raise make_error(types.INVALID_PARAMS, "requestState is not what was sent.")
    return state


def read_answer(context: Context, name: str, field: str) -> Any:
    """Return the field of the client's answer, or None if it is missing or malformed."""
    answers = (context.params or {}).get("inputResponses")
    answer = answers.get(name) if isinstance(answers, Mapping) else None
    found = answer.get(field) if isinstance(answer, Mapping) else None
    return found or None


def elicit(context: Context, _params: Any) -> Any:
    content = read_answer(context, "user_name", "content")
    if not isinstance(content, Mapping) or not isinstance(content.get("name"), str):
        return require({"user_name": ask_form("What is your name?", "name")})
    return tell(f"Hello, {content['name']}!")


def sample(context: Context, _params: Any) -> Any:
    content = read_answer(context, "capital_question", "content")
    if content is None:
        return require({"capital_question": ask_model("What is the capital of France?")})
    return tell(str(content.get("text") if isinstance(content, Mapping) else content))


def list_roots(context: Context, _params: Any) -> Any:
    roots = read_answer(context, "client_roots", "roots")
    if roots is None:
        return require({"client_roots": ASK_ROOTS})
    return tell(", ".join(str(root.get("uri")) for root in roots))


def keep_state(context: Context, _params: Any) -> Any:
    state = read_state(context)
    if state is None or read_answer(context, "confirm", "action") is None:
        return require({"confirm": ask_form("Please confirm", "ok", "boolean")}, "confirming")
    return tell("state-ok")


def ask_several(context: Context, _params: Any) -> Any:
    asked = {
        "user_name": ask_form("What is your name?", "name"),
        "greeting": ask_model("Generate a greeting", 50),
        "client_roots": ASK_ROOTS,
    }
    fields = {"user_name": "action", "greeting": "content", "client_roots": "roots"}
    if read_state(context) is None or any(read_answer(context, name, field) is None for name, field in fields.items()):
        return require(asked, "several")
    return tell("All were answered.")


def take_rounds(context: Context, _params: Any) -> Any:
    state = read_state(context)
    if state is None:
        return require({"step1": ask_form("Step 1: What is your name?", "name")}, "round-1")
    if state == "round-1":
        return require({"step2": ask_form("Step 2: What is your favorite color?", "color")}, "round-2")
    return tell("All rounds are done.")


def check_state(context: Context, _params: Any) -> Any:
    if read_state(context) is None:
        return require({"confirm": ask_form("Please confirm", "ok", "boolean")}, "untampered")
    return tell("state-ok")


def ask_what_is_offered(context: Context, _params: Any) -> Any:
    offered = context.session.client_capabilities
    asked: Json = {}
    if offered is not None and offered.elicitation is not None:
        asked["name"] = ask_form("What is your name?", "name")
    if offered is not None and offered.sampling is not None:
        asked["greeting"] = ask_model("Generate a greeting", 50)
    if offered is not None and offered.roots is not None:
        asked["roots"] = ASK_ROOTS
    return require(asked) if asked else tell("Nothing can be asked.")


def get_prompt(context: Context, _params: types.GetPromptRequestParams) -> Any:
    content = read_answer(context, "user_context", "content")
    if content is None:
        return require({"user_context": ask_form("What context should the prompt use?", "context")})
    text = types.TextContent(type="text", text=f"With context: {content}")
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=text)])


TOOLS: Mapping[str, Round] = {
    "test_input_required_result_elicitation": elicit,
    "test_input_required_result_sampling": sample,
    "test_input_required_result_list_roots": list_roots,
    "test_input_required_result_request_state": keep_state,
    "test_input_required_result_multiple_inputs": ask_several,
    "test_input_required_result_multi_round": take_rounds,
    "test_input_required_result_tampered_state": check_state,
    "test_input_required_result_capabilities": ask_what_is_offered,
}
