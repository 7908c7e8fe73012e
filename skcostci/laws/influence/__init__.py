"""The influence values of units and the effect of one more unit, from which default intervals are computed."""
