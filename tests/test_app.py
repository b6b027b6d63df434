"""What the service's own process is made of."""

import subprocess
import sys

CONVERTERS = (
    "webquarry_convert.page",
    "webquarry_convert.fetched",
    "webquarry_convert.verdict",
    "webquarry_convert.tree",
    "liteparse",
)


def test_service_does_not_import_what_converts() -> None:
    """All endpoints are loaded, as in a server that takes calls."""
    program = "import sys, webquarry.app as a; a.endpoints.load(); print(*sys.modules)"
    output = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.split()
    assert "webquarry.extractors.web.markdown_url" in output
    assert [name for name in CONVERTERS if name in output] == []
