"""Bootstrap distributions: the only room that depends on what is resampled."""
