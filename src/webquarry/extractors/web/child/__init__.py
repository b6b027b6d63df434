"""Jobs of child processes that read pages and files, and their replies."""
