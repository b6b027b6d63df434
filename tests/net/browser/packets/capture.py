"""Capture of all packets sent in one network namespace.

`python capture.py` prints its process id, captures on all interfaces until its input ends, then prints the captured
packets as JSON, each kind once. For TCP only the packets that open a connection count, for UDP all; packets that the
kernel sends by itself are ignored.
"""

import json
import os
import select
import socket
import struct
import sys
from ipaddress import ip_address
from typing import NamedTuple

_EVERYTHING = 0x0003  # ETH_P_ALL
_ETHERNET = 14
_IPV4, _IPV6 = 0x0800, 0x86DD
_TCP, _UDP = 6, 17
_SYN, _ACK = 0x02, 0x10
_DNS = 53


class Packet(NamedTuple):
    """protocol: `tcp` or `udp`; asked: the name and type of a DNS query, otherwise empty."""

    protocol: str
    address: str
    port: int
    asked: str


def main() -> None:
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_EVERYTHING)) as wire:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 24)
        print(os.getpid(), flush=True)  # noqa: T201  # read by the parent
        seen: set[Packet] = set()
        while True:
            ready, _, _ = select.select([wire, sys.stdin], [], [])
            if wire in ready:
                if packet := read(wire.recv(65535)):
                    seen.add(packet)
            elif sys.stdin in ready:
                break
        print(json.dumps(sorted(seen)))  # noqa: T201


def read(frame: bytes) -> Packet | None:
    """Parse a frame of Ethernet, or of loopback, which has the same format."""
    (kind,) = struct.unpack_from("!H", frame, 12)
    body = frame[_ETHERNET:]
    if kind == _IPV4:
        protocol, target, start = body[9], body[16:20], (body[0] & 15) * 4
    elif kind == _IPV6:
        protocol, target, start = body[6], body[24:40], 40
    else:
        return None
    address, segment = str(ip_address(target)), body[start:]
    if protocol == _TCP and segment[13] & (_SYN | _ACK) == _SYN:
        return Packet("tcp", address, _port(segment), "")
    if protocol == _UDP:
        port = _port(segment)
        return Packet("udp", address, port, _question(segment[8:]) if port == _DNS else "")
    return None


def _port(segment: bytes) -> int:
    return int(struct.unpack_from("!H", segment, 2)[0])


def _question(message: bytes) -> str:
    """Return the name and type number of a DNS query (RFC 1035, 4.1.2)."""
    labels, at = [], 12
    while message[at]:
        labels.append(message[at + 1 : at + 1 + message[at]].decode("latin-1"))
        at += 1 + message[at]
    return f"{'.'.join(labels)} {int.from_bytes(message[at + 1 : at + 3], 'big')}"


if __name__ == "__main__":
    main()
