"""Parsing of foreign files: safe readers for JSON, XML and YAML, and cleaned values."""
