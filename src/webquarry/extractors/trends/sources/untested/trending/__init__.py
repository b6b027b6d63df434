"""Current trending searches: the API request, the page, the feed, and SerpApi."""
