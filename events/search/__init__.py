"""Full-text search in a conference: the index and the search page."""
