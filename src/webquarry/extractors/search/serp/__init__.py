"""A search's answer, whoever gives it: its model, the window of rows that was asked for, its markdown, its readers."""
