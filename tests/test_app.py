"""What the service's own process is made of."""

import gc
import subprocess
import sys
from pathlib import Path

from webquarry.app import assemble
from webquarry.settings import Settings

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
    told = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.split()
    assert "webquarry.extractors.web.markdown_url" in told
    assert [name for name in CONVERTERS if name in told] == []


async def test_collector_is_spared_while_the_service_stands(tmp_path: Path) -> None:
    before = gc.get_threshold()
    async with assemble(Settings(data_dir=tmp_path), serving=True):
        assert gc.get_freeze_count() > 0
        assert gc.get_threshold()[0] > before[0]
    assert (gc.get_freeze_count(), gc.get_threshold()) == (0, before)
