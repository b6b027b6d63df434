"""The headers of a request that an interface reads: credentials, the request's id, and further headers that the
interface lists.
"""

import os
import re
from collections.abc import Sequence
from typing import ClassVar, Final

_REQUEST_ID: Final = re.compile(rb"[A-Za-z0-9_-]{1,64}")


class RequestHead:
    """The request headers that matter to an interface. A subclass lists additional headers in `READ`.

    authorization, api_keys: all values, for `credentials_from`. request_id: sent by the caller, or generated. texts:
    the headers in `READ`, by name; values of a repeated header are joined by commas. repeated: names of the headers
    that were repeated.
    """

    __slots__ = ("api_keys", "authorization", "repeated", "request_id", "texts")
    READ: ClassVar[frozenset[bytes]] = frozenset()

    def __init__(self, fields: Sequence[tuple[bytes, bytes]]) -> None:
        self.authorization: list[str] = []
        self.api_keys: list[str] = []
        self.request_id = ""
        self.texts: dict[bytes, str] = {}
        self.repeated: set[bytes] = set()
        for name, value in fields:
            if name in self.READ:
                self._take(name, value.decode("latin-1"))
            elif name == b"authorization":
                self.authorization.append(value.decode("latin-1"))
            elif name == b"x-api-key":
                self.api_keys.append(value.decode("latin-1"))
            elif name == b"x-request-id" and _REQUEST_ID.fullmatch(value):
                self.request_id = value.decode()
        self.request_id = self.request_id or f"req_{os.urandom(10).hex()}"

    def _take(self, name: bytes, text: str) -> None:
        known = self.texts.get(name)
        if known is not None:
            self.repeated.add(name)
        self.texts[name] = text if known is None else f"{known}, {text}"
