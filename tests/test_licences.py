"""The licenses of the installed packages according to their metadata: permissive, with a list of exceptions."""

import re
from importlib import metadata
from pathlib import Path

import pytest

PINNED = re.findall(r"^([A-Za-z0-9_.-]+)==", (Path(__file__).parents[1] / "requirements/run.txt").read_text(), re.M)
PERMISSIVE = re.compile(r"\b(MIT(-CMU)?|BSD|Apache|PSF|Python Software Foundation|ISC|Zlib|HPND)\b", re.IGNORECASE)
COPYLEFT = re.compile(r"GPL|General Public|Affero|EUPL|SSPL|BUSL|Commons Clause", re.IGNORECASE)
BY_FILE = {"certifi", "orjson", "pathspec", "publicsuffixlist", "tqdm"}
"""Mozilla's license: it requires only the publication of changes to its own files."""
AS_LIBRARIES = {"pi-heif"}
"""Wheels that contain an unmodified shared library under the LGPL."""


def stated(name: str) -> str:
    about = metadata.metadata(name).json
    found = [str(about.get("license_expression", "")), str(about.get("license", ""))[:200]]
    return " | ".join([*found, *(line for line in about.get("classifier", ()) if line.startswith("License"))])


def installed() -> list[str]:
    """Return the pinned packages for this platform (markers exclude some)."""
    found = {re.sub(r"[-_.]+", "-", one.name).lower() for one in metadata.distributions()}
    return [name for name in PINNED if re.sub(r"[-_.]+", "-", name).lower() in found]


def test_nearly_all_pinned_packages_are_checked() -> None:
    assert len(installed()) > 0.9 * len(PINNED) > 40


@pytest.mark.parametrize("name", installed())
def test_license_is_permissive(name: str) -> None:
    licence = stated(name)
    if name in AS_LIBRARIES:
        assert re.search(r"LGPL|Lesser", licence)
    else:
        assert not COPYLEFT.search(licence), licence
    assert PERMISSIVE.search(licence) or ("MPL" in licence and name in BY_FILE), licence


def test_no_codec_under_the_gpl_comes_with_a_wheel() -> None:
    """OpenCV's wheel has FFmpeg's libraries, which are under the LGPL if these parts are left out."""
    files = [path.name for name in installed() for path in metadata.files(name) or ()]
    assert len(files) > 1000
    assert [name for name in files if re.search(r"x264|x265|xvid|postproc", name)] == []
