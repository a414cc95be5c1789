"""Views: fetch, act, render."""
