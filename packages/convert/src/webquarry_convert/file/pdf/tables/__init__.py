"""Tables: with ruling lines, with stripes, with only white space, and continued across pages."""
