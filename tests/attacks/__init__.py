"""Attack suite of hostile content (`webquarry doctor content`).

Attacks are declarations (`attacks/`). Each attack is played over HTTP against a real server process with its own store.
Other processes watch whether the server stays responsive, which accounts it charges, and how much memory it uses.
Nothing is sent to other machines.
"""
