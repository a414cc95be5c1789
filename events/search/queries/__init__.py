"""The search page: matches from the index, and the rows to show them."""
