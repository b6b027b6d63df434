"""Tables: with ruling lines, with stripes, with white space only, and continued across pages."""
