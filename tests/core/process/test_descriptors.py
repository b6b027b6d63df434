"""Closed standard streams, and the limit of open files."""

import os
import resource
import subprocess
import sys

import pytest

from webquarry.core.process.descriptors import OPEN_FILES, raise_file_limit


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1, 2)])
def test_sockets_never_take_the_numbers_of_standard_streams(closed: tuple[int, ...]) -> None:
    script = (
        "import os, sys; from webquarry.core.process.descriptors import occupy_standard_streams as occupy\n"
        "kept, shut = int(sys.argv[1]), map(int, sys.argv[2:])\n"
        "for number in shut: os.close(number)\n"
        "occupy()\n"
        "os.write(kept, str([os.path.realpath(f'/proc/self/fd/{n}') == os.devnull for n in range(3)]).encode())\n"
        "os.write(kept, str(os.dup(kept) > 2).encode())\n"
    )
    reads, writes = os.pipe()
    command = [sys.executable, "-c", script, str(writes), *map(str, closed)]
    with subprocess.Popen(
        command, pass_fds=[writes], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ):
        os.close(writes)
        with open(reads) as told:
            assert told.read() == f"{[number in closed for number in range(3)]}True"


def test_server_requests_as_many_open_files_as_the_system_permits() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
    try:
        raise_file_limit()
        assert 256 < resource.getrlimit(resource.RLIMIT_NOFILE)[0] <= OPEN_FILES
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
