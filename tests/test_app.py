"""What the service's own process is made of."""

import subprocess
import sys

HELPERS = (
    "webquarry_convert.errors",
    "webquarry_convert.file.document",
    "webquarry_convert.file.limits",
    "webquarry_convert.file.scan_search",
    "webquarry_convert.file.xml",
    "webquarry_convert.marks",
    "webquarry_convert.sayings",
    "webquarry_convert.text.",
)
"""Modules that readers of upstreams share with the converter: texts, dates, bounded markup and XML, block pages."""
PACKAGES = ("webquarry_convert.file", "webquarry_convert.text")
PARSERS = ("liteparse", "pypdfium2", "xlrd", "PIL", "pi_heif", "cramjam", "charset_normalizer")


def test_service_does_not_import_what_converts() -> None:
    """All endpoints are loaded, as in a server that takes calls."""
    program = "import sys, webquarry.app as a; a.endpoints.load(); print(*sys.modules)"
    output = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.split()
    assert "webquarry.extractors.web.markdown_url" in output
    loaded = [name for name in output if name.startswith("webquarry_convert.")]
    assert [name for name in loaded if not name.startswith(HELPERS) and name not in PACKAGES] == []
    assert [name for name in PARSERS if name in output] == []
