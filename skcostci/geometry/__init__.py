"""Cost curves without uncertainty: envelopes, hulls, duality."""
