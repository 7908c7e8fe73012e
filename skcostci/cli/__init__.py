"""The command line: files in, a report out."""
