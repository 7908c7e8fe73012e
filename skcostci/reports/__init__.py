"""Reports on several metrics and models at once."""
