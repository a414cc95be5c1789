"""Organisers' sign-in: password, second factor, and their limits. The pages and flows are django-allauth's."""
