"""Bootstrap distributions: the only room that knows what is resampled."""
