"""Uploads of whole programmes: pending files, their preview, and the import."""
