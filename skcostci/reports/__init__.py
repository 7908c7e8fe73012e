"""What is said of several metrics and models at once."""
