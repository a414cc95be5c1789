"""Reads, named for what comes back: one module per page's noun."""
