"""Spreadsheets of other people: their columns, their dates and hours, and the programme in them."""
