"""The attack suite of hostile content (`webquarry doctor content`).

Attacks are declarations (`attacks/`). Each is played over HTTP, from outside, against a real server process on a store
of its own, and is watched from further processes: whether the server answers all the while, whom it charges, what it
holds. Nothing leaves this machine.
"""
