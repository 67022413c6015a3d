"""What `python -m hetjit` can do, a module for each command; the table is in hetjit/__main__.py."""
