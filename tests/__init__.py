"""The tests, in the folders of what they test; conftest.py says what every one of them gets."""
