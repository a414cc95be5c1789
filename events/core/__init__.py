"""Code without a conference in it: time, text, parsing, limits, tokens, photos, database helpers."""
