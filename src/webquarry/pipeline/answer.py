"""Results of requests: a conversion, how it was obtained, and the response's body."""

import asyncio
from dataclasses import dataclass, field
from typing import Literal, Self

from webquarry.endpoints.declare import Format
from webquarry.endpoints.portion import WHOLE, Portion
from webquarry.pipeline.cache import Ready, make_head
from webquarry.pipeline.portions import Part
from webquarry.storage.conversions import Conversion

CacheState = Literal["hit", "miss", "joined"]


@dataclass(frozen=True, slots=True)
class Quote:
    """The current cost of a request, computed without running it.

    `price` is the number of credits that the request would reserve; 0 if it is cached. `age_s` is the age of the cached
    result in seconds, or None.
    """

    price: int
    age_s: int | None = None

    @property
    def is_cached(self) -> bool:
        return self.age_s is not None


@dataclass(slots=True)  # not frozen, because each hit creates an instance
class Answer:
    """The result of a request. `age_s` is the age of the conversion in seconds.

    `part` is set if `portion` is not the whole result.
    """

    ready: Ready
    cache: CacheState
    age_s: int
    format: Format
    charged: int = 0
    part: Part | None = None
    portion: Portion = WHOLE
    _body: bytes | None = field(default=None, init=False, repr=False)

    @property
    def conversion(self) -> Conversion:
        return self.ready.conversion

    @property
    def conversion_id(self) -> str:
        return self.conversion.id

    @property
    def markdown(self) -> bytes:
        """The markdown of the portion, or of the whole result."""
        whole = self.conversion.markdown
        return whole if self.part is None or self.part.markdown is None else self.part.markdown

    @property
    def data(self) -> bytes:
        """The data of the portion, or of the whole result."""
        whole = self.conversion.data
        return whole if self.part is None or self.part.data is None else self.part.data

    @property
    def body(self) -> bytes:
        if self.part is not None:
            return self._write_part(self.part)
        if self.cache != "miss":
            return self.ready.hit(self.format)
        if self._body is None:
            self._body = self.ready.fresh(self.format, self.charged)
        return self._body

    async def put_together(self) -> Self:
        """Build the body and return self. Large bodies are copied in a thread."""
        if self.part is None and self.ready.is_large:
            await asyncio.to_thread(getattr, self, "body")
        elif self.part is not None and self.part.is_large:
            self._body = await asyncio.to_thread(self._write_part, self.part)
        return self

    def _write_part(self, part: Part) -> bytes:
        if self._body is None:
            head = make_head(self.conversion, charged=self.charged, cached=self.cache != "miss")
            has_data, has_markdown = self.format != "markdown", self.format != "json"
            self._body = part.write(head, has_data=has_data, has_markdown=has_markdown)
        return self._body
