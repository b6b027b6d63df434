"""Code snippets: a request as a curl command, in Python, in JavaScript, on the command line, and as a tool call.

The documents and the playground show the same snippets. Values are quoted for each language, so that they cannot inject
code.
"""

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlencode

from webquarry.core.settings import CALLERS_KEY
from webquarry.endpoints.declare import Extractor, Upload
from webquarry.endpoints.params import FORMAT
from webquarry.endpoints.portion import PORTION
from webquarry.endpoints.registry import API_PREFIX
from webquarry.endpoints.variants import list_specs

_LINE_BREAK = " \\\n  "
"""Separator that continues a shell command on the next line."""
Language = Literal["shell", "python", "javascript", "json"]
DEFAULT_KEY = f"${CALLERS_KEY}"
SPARE_S = 30
"""Seconds added to the endpoint's deadline for transfer."""
_PRINTED = str.maketrans({"\\": r"\\", "%": "%%", "'": r"\047", "\n": r"\n"})
"""Translation table that escapes text for the shell's `printf` in single quotes."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """A code snippet that sends a request.

    `id` is for URLs and tabs, `title` for people, and `language` for syntax highlighting.
    """

    id: str
    title: str
    language: Language
    text: str


def write_snippets(
    extractor: Extractor, base_url: str, query: Mapping[str, str] | None = None, file_name: str | None = None
) -> tuple[Snippet, ...]:
    """Return the request in every supported language.

    `query` are the parameters as text, including `format` if given; defaults to the declared example. `file_name` is
    the caller's file for an upload; by default, the declared example, which the curl command creates.
    """
    given = extractor.example if query is None else query
    found = (
        Snippet("curl", "curl", "shell", curl(extractor, base_url, query=given, file_name=file_name, wraps=True)),
        Snippet("python", "Python", "python", write_python(extractor, base_url, given, file_name)),
        Snippet("javascript", "JavaScript", "javascript", write_javascript(extractor, base_url, given, file_name)),
        Snippet("cli", "CLI", "shell", write_command(extractor, given, file_name)),
    )
    if extractor.upload is not None:  # tools cannot take files
        return found
    return (*found, Snippet("tool", "MCP", "json", write_tool_call(extractor, given)))


def call_path(extractor: Extractor, query: Mapping[str, str]) -> str:
    """Return the path and query of a request."""
    text = urlencode(query)
    return f"{API_PREFIX}{extractor.path}" + (f"?{text}" if text else "")


def example_path(extractor: Extractor) -> str:
    """Return the path and query of the declared example, for which the sandbox has a response."""
    return call_path(extractor, extractor.example)


def curl(
    extractor: Extractor,
    base_url: str,
    key: str = DEFAULT_KEY,
    *,
    query: Mapping[str, str] | None = None,
    file_name: str | None = None,
    wraps: bool = False,
) -> str:
    """Return a curl command for the example or the query. For an upload, the command first creates the example's file.

    `wraps` puts each argument on a separate line.
    """
    path = call_path(extractor, extractor.example if query is None else query)
    parts = [f'curl -H "Authorization: Bearer {key}"', f'"{base_url}{path}"']
    if extractor.upload is not None:
        if file_name is None:
            parts[0] = f"{_print_file(extractor.upload)} | {parts[0]}"
            parts.append(f"-F 'file=@-;filename={extractor.upload.example.name}'")
        else:
            parts.append(f"-F {_quote_shell(f'file=@{_quote_curl(file_name)}')}")
    return (_LINE_BREAK if wraps else " ").join(parts)


def write_command(extractor: Extractor, query: Mapping[str, str], file_name: str | None = None) -> str:
    """Return a command that runs the endpoint without a server.

    For an upload, the command first creates the example's file.
    """
    options = [f"--{name}={_quote_argument(text)}" for name, text in query.items()]
    call = f"webquarry get {extractor.name}"
    if extractor.upload is None:
        return _LINE_BREAK.join([call, *options])
    if file_name is not None:
        return _LINE_BREAK.join([call, f"--file={_quote_argument(file_name)}", *options])
    name = _quote_argument(extractor.upload.example.name)
    return _LINE_BREAK.join([f"{_print_file(extractor.upload)} > {name} && {call}", f"--file={name}", *options])


def write_python(extractor: Extractor, base_url: str, query: Mapping[str, str], file_name: str | None = None) -> str:
    """Return a script that needs `requests` and prints the readable part of the response."""
    lines = ["import os", "", "import requests", "", f"answer = requests.{extractor.method.lower()}("]
    lines.append(f"    {_text(f'{base_url}{API_PREFIX}{extractor.path}')},")
    if query:
        lines += ["    params={", *(f"        {_text(name)}: {_text(text)}," for name, text in query.items()), "    },"]
    if extractor.upload is not None:
        if file_name is None:
            file = extractor.upload.example
            lines.append(f'    files={{"file": ({_text(file.name)}, {_text(file.body.decode())})}},')
        else:
            lines.append(f'    files={{"file": open({_text(file_name)}, "rb")}},')
    lines += [
        f'    headers={{"Authorization": f"Bearer {{os.environ[\'{CALLERS_KEY}\']}}"}},',
        f"    timeout={extractor.deadline_s + SPARE_S:.0f},",
        ")",
        "if not answer.ok:",
        '    raise SystemExit(answer.json()["error"])',
        f'print(answer.json()["{_shown_artifact(query)}"])',
    ]
    return "\n".join(lines)


def write_javascript(
    extractor: Extractor, base_url: str, query: Mapping[str, str], file_name: str | None = None
) -> str:
    """Return a module for Node 20 or later that logs the readable part of the response.

    Except for the key and the file, it also works in browsers.
    """
    lines = []
    if file_name is not None:
        lines += ['import { openAsBlob } from "node:fs";', ""]
    lines.append(f"const address = new URL({_text(f'{base_url}{API_PREFIX}{extractor.path}')});")
    lines += [f"address.searchParams.set({_text(name)}, {_text(text)});" for name, text in query.items()]
    options = [f"headers: {{ Authorization: `Bearer ${{process.env.{CALLERS_KEY}}}` }}"]
    if extractor.upload is not None:
        lines.append("const body = new FormData();")
        if file_name is None:
            file = extractor.upload.example
            lines.append(f'body.set("file", new Blob([{_text(file.body.decode())}]), {_text(file.name)});')
        else:
            lines.append(f'body.set("file", await openAsBlob({_text(file_name)}), {_text(file_name)});')
        options = ['method: "POST"', *options, "body"]
    lines += [
        "const answer = await fetch(address, {",
        *(f"  {option}," for option in options),
        "});",
        "const result = await answer.json();",
        "if (!answer.ok) throw new Error(result.error);",
        f"console.log(result.{_shown_artifact(query)});",
    ]
    return "\n".join(lines)


def write_tool_call(extractor: Extractor, query: Mapping[str, str]) -> str:
    """Return the parameters of `tools/call` as JSON with typed values. A tool returns markdown or JSON, never both."""
    kinds = {spec.name: spec.type for spec in (*list_specs(extractor), *PORTION)}
    given = {name: text for name, text in query.items() if (name, text) != (FORMAT.name, "both")}
    arguments = {name: _typed(kinds.get(name, "string"), text) for name, text in given.items()}
    return json.dumps({"name": extractor.tool_name, "arguments": arguments}, ensure_ascii=False, indent=2)


def _shown_artifact(query: Mapping[str, str]) -> str:
    return "data" if query.get(FORMAT.name) == "json" else "markdown"


def _typed(kind: str, text: str) -> Any:
    """Return the value as its JSON type, or the unchanged text if it cannot be converted."""
    if kind == "boolean" and text.lower() in ("true", "false"):
        return text.lower() == "true"
    if kind == "integer":
        try:
            return int(text)
        except ValueError:
            return text
    return text


def _text(value: str) -> str:
    """Return a literal valid in both Python and JavaScript, on one line and printable."""
    shown = json.dumps(value, ensure_ascii=False)
    return "".join(sign if sign.isprintable() or sign > "\uffff" else f"\\u{ord(sign):04x}" for sign in shown)


def _print_file(upload: Upload) -> str:
    """Return a command that prints the example's file."""
    return f"printf '{upload.example.body.decode().translate(_PRINTED)}'"


def _quote_argument(text: str) -> str:
    """Quote a text as one shell argument, printable and on one line."""
    if text.isprintable():
        return shlex.quote(text)
    shown = text.replace("\\", r"\\").replace("'", r"\'")
    return "$'" + "".join(sign if sign.isprintable() else f"\\u{ord(sign):04x}" for sign in shown) + "'"


def _quote_shell(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _quote_curl(name: str) -> str:
    """Quote a file's name for -F, in which commas and semicolons have a meaning."""
    if not any(sign in name for sign in ',;"\\'):
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
