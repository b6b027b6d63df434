"""Attack suite for outgoing requests (`webquarry doctor egress`).

Attacks are declarations (`attacks/`). An adversary with real sockets on loopback runs them against the installed code,
in a simulated internet, so that nothing leaves this machine.
"""
