"""The chairs' queue of proposals, and the page on which each is decided."""
