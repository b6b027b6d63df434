"""Requests to endpoints, sent over HTTP to a running server."""

import re
import secrets
import time

from webquarry.cli.asking import Question, Reply, SentFile
from webquarry.cli.server import SPARE_S, Server, read_body, run_in_daemon


class RemoteServer:
    """A server that answers requests to endpoints."""

    def __init__(self, url: str, key: str) -> None:
        self._server = Server(url, key)

    async def ask(self, question: Question) -> Reply:
        """Return the reply. Raises Failure for an error of the server, or if it can't be reached."""
        return await run_in_daemon(lambda: self._ask(question))

    def _ask(self, question: Question) -> Reply:
        headers, body = {}, None
        if question.fresh:
            headers["Cache-Control"] = "no-cache"
        if question.file is not None:
            boundary = secrets.token_hex(16)
            headers["Content-Type"] = f"multipart/form-data; boundary={boundary}"
            body = _encode_upload(question.file, boundary)
        wait_s = question.entry.deadline_s + SPARE_S
        method = "GET" if body is None else "POST"
        sent = self._server.send(method, question.entry.path, question.query, headers, body, wait_s=wait_s)
        with sent as response:
            answer = read_body(response, time.monotonic() + wait_s)
            told = response.headers
        if told.get_content_type() != "application/json" or "X-Credits-Charged" not in told:
            raise self._server.make_foreign_failure()
        charged = told["X-Credits-Charged"]
        return Reply(answer, int(charged) if charged.isdecimal() else 0, told.get("X-Cache", ""))


def _encode_upload(file: SentFile, boundary: str) -> bytes:
    name = re.sub(r'[\x00-\x1f\x7f"\\]', "_", file.name)
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
    head += "Content-Type: application/octet-stream\r\n\r\n"
    return b"".join((head.encode("utf-8", "replace"), file.read(), f"\r\n--{boundary}--\r\n".encode()))
