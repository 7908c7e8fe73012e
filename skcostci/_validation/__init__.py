"""Input checks: everything a user passes in is checked here, once, under its parameter name."""
