"""Social platforms: `shortvideo/`, `photonet/` (profiles), `socialnet/` (pages); `pasted`, `preloaded` serve all."""
