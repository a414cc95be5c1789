"""The views of the pages."""
