"""The organisers' side: every model in Django's admin, made comfortable."""
