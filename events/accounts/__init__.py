"""Accounts: signing in with a mailed code, and digests of changes."""
