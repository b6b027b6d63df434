"""The choice of a Chromium."""

from pathlib import Path

import pytest

from webquarry.core.settings import Settings
from webquarry.net.browser import installed
from webquarry.net.browser.installed import find_chromium

STUB = """#!/bin/sh
echo "Command '$0' requires the chromium snap to be installed." >&2
echo "Please install it with: snap install chromium" >&2
exit 1
"""


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of programs, the only one on the PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("PLAYWRIGHT_BROWSERS_PATH", raising=False)
    monkeypatch.setattr(installed, "_ON_MACOS", ())
    return folder


def put(path: Path, text: str = "#!/bin/sh\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def test_only_the_path_from_the_settings_is_used(programs: Path) -> None:
    put(programs / "chromium")
    mine = put(programs.parent / "mine")
    assert find_chromium(Settings(chromium_path=mine)) == mine
    assert find_chromium(Settings(chromium_path=programs / "nothing")) is None


def test_an_installed_chromium_is_found_by_its_usual_names(programs: Path) -> None:
    assert find_chromium(Settings()) is None
    chrome = put(programs / "google-chrome")
    assert find_chromium(Settings()) == chrome
    chromium = put(programs / "chromium")
    assert find_chromium(Settings()) == chromium


def test_a_snap_stub_is_not_a_chromium(programs: Path) -> None:
    put(programs / "chromium-browser", STUB)
    assert find_chromium(Settings()) is None
    put(programs / "chromium-browser", '#!/bin/sh\nexec /opt/chromium/chrome "$@"\n')
    assert find_chromium(Settings()) == programs / "chromium-browser"


def test_the_newest_playwright_chromium_is_used(programs: Path) -> None:
    cache = programs.parent / ".cache" / "ms-playwright"
    put(cache / "chromium-990" / "chrome-linux" / "chrome")
    newest = put(cache / "chromium-1187" / "chrome-linux" / "chrome")
    assert find_chromium(Settings()) == newest
