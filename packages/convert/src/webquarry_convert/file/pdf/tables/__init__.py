"""Tables: with ruling lines, with colored rows, with only white space between columns, and continued across pages."""
