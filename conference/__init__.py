"""The Django project: settings, urls, wsgi. Wiring, no behaviour."""
