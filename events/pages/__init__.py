"""The cache of public pages, and the personal fragments in them."""
