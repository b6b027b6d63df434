"""Answers: a conversion, how a call came by it, and what a surface sends."""

from datetime import datetime
from typing import Literal, NamedTuple

from webquarry.cache import Ready
from webquarry.declare import Format
from webquarry.storage.conversions import Conversion

CacheState = Literal["hit", "miss", "joined"]


class Answer(NamedTuple):
    """What a surface sends. age_s: seconds since the conversion was made."""

    body: bytes
    conversion: Conversion
    charged: int
    cache: CacheState
    age_s: int

    @property
    def conversion_id(self) -> str:
        return self.conversion.id


class Made(NamedTuple):
    """A conversion and how a call came by it."""

    ready: Ready
    cache: CacheState
    charged: int = 0

    def answer(self, form: Format, now: datetime) -> Answer:
        ready, conversion = self.ready, self.ready.conversion
        body = ready.fresh(form, self.charged) if self.cache == "miss" else ready.hit(form)
        age_s = max(0, int((now - conversion.created_at).total_seconds()))
        return Answer(body, conversion, self.charged, self.cache, age_s)
