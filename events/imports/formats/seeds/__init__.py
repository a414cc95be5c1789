"""Seed folders, our own format."""
