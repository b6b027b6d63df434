"""The attack suite on the door to the outside (`webquarry doctor egress`).

Attacks are declarations (`attacks/`). An adversary of real sockets on loopback plays them against the installed code,
inside a network that stands for the internet and lets nothing leave this machine.
"""
