"""The setup script on simulated machines, which are made of scripts and have only the given programs."""

import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = (
    *("bash", "sh", "env", "cat", "echo", "printf", "grep", "sed", "tr", "xargs", "basename", "dirname", "readlink"),
    *("sha256sum", "mkdir", "rm", "ls", "cp", "chmod", "touch"),
)

# responds to the set-up's commands to an interpreter; new environments contain it again and log its commands
PYTHON = """#!/bin/bash
echo "python $*" >>"$MADE_LOG"
case "$*" in
  *version_info*) [ "${MADE_PYTHON:-3.11}" = 3.11 ] ;;
  *ensurepip*) [ -z "${MADE_NO_VENV:-}" ] ;;
  "-m venv"*) mkdir -p .venv/bin && cp "$0" .venv/bin/python && echo "#!$PWD/.venv/bin/python" >.venv/bin/pip ;;
  *"pip "*) [ -z "${MADE_NO_PIP:-}" ] ;;
  *browser.installed*) [ -e "$MADE_WORLD/playwrights" ] ;;
  *playwright*) [ -n "${MADE_PLAYWRIGHT:-}" ] && touch "$MADE_WORLD/playwrights" ;;
esac
"""
# installs the packages that it has; by default, a program with the package's name
MANAGER = """#!/bin/bash
echo "$(basename "$0") $*" >>"$MADE_LOG"
[ -z "${MADE_BROKEN:-}" ] || exit 100
case "$*" in *update*) exit 0 ;; esac
status=0
for package in "$@"; do
  case "$package" in
    -* | install) ;;
    chromium | redis | redis-server | postgresql | postgresql-server | tesseract | tesseract-ocr | tesseract-ocr-* | \
    tesseract-lang*)
      case " ${MADE_LACKS:-} " in
        *" $package "*) status=100 ;;
        *) "$MADE_WORLD/deliver" "$package" ;;
      esac ;;
    python3*) [ -n "${MADE_HAS_PYTHON:-}" ] && "$MADE_WORLD/deliver" python3 || status=100 ;;
    *) status=100 ;;
  esac
done
exit $status
"""
DELIVER = """#!/bin/bash
case "$1" in
  chromium) cp "$MADE_WORLD/program" "$MADE_WORLD/bin/chromium" ;;
  redis*) cp "$MADE_WORLD/program" "$MADE_WORLD/bin/redis-server" ;;
  postgresql*) cp "$MADE_WORLD/program" "$MADE_WORLD/bin/initdb" ;;
  tesseract | tesseract-ocr) cp "$MADE_WORLD/tesseract" "$MADE_WORLD/bin/tesseract" ;;
  tesseract-ocr-*) tr - _ <<<"${1#tesseract-ocr-}" >>"$MADE_WORLD/languages" ;;
  tesseract-osd) echo osd >>"$MADE_WORLD/languages" ;;
  tesseract-langpack-*) echo "${1#tesseract-langpack-}" >>"$MADE_WORLD/languages" ;;
  python3) cp "$MADE_WORLD/python" "$MADE_WORLD/bin/python3" ;;
esac
"""
TESSERACT = """#!/bin/bash
echo "List of available languages:"
cat "$MADE_WORLD/languages" 2>/dev/null
"""
STUB = """#!/bin/bash
echo "requires the chromium snap to be installed" >&2
exit 1
"""


