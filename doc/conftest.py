"""Pytest runs the examples of the pages; what builds the site, and what the build leaves behind, are not pages."""

collect_ignore = ["conf.py", "conftest.py", "extensions", "images"]
collect_ignore_glob = ["_build*", "auto_examples*", "examples*", "generated*", "_templates*"]
