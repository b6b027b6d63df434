"""Clients generated from the OpenAPI document of the running sandbox, and their use.

- openapi-python-client (PyPI): a package of attrs classes. Every response, each shape of one that has several and each
  error is an instance of a separate class, so that a caller can distinguish them.
- openapi-typescript (npm): types only. The constants of `object` and `extractor` narrow a response to one shape, which
  the compiler checks. openapi-fetch, a client for these types, is called as its documentation shows.
- hey-api (npm): types and one function for each operation.
- openapi-generator-cli (PyPI, runs on Java): a validation of the document, and packages for some fifty languages, of
  which the Python one is used. It wraps one of several shapes, as `actual_instance`, and raises errors by their status.

A test is skipped, with the tool's name, if the tool cannot be installed. Nothing is installed outside the test's
folder.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.sandbox import Sandbox

pytestmark = pytest.mark.long

WITHIN_S = 300.0
SMALLER = "/openapi.json?examples=false"

USE_PYTHON_CLIENT = """
import sys
from io import BytesIO
from webquarry_client import AuthenticatedClient
from webquarry_client.api.conversions import conversions
from webquarry_client.api.domain_intel import domain_registration
from webquarry_client.api.search import search
from webquarry_client.api.trends import trends_interest
from webquarry_client.api.web import markdown_file, markdown_url
from webquarry_client.models import *
from webquarry_client.types import UNSET, File

url, key = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=key)

page = markdown_url.sync(client=client, url_query="https://example.com/")
assert isinstance(page, MarkdownUrlAnswer) and page.extractor == "markdown_url", page
assert isinstance(page.data, MarkdownUrlPageData) and page.data.object_ == "page", page.data
assert page.data.title and page.markdown

document = markdown_url.sync(client=client, url_query="https://example.com/files/report")
assert isinstance(document.data, MarkdownUrlDocumentData) and len(document.data.sha256) == 64, document

text = markdown_url.sync(client=client, url_query="https://example.com/", format_=MarkdownUrlFormat.MARKDOWN)
assert text.data is UNSET and text.markdown, text

registration = domain_registration.sync(client=client, domain="example.com")
assert isinstance(registration.data, DomainRegistrationRegistration), registration
assert registration.data.domain == "example.com"

found = search.sync(client=client, q="coffee")
assert isinstance(found.data.organic_results[0], SearchOrganic), found

interest = trends_interest.sync(client=client, q="coffee,tea")
assert isinstance(interest.data, TrendsInterestInterest), interest

for earlier in (page, document, registration, found, interest):
    again = conversions.sync(earlier.id, client=client)
    assert type(again) is type(earlier) and again.data == earlier.data, again

wrong = markdown_url.sync_detailed(client=client, url_query="not an address")
assert wrong.status_code == 400 and isinstance(wrong.parsed, ErrorAnswer), wrong
assert wrong.parsed.code is ErrorAnswerCode.INVALID_PARAMS

stranger = AuthenticatedClient(base_url=url, token="wq_test_" + "0" * 32)
refused = markdown_url.sync_detailed(client=stranger, url_query="https://example.com/")
assert refused.status_code == 401 and refused.parsed.code is ErrorAnswerCode.UNAUTHORIZED, refused

sizes = File(BytesIO(b"name,size\\nred,1\\nblue,2\\n"), "sizes.csv")
upload = MarkdownFileBody(file=sizes, format_=MarkdownFileBodyFormat.JSON)
table = markdown_file.sync(client=client, body=upload)
assert not isinstance(table, ErrorAnswer), table
assert isinstance(table.data, MarkdownFileDocumentData) and table.data.file_name == "sizes.csv", table
assert table.markdown is UNSET
"""

USE_TYPES = """
import type { components, operations, paths } from "./api";

type Schemas = components["schemas"];
type Url = paths["/api/v1/markdown/url"]["get"]["responses"][200]["content"]["application/json"];
const query: operations["markdown_url"]["parameters"]["query"] = { url: "https://example.com/", format: "json" };
// @ts-expect-error the address is required
const without: operations["markdown_url"]["parameters"]["query"] = { format: "json" };

export function told(answer: Url): string {
  if (answer.data === undefined) return answer.markdown ?? answer.id;
  if (answer.data.object === "document") return answer.data.sha256;
  // @ts-expect-error a page has none
  answer.data.sha256;
  return answer.data.links[0]?.url ?? query.url;
}

export function again(answer: Schemas["Conversion"]): string | undefined {
  if (answer.extractor === "domain_registration") return answer.data?.domain;
  if (answer.extractor === "search") return answer.data?.organic_results[0]?.title;
  return answer.id + without.format;
}

export function failed(error: Schemas["ErrorAnswer"]): boolean {
  // @ts-expect-error there is no such code
  if (error.code === "no_such_code") return true;
  return error.code === "invalid_params" && error.error.length > 0;
}
"""

USE_OPENAPI_FETCH = """
import createClient from "openapi-fetch";
import type { paths } from "./api";

