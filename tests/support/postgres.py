"""A real PostgreSQL server on a private socket, in memory, with a migrated database for each test that requests one."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from urllib.parse import quote

import asyncpg

from support.memory import memory
from webquarry.storage.postgres import open_postgres

SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    # only recovery reads the log: kept short, because it is in memory
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "min_wal_size": "32MB",
    "max_wal_size": "64MB",
    "max_connections": "60",
    "shared_buffers": "32MB",
    "autovacuum": "off",
    "deadlock_timeout": "50ms",
    "timezone": "UTC",
}


class Postgres:
    """A server. `start` and `restart` return as soon as it responds."""

    def __init__(self, folder: Path, binaries: Path, user: str | None, settings: Mapping[str, str]) -> None:
        self._data = folder / "data"
        self._socket = folder
        self._binaries = binaries
        self._user = user
        self._settings = settings
        self._numbers = count(1)
        self._made: list[str] = []
        self._forgotten: list[str] = []
        self._has_template = False

    def initialise(self) -> None:
        self._run("initdb", "--username=postgres", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8")

    def start(self) -> None:
        options = " ".join(f"-c {name}='{value}'" for name, value in self._settings.items())
        self._run("pg_ctl", "start", "-w", "-s", "-l", str(self._socket / "log"), "-o", f"-k {self._socket} {options}")

    def stop(self) -> None:
        self._run("pg_ctl", "stop", "-w", "-s", "-m", "immediate")

    def restart(self) -> None:
        """Stop the server like a crash, then start it again."""
        self.stop()
        self.start()

    def url(self, database: str) -> str:
        return f"postgresql://postgres@/{database}?host={quote(str(self._socket), safe='')}"

    async def empty_database(self) -> str:
        """Create a database without tables. Return its URL."""
        return await self._create("template0")

    async def database(self) -> str:
        """Create a database at the head revision. Return its URL."""
        if not self._has_template:
            await self._execute("CREATE DATABASE migrated TEMPLATE template0")
            await (await open_postgres(self.url("migrated"), migrate=True)).close()
            self._has_template = True
        return await self._create("migrated")

    def forget(self) -> None:
        """Mark the existing databases as unused. They are dropped when the next one is created."""
        self._forgotten += self._made
        self._made.clear()

    async def _create(self, template: str) -> str:
        name = f"test_{next(self._numbers)}"
        ended = [self._forgotten.pop() for _ in range(len(self._forgotten))]
        await self._execute(
            *(f"DROP DATABASE {old} WITH (FORCE)" for old in ended),
            # copied file by file, because with the log it would be written twice
            f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy",
        )
        self._made.append(name)
        return self.url(name)

    async def _execute(self, *statements: str) -> None:
        connection = await asyncpg.connect(self.url("postgres"))
        try:
            for sql in statements:
                await connection.execute(sql)
        finally:
            await connection.close()

    def _run(self, program: str, *arguments: str) -> None:
        # a file, not a pipe: the server started by pg_ctl would keep a pipe open
        with tempfile.TemporaryFile() as output:
            command = [str(self._binaries / program), "-D", str(self._data), *arguments]
            environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
            done = subprocess.run(command, user=self._user, env=environment, cwd="/", stdout=output, stderr=output)
            if done.returncode:
                output.seek(0)
                raise RuntimeError(f"{program} failed: {output.read().decode(errors='replace')}")


@contextmanager
def running_postgres(place: Path | None = None, settings: Mapping[str, str] = SETTINGS) -> Iterator[Postgres]:
    """Start a server, and remove it and its files afterwards. place: the folder for its files, by default in memory."""
    user = "postgres" if os.geteuid() == 0 else None  # the server refuses to run as root
    folder = Path(tempfile.mkdtemp(prefix="wqpg-", dir=place or _place()))
    try:
        if user is not None:
            shutil.chown(folder, user)
        server = Postgres(folder, _binaries(), user, settings)
        server.initialise()
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _place() -> Path:
    """Return a folder in memory, or /tmp. Pytest's folder is too long for a socket's path of at most 107 bytes."""
    return memory() or Path("/tmp")


def _binaries() -> Path:
    """Return the folder of PostgreSQL's server programs (Debian does not put them on the PATH)."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[4]))
    if versions:
        return versions[-1].parent
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    raise RuntimeError("These tests need PostgreSQL 15 or later: `make test` installs it, or apt install postgresql.")
