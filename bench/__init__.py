"""Measurements: `make bench` runs them all. Each is a ratio to a baseline in the same run, since machines are noisy."""
