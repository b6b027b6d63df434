"""Attack suite in which code in a converter's child process tries to escape, as it could after a bug in a native
library.
"""
