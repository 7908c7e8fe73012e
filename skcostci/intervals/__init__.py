"""Interval methods: limits from a law."""
