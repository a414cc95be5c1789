"""Backups of a whole site in one folder: database, photos and key."""
