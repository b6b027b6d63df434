"""Code in a converter's child tries to get out of it, as after a bug in a native reader."""
