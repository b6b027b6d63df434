"""Forms of jobs and crawls, and the bodies of the requests that they describe."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.json_body import parse_json
from webquarry.endpoints.params import FORMAT, specs
from webquarry.jobs.crawl_request import CrawlRequest
from webquarry.jobs.inputs import JobHead
from webquarry.web.playground.fields import Field, make_field
from webquarry.web.playground.form import read_filled
from webquarry.web.playground.job_inputs import LAYOUTS, Layout, find_main

OWN: Final = "job."
"""Prefix of the fields of a job, which are no parameters of its endpoint."""
SHOWN_INPUTS: Final = 10
"""Inputs that the code for a request shows."""


@dataclass(frozen=True, slots=True)
class BatchForm:
    """A filled-in form of a job. `shared` are parameters of all inputs. The other texts are as typed."""

    extractor: Extractor
    inputs: str = ""
    layout: Layout = "lines"
    max_credits: str = ""
    name: str = ""
    skips: bool = False
    shared: Sequence[tuple[str, str]] = ()

    @property
    def body(self) -> dict[str, Any]:
        """Return the body of the request, without its inputs."""
        given = {
            "operation": self.extractor.name,
            "shared": dict(self.shared),
            "max_credits": _read_number(self.max_credits),
            "invalid": "skip" if self.skips else "",
            "name": self.name,
        }
        return {name: value for name, value in given.items() if value not in ("", {})}

    @property
    def head(self) -> JobHead:
        """Return the request without its inputs. Raises InvalidParams."""
        return parse_json(JobHead, orjson.dumps(self.body))

    def list_fields(self, wrong: str | None, message: str) -> list[Field]:
        """Return the fields of the parameters of all inputs. `message` is the error of the parameter `wrong`."""
        given, main = dict(self.shared), find_main(self.extractor).name
        return [
            make_field(spec, given.get(spec.name), message if spec.name == wrong else "", grouped=True)
            for spec in (*specs(self.extractor.params), FORMAT)
            if spec.name != main
        ]


def read_batch(extractor: Extractor, filled: Mapping[str, str]) -> BatchForm:
    """Return a form from its fields."""
    own = {name.removeprefix(OWN): text for name, text in filled.items() if name.startswith(OWN)}
    rest = {name: text for name, text in filled.items() if not name.startswith(OWN) and name != "operation"}
    return BatchForm(
        extractor,
        inputs=own.get("inputs", ""),
        layout=next((each for each in LAYOUTS if each == own.get("layout")), "lines"),
        max_credits=own.get("max_credits", "").strip(),
        name=own.get("name", "").strip(),
        skips="skip" in own,
        shared=tuple(read_filled(extractor, rest)),
    )


@dataclass(frozen=True, slots=True)
class CrawlForm:
    """A filled-in form of a crawl. `values` are its fields as typed."""

    values: Mapping[str, str]

    @property
    def body(self) -> dict[str, Any]:
        """Return the body of the request: all fields that were filled in."""
        given = self.values
        body: dict[str, Any] = {"url": given.get("url", "").strip()}
        body |= {name: _read_number(given.get(name, "").strip()) for name in ("limit", "depth", "max_credits")}
        body |= {name: given.get(name, "").split() for name in ("include", "exclude")}
        body |= {name: given.get(name, "").strip() for name in ("since", "name")}
        body = {name: value for name, value in body.items() if value not in ("", [])}
        body |= {"subdomains": True} if "subdomains" in given else {}
        return body | ({"sitemap": "skip"} if "skip_sitemap" in given else {})

    @property
    def request(self) -> CrawlRequest:
        """Return the request. Raises InvalidParams."""
        return parse_json(CrawlRequest, orjson.dumps(self.body))


def _read_number(text: str) -> int | str:
    """Return a whole number, or the text, which the request's rules then refuse."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else text
