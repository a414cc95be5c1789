"""Reads of the programme that several rooms share."""
