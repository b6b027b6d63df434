"""The installed command on a terminal, or with pipes."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from dataclasses import dataclass
from pathlib import Path

PROGRAM = Path(sys.executable).with_name("webquarry")
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x1b]*\x1b\\")
_WAIT_S = 180


@dataclass(frozen=True, slots=True)
class Shown:
    """What a command showed on a terminal, with its control sequences."""

    code: int
    raw: str

    @property
    def text(self) -> str:
        """The output without control sequences. The spinner's frames are in it."""
        return _CONTROL.sub("", self.raw.replace("\r\n", "\n"))


def make_environment(folder: Path, **variables: str) -> dict[str, str]:
    """Return the environment of a command with its data in the folder."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("WEBQUARRY_")}
    for name in ("NO_COLOR", "PAGER", "FORCE_COLOR", "LESS", "LINES", "COLUMNS"):
        kept.pop(name, None)
    return kept | {"WEBQUARRY_DATA_DIR": str(folder / "data"), "WEBQUARRY_WORKERS": "1"} | variables


def run_on_terminal(
    *arguments: str, folder: Path, rows: int = 24, columns: int = 80, typed: bytes = b"", **variables: str
) -> Shown:
    """Run `webquarry` with a terminal as standard input, output and error. `typed` is sent to it at the start."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    environment = make_environment(folder, **{"TERM": "xterm-256color", **variables})
    process = subprocess.Popen(
        [PROGRAM, *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment,
        cwd=folder,
        start_new_session=True,
    )
    os.close(theirs)
    if typed:
        os.write(ours, typed)
    pieces = []
    try:
        while piece := os.read(ours, 65536):
            pieces.append(piece)
    except OSError:  # Linux reports the end of a terminal as an error
        pass
    finally:
        os.close(ours)
    return Shown(process.wait(_WAIT_S), b"".join(pieces).decode("utf-8", "replace"))


def run_in_pipes(
    *arguments: str, folder: Path, stdin: bytes = b"", **variables: str
) -> subprocess.CompletedProcess[bytes]:
    """Run `webquarry` with pipes as standard input, output and error."""
    return subprocess.run(
        [PROGRAM, *arguments],
        input=stdin,
        capture_output=True,
        env=make_environment(folder, **variables),
        cwd=folder,
        timeout=_WAIT_S,
        check=False,
    )
