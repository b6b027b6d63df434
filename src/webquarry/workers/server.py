"""The fork server: a process that has imported the modules that jobs need, and forks a child on each request.

    python -m webquarry.workers.server '{"parent": 4711, "control": 5, "limits": {…}, "preload": ["package.module"], …}'

The fork server never reads untrusted bytes. The service sends requests over a socket, one message at a time:

    {"fork": true}, with the child's two pipe ends   →  {"pid": number}, with a descriptor of the process
    {"reap": number}, for a child that has ended     →  {"status": exit code, or minus the signal}

The server sends the first message: `{}` when it is ready, `{"failed": text}` if it cannot start.
"""

import contextlib
import gc
import os
import resource
import socket
import sys
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

import orjson

from webquarry.core.process.priority import give_way
from webquarry.workers import child, confine
from webquarry.workers.faults import describe_error
from webquarry.workers.limits import Limits
from webquarry.workers.places import Places

START_CPU_S: Final = 30
"""CPU seconds within which the server must have started. On a busy machine, this may take longer in real time."""
MAX_MESSAGE: Final = 16 * 1024
_PIPE_ENDS: Final = 2


@dataclass(frozen=True, slots=True)
class Order:
    """The JSON on a fork server's command line.

    `parent` is the process id of the service. `control` is the descriptor of the socket. `preload` lists modules to
    import, or functions to call (`module:function`), before the first child. `secrets` are paths that no child may
    read.
    """

    parent: int
    control: int
    limits: Limits
    preload: tuple[str, ...]
    places: Places
    secrets: tuple[str, ...]

    @classmethod
    def read(cls, text: str) -> "Order":
        given = orjson.loads(text)
        limits, places = Limits(**given.pop("limits")), Places(**given.pop("places"))
        return cls(limits=limits, places=places, **given)


def main() -> None:
    order = Order.read(sys.argv[1])
    control = socket.socket(fileno=order.control)
    server = os.getpid()
    try:
        give_way(server, order.limits.nice)  # first, because the imports are the longest computation
        has_left = confine.leave_network()
        _move_apart(order.parent)
        _prepare(order)
    except Exception as exc:  # noqa: BLE001  # the service logs any error
        control.send(orjson.dumps({"failed": describe_error(exc)}))
        return
    control.send(b"{}")
    serve(control, child.Confinement(order.limits, order.parent, server, order.secrets, has_left=has_left))


def serve(control: socket.socket, confinement: child.Confinement) -> None:
    """Fork and reap children until the service closes the socket."""
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, MAX_MESSAGE, _PIPE_ENDS)
        if not message:
            return
        asked = orjson.loads(message)
        if "reap" in asked:
            _, status = os.waitpid(asked["reap"], 0)
            control.send(orjson.dumps({"status": os.waitstatus_to_exitcode(status)}))
        else:
            _fork(control, descriptors, confinement)


def _move_apart(service: int) -> None:
    """Continue in a process that sees no other processes, if the kernel permits it.

    The current process ends together with the new one. When the new process ends, the kernel ends all processes below
    it, so no program of a child outlives the service.
    """
    confine.follow(service)
    if not (hasattr(os, "pidfd_open") and confine.leave_processes()):
        return  # without pidfds, the service could not map children to its process ids
    this = os.getpid()
    if pid := os.fork():
        os._exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) != 0)
    confine.follow(os.getppid())
    if os.getppid() not in (0, this):
        os._exit(1)  # the parent had already ended


def _prepare(order: Order) -> None:
    """Confine this process and import the modules that children share."""
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (START_CPU_S, hard))
    confine.leave_files(order.places)
    for name in order.preload:
        _import_ahead(name)
    confine.bound(order.limits)
    gc.collect()
    gc.freeze()  # children share the memory of these objects until someone writes to them
    gc.disable()
    resource.setrlimit(resource.RLIMIT_CPU, (hard, hard))


def _import_ahead(name: str) -> None:
    """Import a module, or call a function without arguments.

    Errors are ignored here, because jobs that need the module will raise them.
    """
    module, _, function = name.partition(":")
    with contextlib.suppress(Exception):
        imported = import_module(module)
        if function:
            getattr(imported, function)()


def _fork(control: socket.socket, descriptors: list[int], confinement: child.Confinement) -> None:
    answer: dict[str, Any]
    passed: list[int] = []
    try:
        source, sink = descriptors
        pid = os.fork()
        if pid == 0:
            control.close()
            child.run(source, sink, os.getppid(), confinement)
        with contextlib.suppress(OSError):  # the child does the same; the first call succeeds
            os.setpgid(pid, pid)
        answer = {"pid": pid}
        if hasattr(os, "pidfd_open"):
            passed.append(os.pidfd_open(pid))
    except OSError as exc:
        answer = {"failed": describe_error(exc)}
    socket.send_fds(control, [orjson.dumps(answer)], passed)
    for descriptor in (*descriptors, *passed):
        os.close(descriptor)


if __name__ == "__main__":
    main()
