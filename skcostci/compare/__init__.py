"""Many comparisons at once: contrasts, their joint law, and which models may be best."""