const [url, key] = process.argv.slice(2) as [string, string];
const client = createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${key}` } });

function expect(holds: boolean, what: unknown): void {
  if (!holds) throw new Error(JSON.stringify(what));
}

const { data, error, response } = await client.GET("/api/v1/search", { params: { query: { q: "coffee" } } });
expect(error === undefined && data !== undefined && data.extractor === "search", error);
const charged: number | undefined = data?.creditsCharged;
expect(charged === Number(response.headers.get("x-credits-charged")), charged);

const page = await client.GET("/api/v1/markdown/url", { params: { query: { url: "https://example.com/" } } });
if (page.data?.data?.object !== "page") throw new Error("not a page");
const title: string | null = page.data.data.title;
expect(title !== null && page.data.markdown !== undefined, page.data);

// @ts-expect-error the address is required
const wrong = await client.GET("/api/v1/markdown/url", { params: { query: {} } });
expect(wrong.data === undefined && wrong.error?.code === "invalid_params", wrong.error);

const again = await client.GET("/api/v1/conversions/{id}", { params: { path: { id: page.data.id } } });
if (again.data?.extractor !== "markdown_url" || again.data.data?.object !== "page") throw new Error("another response");
expect(again.data.data.title === title, again.data);
"""

USE_HEY_API = """
import { client } from "./client/client.gen.js";
import { conversions, markdownFile, markdownUrl, search } from "./client/index.js";
import type { SearchAnswer, SearchOrganic } from "./client/index.js";

const [url, key] = process.argv.slice(2) as [string, string];
client.setConfig({ baseUrl: url, auth: key });

function expect(holds: boolean, what: unknown): void {
  if (!holds) throw new Error(JSON.stringify(what));
}

const found = await search({ query: { q: "coffee" } });
const answer: SearchAnswer | undefined = found.data;
const first: SearchOrganic | undefined = answer?.data?.organic_results[0];
expect(first !== undefined && first.title !== "", found.error);

const page = await markdownUrl({ query: { url: "https://example.com/", format: "both" } });
if (page.data?.data?.object !== "page") throw new Error(JSON.stringify(page.error));
// @ts-expect-error a page has none
page.data.data.sha256;

const again = await conversions({ path: { id: page.data.id } });
expect(again.data?.extractor === "markdown_url" && again.data.id === page.data.id, again.error);

// @ts-expect-error the address is required
const wrong = await markdownUrl({ query: {} });
expect(wrong.data === undefined && wrong.error?.code === "invalid_params", wrong.error);

const file = new File(["name,size\\nred,1\\n"], "sizes.csv");
const table = await markdownFile({ body: { file } });
expect(table.data?.data?.file_name === "sizes.csv", table.error);
"""

USE_OPENAPI_GENERATOR = """
import sys
from openapi_client import *
from openapi_client.exceptions import BadRequestException, UnauthorizedException

url, key = sys.argv[1:]

def client(key):
    return ApiClient(Configuration(host=url, access_token=key))

web, stored = WebApi(client(key)), ConversionsApi(client(key))
page = web.markdown_url("https://example.com/")
assert isinstance(page.data.actual_instance, MarkdownUrlPageData), page
document = web.markdown_url("https://example.com/files/report")
assert isinstance(document.data.actual_instance, MarkdownUrlDocumentData), document
registration = DomainIntelApi(client(key)).domain_registration("example.com")
assert isinstance(registration.data, DomainRegistrationRegistration), registration
found = SearchApi(client(key)).search("coffee")
assert isinstance(found.data.organic_results[0], SearchOrganic), found
for earlier in (page, document, registration, found):
    again = stored.conversions(earlier.id).actual_instance
    assert type(again) is type(earlier) and again.data == earlier.data, again
table = web.markdown_file(("sizes.csv", b"name,size\\nred,1\\nblue,2\\n"))
assert isinstance(table.data, MarkdownFileDocumentData) and table.data.file_name == "sizes.csv", table
for api, address, expected in (
    (web, "not an address", BadRequestException),
    (WebApi(client("wq_test_" + "0" * 32)), "https://example.com/", UnauthorizedException),
):
    try:
        api.markdown_url(address)
    except expected as refused:
        assert isinstance(refused.data, ErrorAnswer) and refused.data.error, refused
    else:
        raise AssertionError(f"{expected.__name__} was not raised")
"""

_OF_ITSELF = re.compile(r"OpenAPI 3\.1 support is still in beta|ModelUtils - Failed to get the schema name: null")
"""Warnings of openapi-generator for any document of version 3.1, because of a missing reference in its own data."""


def test_openapi_python_client_distinguishes_every_result_class(sandbox: Sandbox, tmp_path: Path) -> None:
    python = _python_with(tmp_path, "openapi-python-client")
    folder = tmp_path / "client"
    output = _run(
        *(python.with_name("openapi-python-client"), "generate", "--url", f"{sandbox.url}/openapi.json"),
        *("--output-path", folder, "--meta", "setup", "--fail-on-warning"),
        path=python.parent,
    )
    assert "arning" not in output
    _use(python, USE_PYTHON_CLIENT, folder, sandbox)


def test_openapi_typescript_types_narrow_by_constants(sandbox: Sandbox, tmp_path: Path) -> None:
    programs = _programs_of(tmp_path, "openapi-typescript@7", "typescript@5")
    _run(programs / "openapi-typescript", f"{sandbox.url}/openapi.json", "--output", tmp_path / "api.d.ts")
    (tmp_path / "use.ts").write_text(USE_TYPES)
    _compile(programs, tmp_path / "use.ts", "--noEmit", "--module", "esnext")


def test_openapi_fetch_infers_the_types_of_responses(sandbox: Sandbox, tmp_path: Path) -> None:
    programs = _programs_of(tmp_path, "openapi-typescript@7", "openapi-fetch@0.17", "typescript@5", "@types/node@22")
    _run(programs / "openapi-typescript", f"{sandbox.url}{SMALLER}", "--output", tmp_path / "api.d.ts")
    _use_typescript(programs, USE_OPENAPI_FETCH, tmp_path, sandbox)


def test_hey_api_generates_typed_functions(sandbox: Sandbox, tmp_path: Path) -> None:
    programs = _programs_of(tmp_path, "@hey-api/openapi-ts@0.90", "typescript@5", "@types/node@22")
    output = {"path": str(tmp_path / "client"), "importFileExtension": ".js"}  # Node needs the ending
    configuration = json.dumps({"input": f"{sandbox.url}{SMALLER}", "output": output})
    (tmp_path / "openapi-ts.config.mjs").write_text(f"export default {configuration};")
    _run(programs / "openapi-ts", "--file", tmp_path / "openapi-ts.config.mjs")
    _use_typescript(programs, USE_HEY_API, tmp_path, sandbox)


def _use_typescript(programs: Path, program: str, folder: Path, sandbox: Sandbox) -> None:
    """Compile a program for Node with the strictest checks and run it."""
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "use.ts").write_text(program)
    of_node = ("--types", "node", "--typeRoots", programs.parent / "@types")
    _compile(programs, folder / "use.ts", "--module", "esnext", "--target", "es2022", *of_node)
    _run("node", folder / "use.js", sandbox.url, sandbox.key)


def _compile(programs: Path, *arguments: str | Path) -> None:
    rules = ("--strict", "--noUncheckedIndexedAccess", "--skipLibCheck", "--moduleResolution", "bundler")
    _run(programs / "tsc", *rules, *arguments)


def _programs_of(folder: Path, *packages: str) -> Path:
    """Install npm packages and return the folder of their programs. Skips the test if they cannot be installed."""
    if shutil.which("npm") is None:
        pytest.skip(f"There is no npm: {packages[0]} cannot be installed.")
    installed = _finished("npm", "install", "--prefix", folder, *packages)
    if installed.returncode:
        pytest.skip(f"npm could not install {packages[0]}: {_last_line(installed.stdout)}")
    return folder / "node_modules" / ".bin"


def test_openapi_generator_finds_no_fault_and_its_client_is_used(sandbox: Sandbox, tmp_path: Path) -> None:
    if shutil.which("java") is None:
        pytest.skip("There is no java: openapi-generator cannot run.")
    python = _python_with(
        tmp_path, "openapi-generator-cli", "pydantic>=2", "urllib3>=2.1", "python-dateutil", "typing-extensions"
    )
    program, folder, address = (
        python.with_name("openapi-generator-cli"),
        tmp_path / "client",
        f"{sandbox.url}/openapi.json",
    )
    assert "No validation issues detected" in _run(program, "validate", "--recommend", "-i", address)
    output = _run(program, "generate", "-i", address, "-g", "python", "-o", folder)
    found = [line for line in output.splitlines() if re.search(r"\b(WARN|ERROR|Exception)\b", line)]
    assert [line for line in found if not _OF_ITSELF.search(line)] == []
    _use(python, USE_OPENAPI_GENERATOR, folder, sandbox)


def _use(python: Path, program: str, folder: Path, sandbox: Sandbox) -> None:
    (folder / "use.py").write_text(program)
    _run(python, folder / "use.py", sandbox.url, sandbox.key)


def _python_with(folder: Path, *packages: str) -> Path:
    """Return the Python of a new environment with these packages. Skips the test if they cannot be installed."""
    environment = folder / "environment"
    _run(sys.executable, "-m", "venv", environment)
    python = environment / "bin" / "python"
    installed = _finished(python, "-m", "pip", "install", "--quiet", *packages)
    if installed.returncode:
        pytest.skip(f"pip could not install {packages[0]}: {_last_line(installed.stdout)}")
    return python


def _run(*command: str | Path, path: Path | None = None) -> str:
    """Run a command, assert that it succeeds, and return its output. path: a folder added in front of PATH."""
    done = _finished(*command, path=path)
    assert done.returncode == 0, done.stdout
    return done.stdout


def _finished(*command: str | Path, path: Path | None = None) -> "subprocess.CompletedProcess[str]":
    # without the sources of this service: a client must not need them
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if path is not None:
        environment["PATH"] = f"{path}{os.pathsep}{environment['PATH']}"
    return subprocess.run(
        list(map(str, command)),
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=WITHIN_S,
        check=False,
    )


def _last_line(message: str) -> str:
    return (message.strip().splitlines() or ["it said nothing"])[-1]
