"""Public ad libraries: of a search engine (its creatives, one of them, an advertiser) and of a social network."""
