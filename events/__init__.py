"""The one app: what a conference is, and every way through it."""
