"""Measurements (`make bench`): nothing here is a test, nothing here fails for being slow."""
