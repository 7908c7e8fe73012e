"""How many cases to collect: widths and powers of the default intervals, before there are data."""
