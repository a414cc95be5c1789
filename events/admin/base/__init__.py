"""Base classes of the admin: forms, fields, times, and one conference per form."""
