"""Shapes, labels and drawings of floor plans; durations and properties of routes."""
