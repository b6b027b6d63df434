"""The process that serves: its interpreter, event loop, file descriptors and priority."""
