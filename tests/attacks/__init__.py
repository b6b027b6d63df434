"""Attack suite of hostile content (`webquarry doctor content`).

Attacks are declarations (`attacks/`). Each is played over HTTP against a real server process with its own store, and is
watched from further processes: whether the server stays responsive, which accounts it charges, and its memory use.
Nothing is sent to other machines.
"""
