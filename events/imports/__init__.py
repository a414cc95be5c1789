"""Imports of programmes: formats parse a file, sync plans and writes its rows, runs record each import."""
