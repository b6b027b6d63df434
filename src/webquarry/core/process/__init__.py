"""Settings of the serving process: interpreter, event loop, file descriptors and priority."""
