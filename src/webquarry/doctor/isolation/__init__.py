"""Attack suite in which code in a converter's child process tries to escape, as after a bug in a native library."""
