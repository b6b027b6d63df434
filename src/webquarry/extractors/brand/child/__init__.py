"""Image jobs that run in child processes, and the replies that they may send."""
