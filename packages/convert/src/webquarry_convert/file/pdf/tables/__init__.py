"""Tables: drawn with rules, with stripes or with white space alone, and what goes on over pages."""
