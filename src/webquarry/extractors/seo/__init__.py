"""What indexes of links and of search results say of a domain."""