@dataclass
class Machine:
    """A simulated machine. Its programs are in `world/bin` and the project is in `project`."""

    world: Path
    project: Path
    settings: dict[str, str] = field(default_factory=dict)

    def put(self, name: str, text: str) -> None:
        path = self.world / "bin" / name
        path.write_text(text)
        path.chmod(0o755)

    def set_up(self, kind: str = "run") -> "subprocess.CompletedProcess[str]":
        environment = {
            "PATH": str(self.world / "bin"),
            "HOME": str(self.world),
            "MADE_WORLD": str(self.world),
            "MADE_LOG": str(self.world / "log"),
            **self.settings,
        }
        return subprocess.run(
            ["bash", "scripts/setup.sh", kind], cwd=self.project, env=environment, capture_output=True, text=True
        )

    @property
    def asked(self) -> str:
        """Return all logged commands."""
        log = self.world / "log"
        return log.read_text() if log.exists() else ""


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine with Python 3.11 only, for an ordinary user."""
    made = Machine(tmp_path / "world", tmp_path / "project")
    (made.world / "bin").mkdir(parents=True)
    for name in TOOLS:
        if (found := shutil.which(name)) is not None:
            (made.world / "bin" / name).symlink_to(os.path.realpath(found))
    for name, text in (("python", PYTHON), ("deliver", DELIVER), ("tesseract", TESSERACT), ("program", "#!/bin/sh\n")):
        (made.world / name).write_text(text)
        (made.world / name).chmod(0o755)
    made.put("python3", PYTHON)
    be(made, user=1000)
    (made.project / "scripts").mkdir(parents=True)
    (made.project / "requirements").mkdir()
    shutil.copy(ROOT / "scripts/setup.sh", made.project / "scripts")
    for name in ("pyproject.toml", "packages/convert/pyproject.toml"):
        (made.project / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, made.project / name)
    for pins in ("run", "dev"):
        (made.project / "requirements" / f"{pins}.txt").write_text("")
    return made


def be(machine: Machine, user: int) -> None:
    machine.put("id", f"#!/bin/sh\necho {user}\n")


def is_done(machine: Machine) -> bool:
    return (machine.project / ".venv/.done-run").exists()


def test_setup_without_a_package_manager_lists_missing_parts(
    machine: Machine,
) -> None:
    done = machine.set_up()
    assert (done.returncode, done.stderr) == (0, "")
    assert is_done(machine)
    missing = [line for line in done.stdout.splitlines() if "is not installed" in line]
    assert [line.split(":")[0] for line in missing] == ["Chromium is not installed", "Tesseract is not installed"]


def test_setup_does_not_repeat_finished_steps(machine: Machine) -> None:
    machine.set_up()
    before = machine.asked
    done = machine.set_up()
    assert (done.returncode, done.stdout, machine.asked) == (0, "", before)


@pytest.mark.parametrize("manager", ["apt-get", "dnf"])
def test_setup_works_for_a_user_without_root_rights(machine: Machine, manager: str) -> None:
    machine.put(manager, MANAGER)
    assert machine.set_up().returncode == 0
    assert f"{manager} " not in machine.asked


@pytest.mark.parametrize(("manager", "user"), [("apt-get", 0), ("dnf", 0), ("brew", 501)])
def test_available_packages_are_installed(machine: Machine, manager: str, user: int) -> None:
    machine.put(manager, MANAGER)
    be(machine, user)
    done = machine.set_up()
    assert (done.returncode, is_done(machine)) == (0, True)
    assert (machine.world / "bin/tesseract").exists()
    assert (machine.world / "bin/chromium").exists() == (manager != "brew")


def test_an_unavailable_package_does_not_prevent_others(machine: Machine) -> None:
    machine.put("apt-get", MANAGER)
    be(machine, 0)
    machine.settings["MADE_LACKS"] = "chromium tesseract-ocr-urd"
    done = machine.set_up()
    assert (done.returncode, is_done(machine)) == (0, True)
    assert "tha" in (machine.world / "languages").read_text().split()
    assert "Chromium is not installed" in done.stdout
    assert "will be read badly: urd" in done.stdout


def test_setup_continues_after_a_broken_package_manager(machine: Machine) -> None:
    machine.put("apt-get", MANAGER)
    be(machine, 0)
    machine.settings["MADE_BROKEN"] = "yes"
    done = machine.set_up()
    assert (done.returncode, done.stderr, is_done(machine)) == (0, "", True)
    assert "Chromium is not installed" in done.stdout


def test_a_chromium_stub_is_replaced_with_the_playwright_chromium(machine: Machine) -> None:
    machine.put("chromium-browser", STUB)
    machine.settings["MADE_PLAYWRIGHT"] = "yes"
    done = machine.set_up()
    assert done.returncode == 0
    assert "Trying to fetch Playwright's own Chromium" in done.stdout
    assert "Chromium is not installed" not in done.stdout


def test_missing_python_is_reported_and_ends_the_setup(machine: Machine) -> None:
    (machine.world / "bin/python3").unlink()
    done = machine.set_up()
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("Python 3.11 or newer is required")


def test_a_newer_python_is_preferred_to_an_old_one(machine: Machine) -> None:
    machine.put("python3", "#!/bin/bash\nexit 1\n")
    machine.put("python3.12", PYTHON)
    assert (machine.set_up().returncode, is_done(machine)) == (0, True)


def test_a_missing_python_is_installed_if_possible(machine: Machine) -> None:
    (machine.world / "bin/python3").unlink()
    machine.put("dnf", MANAGER)
    be(machine, 0)
    machine.settings["MADE_HAS_PYTHON"] = "yes"
    assert (machine.set_up().returncode, is_done(machine)) == (0, True)


def test_a_python_without_venv_is_reported_with_a_remedy(machine: Machine) -> None:
    machine.settings["MADE_NO_VENV"] = "yes"
    done = machine.set_up()
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "python3-venv" in done.stderr


def test_failed_installation_ends_the_setup_with_an_error(machine: Machine) -> None:
    machine.settings["MADE_NO_PIP"] = "yes"
    done = machine.set_up()
    assert (done.returncode, is_done(machine)) == (1, False)
    assert done.stderr.startswith("The Python packages could not be installed")


def test_the_test_setup_requires_all_parts_and_names_missing_ones(machine: Machine) -> None:
    done = machine.set_up("dev")
    assert (done.returncode, is_done(machine)) == (1, False)
    assert "redis is not installed. Install redis-server and try again." in done.stderr
