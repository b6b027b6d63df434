"""The modules of the service's own process."""

import re
import subprocess
import sys
from importlib.metadata import packages_distributions, requires

HELPERS = (
    "webquarry_convert.errors",
    "webquarry_convert.file.document",
    "webquarry_convert.file.limits",
    "webquarry_convert.file.scan_search",
    "webquarry_convert.file.xml",
    "webquarry_convert.marks",
    "webquarry_convert.phrases",
    "webquarry_convert.text.",
)
"""Modules that readers of upstreams share with the converter: texts, dates, bounded markup and XML, block pages."""
PACKAGES = ("webquarry_convert.file", "webquarry_convert.text")


def list_modules_of_the_converter() -> set[str]:
    """Return the packages that the converter depends on and the service does not."""
    needs: dict[str, set[str]] = {}
    for name in ("webquarry", "webquarry-convert"):
        stated = [re.match(r"[\w.-]+", each) for each in requires(name) or () if "extra ==" not in each]
        needs[name] = {found[0].lower().replace("_", "-") for found in stated if found}
    alone = needs["webquarry-convert"] - needs["webquarry"]
    return {
        module
        for module, owners in packages_distributions().items()
        if not alone.isdisjoint(owner.lower().replace("_", "-") for owner in owners)
    }


def test_service_does_not_import_the_converter() -> None:
    """All endpoints are loaded, as in a server that handles requests."""
    program = "import sys, webquarry.app, webquarry.engine as e; e.endpoints.load(); print(*sys.modules)"
    output = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.split()
    assert "webquarry.extractors.web.markdown_url" in output
    loaded = [name for name in output if name.startswith("webquarry_convert.")]
    assert [name for name in loaded if not name.startswith(HELPERS) and name not in PACKAGES] == []
    parsers = list_modules_of_the_converter()
    assert {"liteparse", "pypdfium2", "xlrd"} <= parsers
    assert parsers.intersection(output) == set()


def test_local_requests_do_not_import_accounts_and_pages() -> None:
    program = "import sys, webquarry.cli.local as l, webquarry.engine as e; e.endpoints.load(); print(*sys.modules)"
    output = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.split()
    assert "webquarry.extractors.domain_intel.registration" in output
    front = ("accounts", "oauth", "web", "mcp", "api")
    assert [name for name in output if name.startswith(tuple(f"webquarry.{room}" for room in front))] == []
    assert {"webauthn", "mcp", "jinja2", "uvicorn"}.intersection(output) == set()
