"""Queries of the programme that several packages use."""
