"""Requests with a JSON body as code: a curl command, and Python."""

import json
import pprint
import shlex
from collections.abc import Mapping
from typing import Any

from webquarry.core.settings import CALLERS_KEY
from webquarry.endpoints.snippets import Snippet

_TIMEOUT_S = 60


def write_body_snippets(url: str, body: Mapping[str, Any]) -> tuple[Snippet, ...]:
    """Return a POST request as code. Texts are quoted for each language, so that they cannot inject code."""
    return (
        Snippet("curl", "curl", "shell", _write_curl(url, body)),
        Snippet("python", "Python", "python", _write_python(url, body)),
    )


def _write_curl(url: str, body: Mapping[str, Any]) -> str:
    parts = (
        f'curl -H "Authorization: Bearer ${CALLERS_KEY}"',
        '-H "Content-Type: application/json"',
        f"-d {shlex.quote(json.dumps(body, indent=2))}",
        f'"{url}"',
    )
    return " \\\n  ".join(parts)


def _write_python(url: str, body: Mapping[str, Any]) -> str:
    literal = pprint.pformat(dict(body), width=84, sort_dicts=False).replace("\n", "\n         ")
    lines = (
        "import os",
        "",
        "import requests",
        "",
        "answer = requests.post(",
        f"    {url!r},",
        f"    json={literal},",
        f'    headers={{"Authorization": f"Bearer {{os.environ[\'{CALLERS_KEY}\']}}"}},',
        f"    timeout={_TIMEOUT_S},",
        ")",
        "if not answer.ok:",
        '    raise SystemExit(answer.json()["error"])',
        'print(answer.json()["id"])',
    )
    return "\n".join(lines)
