"""Where icons of a site are found."""
