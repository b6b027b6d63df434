"""Services that pass the posts of the microblog on."""
